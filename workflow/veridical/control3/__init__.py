"""Control 3: a probe that a system with no memory can't pass."""
