"""Applications that learn: pipelines whose filters and parameters are found by their gradients, on photographs."""
