"""Intervals, exact tests, equivalence, agreement and power: tables in, named results out."""
