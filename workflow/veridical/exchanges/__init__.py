"""Talking to models: what is asked, in which form; the ledger, its replays and costs."""
