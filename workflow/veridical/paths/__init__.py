"""Viable path entropy: problems, rollouts, verifier, mode map, estimators."""
