"""A long act of a memory system: other hosts are told meanwhile that it is being waited for."""

from __future__ import annotations

import time

from support.memory_study import plan, sound
from veridical.base.processes import Signs
from veridical.ledger import beating as signs
from veridical.ledger.beating import beating
from veridical.ledger.ledger import HELD, Ledger
from veridical.memories import keeping
from veridical.memories.keeping import Keeper
from veridical.memories.visit import Visit
from veridical.models.exchange import Call

STALE = 0.4  # seconds: what two minutes are to a study


def test_a_long_act_of_a_memory_system_keeps_its_lease(tmp_path, monkeypatch):
    """Filling a bank takes many times as long as a lease is waited for; another host looks on."""
    path = tmp_path / "s.sqlite"
    monkeypatch.setattr(signs, "host", lambda: "far")
    monkeypatch.setattr(keeping, "beating", lambda path, owner: beating(path, owner, STALE / 4))
    with Ledger(path) as theirs:
        keeper = Keeper("s", {"adapter": "fts5"}, theirs)
        request = {"verb": "ingest"}
        own = Call(keeper.model, ({"role": "user", "content": '{"verb": "ingest"}'},))
        told: list[str] = []

        def act():
            with Ledger(path) as ours:
                ours._elsewhere = Signs(STALE)
                ends = time.monotonic() + 4 * STALE
                while time.monotonic() < ends:
                    told.extend(ours.lease([own]))
                    time.sleep(0.1)
            return {"accepted": 30}

        assert keeper("ingest/veridical", request, act).value == {"accepted": 30}
    assert set(told) == {HELD}
    assert len(told) > 4


def test_a_visit_through_a_beating_ledger_is_kept_as_ever(tmp_path, monkeypatch):
    monkeypatch.setattr(keeping, "beating", lambda path, owner: beating(path, owner, 0.001))
    with Ledger(tmp_path / "s.sqlite") as ledger:
        keeper = Keeper("s", {"adapter": "fts5"}, ledger)
        observed = Visit(plan(4), sound, keeper).run()
        assert all(outcome.ok for outcome in observed.values())
        assert ledger.check() == []
        assert keeper.asked == 2 + 4 * 7
