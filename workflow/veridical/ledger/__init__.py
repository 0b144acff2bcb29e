"""Every exchange, kept once: asking, collecting, replies, budgets, prices, estimates."""
