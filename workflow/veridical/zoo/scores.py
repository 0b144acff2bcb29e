"""What is reported of memory systems, computed on the same answers: scores, better the higher."""

from __future__ import annotations

from statistics import fmean

from veridical.memories.matching import words_of
from veridical.memories.plan import EMPTY, VERIDICAL
from veridical.zoo.seen import Seen


def recall(seen: Seen) -> float:
    """recall@k: the probes whose entry is among the k items recalled from the true memory."""
    return fmean(each.gold for each in seen.of(VERIDICAL))


def accuracy(seen: Seen) -> float:
    """The probes answered rightly from the true memory, of all."""
    return fmean(each.right for each in seen.of(VERIDICAL))


def matched(seen: Seen) -> float:
    """Exact match, which is judged accuracy where there is no judge: the right partner's name
    stands in the reply, in full."""
    return fmean(says(each.reply, each.true) for each in seen.of(VERIDICAL))


def gap(seen: Seen) -> float:
    """The no-memory gap: accuracy from the true memory less accuracy from an empty one."""
    return accuracy(seen) - fmean(each.right for each in seen.of(EMPTY))


def found(seen: Seen) -> float:
    """The probes whose entry, bound as its bank has it, came back from the true and swapped banks:
    the smaller share."""
    banks = [bank.document for bank in seen.plan.banks if seen.of(bank.document)[0].bound]
    return min(fmean(each.rank is not None for each in seen.of(name)) for name in banks)


def says(reply: str, name: str) -> bool:
    """Whether a name stands in a reply, word for word.

    >>> says("2025-01-31 — met Llama — tea", "llama"), says("Llamas graze", "Llama")
    (True, False)
    """
    return f" {' '.join(words_of(name))} " in f" {' '.join(words_of(reply))} "
