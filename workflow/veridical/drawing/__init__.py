"""How figures look, and the marks that they share."""
