"""Other people's memory benchmarks: reading them, and asking whether they need a memory."""
