"""The loop nest that a schedule gives, as text."""

from pipec.lower.loop_nest_text import loop_nest_text

__all__ = ["loop_nest_text"]
