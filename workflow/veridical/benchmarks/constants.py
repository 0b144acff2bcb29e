"""What one and the same answer earns, stratum by stratum."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veridical.benchmarks.items import Item
from veridical.benchmarks.wording import plain

HALF = 0.5  # a constant answer that earns more than this wins its stratum


@dataclass(frozen=True)
class Constant:
    """One answer given throughout a stratum: `kind` abstain, place, option or answer; what it is;
    in how many of the items it is right."""

    kind: str
    which: str
    right: int


def constants(items: Sequence[Item], ordered: bool = True) -> list[Constant]:
    """The best constant answer of each kind for these items; kinds that don't apply are left out.

    An option's wording counts where it is offered by every item.
    """
    found = [Constant("abstain", "", sum(each.abstention for each in items))]
    keyed = [each for each in items if each.key is not None]
    if keyed and ordered:
        place, right = Counter(each.key for each in keyed).most_common(1)[0]
        found.append(Constant("place", chr(ord("A") + place), right))
    if keyed:
        offered = set.intersection(*({plain(o) for o in each.options} for each in items))
        right_answers = Counter(plain(each.answer) for each in keyed)
        found += [
            Constant("option", text.strip(), right)
            for text, right in right_answers.most_common()
            if text in offered
        ][:1]
    given = Counter(plain(e.answer) for e in items if not e.options and not e.abstention)
    found += [Constant("answer", text.strip(), n) for text, n in given.most_common(1)]
    return [each for each in found if each.right]


def winning(
    strata: dict[str, Sequence[Item]], alpha: float, ordered: bool = True
) -> Iterator[tuple[str, Constant, float]]:
    """Strata that a constant answer wins, each with the answer and its interval's lower end.

    It wins where Wilson's lower end, at a level that bounds all the strata's answers together by
    `alpha`, lies above one half and above chance.
    """
    from veridical.statistics.intervals import wilson

    tried = {name: constants(items, ordered) for name, items in strata.items()}
    n_tests = sum(map(len, tried.values()))
    for name, found in tried.items():
        items = strata[name]
        bound = max(HALF, sum(each.chance for each in items) / len(items))
        for each in sorted(found, key=lambda constant: -constant.right)[:1]:
            low = wilson(each.right, len(items), 1 - 2 * alpha / n_tests).low
            if low > bound:
                yield name, each, low
