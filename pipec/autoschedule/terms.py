"""Hand-made terms of a stage's time: non-negative, in seconds, from features. A cost model only prices them."""
