"""Viable path entropy: rollouts, their verification and modes, and the measures over them."""
