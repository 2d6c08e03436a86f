"""What a plan would cost: terms with units, and models that price them."""
