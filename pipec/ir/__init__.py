"""The intermediate representation: types, interned nodes, and what can be done with them."""
