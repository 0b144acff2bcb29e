"""Memory documents: the true one, the shuffled, the foreign, the re-bound; their fidelity."""
