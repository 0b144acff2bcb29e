"""Memory systems under the controls: banks go in by a system's own door, answers come out by it."""
