"""Regions: intervals and boxes of expressions, and what stages need of each other."""
