"""Control 1: counterfeits, blinding, verdicts, contrasts."""
