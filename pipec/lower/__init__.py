"""Lowering: from frozen definitions and a Schedule to a Program of loops, loads and stores."""
