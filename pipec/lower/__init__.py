"""Lowering: from frozen definitions and a Schedule to a Program of loops, loads and stores."""

from pipec.lower.lower import lower
from pipec.lower.required_boxes import required_boxes

__all__ = ["lower", "required_boxes"]
