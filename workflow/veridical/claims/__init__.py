"""What the product may state, at what rate it may be wrong, and the worlds that tell."""
