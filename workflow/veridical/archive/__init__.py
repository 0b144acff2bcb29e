"""One deterministic zip of a study: what goes in, its crate, its deposit."""
