"""An agent's recorded life and the memory documents that stand before a model."""
