"""Cues: what can be answered without any memory, each way of answering beside its own draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from veridical.benchmarks.items import Item
from veridical.benchmarks.partial import Cells, held_out_scores, pick, word_features
from veridical.benchmarks.shuffling import Draws
from veridical.benchmarks.wording import holds, plain, telling, words

RECURRING = 10  # items that must offer an option's wording, or give an answer's, to be looked at
POSITIONS = 10  # options' places that are looked at


@dataclass(frozen=True)
class Cue:
    """One way of answering without memory.

    `places` are the items it was tried on, `earned` what each of them earns by it, in [0, 1];
    `estimate` is their mean on the benchmark's own keys (place 0) and on every draw; `statistic`
    decides, and is the estimate where not given; `which` names what earned most.
    """

    name: str
    places: np.ndarray
    earned: np.ndarray
    estimate: np.ndarray
    statistic: np.ndarray
    which: dict[str, str] = field(default_factory=dict)


def _cue(name: str, places: np.ndarray, earned: np.ndarray, **which: str) -> Cue:
    """A cue from what every item earns in every draw, shape (draws + 1, items)."""
    estimate = earned.mean(axis=1)
    return Cue(name, places, earned[0], estimate, estimate, which)


def _best(name: str, places: np.ndarray, ways: dict[str, np.ndarray], **of: str) -> Cue:
    """The best of several ways, chosen anew in every draw, after allowing for their spread."""
    shares = np.array([earned.mean(axis=1) for earned in ways.values()])
    spread = shares.std(axis=1, keepdims=True)
    scores = (shares - shares.mean(axis=1, keepdims=True)) / np.where(spread > 1e-12, spread, 1)
    chosen = scores.argmax(axis=0)
    way = list(ways)[chosen[0]]
    estimate = np.take_along_axis(shares, chosen[None], axis=0)[0]
    return Cue(name, places, ways[way][0], estimate, scores.max(axis=0), {"way": way, **of})


def position(draws: Draws) -> Iterator[Cue]:
    """Answering one place throughout: in all items, and in the stratum where that earns most."""
    if not len(draws.with_options):
        return
    places = draws.with_options
    highest = min(int(draws.sizes.max()), POSITIONS)
    ways = {chr(ord("A") + k): (draws.keys == k).astype(float) for k in range(highest)}
    yield _best("position", places, ways)
    strata = np.array([draws.items[i].stratum for i in places], dtype=object)
    names = [name for name, n in Counter(strata.tolist()).items() if n >= RECURRING]
    if len(names) < 2:
        return
    best: list[Cue] = []
    for name in names:
        mine = strata == name
        own = {way: earned[:, mine] for way, earned in ways.items()}
        best.append(_best("position_in_stratum", places[mine], own, stratum=str(name)))
    scores = np.array([each.statistic for each in best])
    top = best[int(scores[:, 0].argmax())]
    yield Cue(top.name, top.places, top.earned, top.estimate, scores.max(axis=0), top.which)


def length(draws: Draws) -> Iterator[Cue]:
    """Answering the longest option, or the shortest; options of one length share the point."""
    if not len(draws.with_options):
        return
    ways: dict[str, list[np.ndarray]] = {"longest": [], "shortest": []}
    for column, place in enumerate(draws.with_options):
        lengths = np.array([len(option) for option in draws.items[place].options])
        for way, end in (("longest", lengths.max()), ("shortest", lengths.min())):
            among = (lengths == end) / (lengths == end).sum()
            ways[way].append(among[draws.keys[:, column]])
    yield _best("length", draws.with_options, {w: np.array(e).T for w, e in ways.items()})


def recurring_option(draws: Draws) -> Iterator[Cue]:
    """Answering one wording wherever it is offered ("none of these"), by chance elsewhere."""
    offered: dict[str, list[tuple[int, int]]] = {}
    for column, place in enumerate(draws.with_options):
        for option, text in enumerate(draws.items[place].options):
            offered.setdefault(plain(text), []).append((column, option))
    ways = {}
    for text, where in offered.items():
        if len(where) >= RECURRING and len(dict(where)) == len(where):
            earned = np.broadcast_to(1 / draws.sizes, draws.keys.shape).copy()
            for column, option in where:
                earned[:, column] = draws.keys[:, column] == option
            ways[text.strip()] = earned
    if ways:
        yield _best("recurring_option", draws.with_options, ways)


def in_question(draws: Draws) -> Iterator[Cue]:
    """Answering what the question already says."""
    yield from _options_in_question(draws)
    places = draws.open
    texts = [plain(draws.items[i].question) for i in places]
    answers = [plain(draws.items[i].answer) for i in places]
    said = [telling(draws.items[i].answer) for i in places]
    if not any(said):
        return
    earned = np.array(
        [
            [said[other] and answers[other] in text for text, other in zip(texts, row, strict=True)]
            for row in draws.answers.tolist()
        ],
        dtype=float,
    )
    yield _cue("answer_in_question", places, earned)


def _options_in_question(draws: Draws) -> Iterator[Cue]:
    """Answering the option whose words stand in the question, by chance where none or all do."""
    found = []
    for column, place in enumerate(draws.with_options):
        each = draws.items[place]
        inside = np.array([holds(each.question, option) for option in each.options], dtype=float)
        among = inside / inside.sum() if inside.sum() else np.full(len(inside), 1 / len(inside))
        found.append(among[draws.keys[:, column]])
    if found:
        yield _cue("option_in_question", draws.with_options, np.array(found).T)


def last_session(draws: Draws) -> Iterator[Cue]:
    """Reading the history's last session only, where some session says the answer in its words.

    In a draw another session of the same history, drawn at random, counts as the last.
    """
    places, earned = [], []
    seen: dict[int, str] = {}
    for place, each in enumerate(draws.items):
        if not each.history or len(each.history.sessions) < 2 or not telling(each.answer):
            continue
        answer = plain(each.answer)
        inside = np.array(
            [
                answer in seen.setdefault(id(session), plain(session.text))
                for session in each.history.sessions
            ]
        )
        if inside.any():
            places.append(place)
            earned.append(inside[draws.last[each.history.id]])
    if places:
        yield _cue("last_session", np.array(places), np.array(earned, dtype=float).T)


def option_words(draws: Draws, cells: Cells) -> Iterator[Cue]:
    """Words of the options alone; and with them their length and what they share with the question.

    Each with clusters held out, and with clusters and topics held out.
    """
    places = draws.with_options
    if len(places) < 2 * RECURRING:
        return
    options = [text for i in places for text in draws.items[i].options]
    rows = np.repeat(np.arange(len(places)), draws.sizes)
    by_option = Cells(cells.clusters[places][rows], cells.topics[places][rows])
    place = np.concatenate([np.arange(size) for size in draws.sizes])
    targets = (draws.keys.T[rows] == place[:, None]).astype(np.float32)
    targets -= (1 / draws.sizes)[rows][:, None].astype(np.float32)
    alone = _centred(word_features(options), draws.sizes)
    beside = _centred(_beside_question([draws.items[i] for i in places]), draws.sizes)
    spread = beside.std(axis=0)
    beside = beside / np.where(spread > 0, spread, 1)
    for name, features in (("options", alone), ("both", np.hstack([alone, beside]))):
        if not features.shape[1]:
            continue
        for held, scores in zip(
            ("clusters", "topics"), held_out_scores(features, targets, by_option), strict=True
        ):
            earned = pick(scores, draws.sizes, draws.keys)
            yield _cue(f"{name}_{held}_held_out", places, earned)


def _centred(features: np.ndarray, sizes: np.ndarray) -> np.ndarray:
    """Each option's features less their mean over the item's options."""
    if not features.shape[1]:
        return features
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    means = np.add.reduceat(features, starts, axis=0) / sizes[:, None]
    return (features - np.repeat(means, sizes, axis=0)).astype(np.float32)


def _beside_question(items: Sequence[Item]) -> np.ndarray:
    """For each option: its length in characters (log), and the share of its words, and of its rarer
    words, that the question has."""
    counts = Counter(word for each in items for word in set(words(each.question)))
    rows = []
    for each in items:
        asked = set(words(each.question))
        for option in each.options:
            own = set(words(option))
            weights = {word: 1 / (1 + counts[word]) for word in own}
            total = sum(weights.values()) or 1
            shared = own & asked
            rows.append(
                (
                    np.log1p(len(option)),
                    len(shared) / max(1, len(own)),
                    sum(weights[word] for word in shared) / total,
                )
            )
    return np.array(rows, dtype=np.float32)


def question_words(draws: Draws, cells: Cells) -> Iterator[Cue]:
    """Words of the question alone, telling the right option's place, or an answer given often."""
    yield from _place_by_question(draws, cells)
    yield from _answer_by_question(draws, cells)


def _place_by_question(draws: Draws, cells: Cells) -> Iterator[Cue]:
    places = draws.with_options
    if len(places) < 2 * RECURRING or draws.sizes.max() > POSITIONS:
        return
    features = word_features([draws.items[i].question for i in places])
    if not features.shape[1]:
        return
    features -= features.mean(axis=0)
    highest = int(draws.sizes.max())
    targets = np.stack([(k == draws.keys.T) for k in range(highest)], axis=1).astype(np.float32)
    targets -= targets.mean(axis=0)  # a place that is right more often is another check's
    valid = np.arange(highest)[None] < draws.sizes[:, None]
    flat = targets.reshape(len(places), -1)
    for held, scores in zip(
        ("clusters", "topics"), held_out_scores(features, flat, cells.at(places)), strict=True
    ):
        earned = pick(scores.reshape(targets.shape)[valid], draws.sizes, draws.keys)
        yield _cue(f"question_{held}_held_out", places, earned)


def _answer_by_question(draws: Draws, cells: Cells) -> Iterator[Cue]:
    places = draws.open
    answers = np.array([plain(draws.items[i].answer) for i in places], dtype=object)
    frequent = [text for text, n in Counter(answers.tolist()).most_common(10) if n >= RECURRING]
    if len(frequent) < 2:
        return
    features = word_features([draws.items[i].question for i in places])
    features = np.hstack([features, np.ones((len(places), 1), np.float32)])
    code = np.array([frequent.index(a) if a in frequent else -1 for a in answers])
    classes = code[draws.answers]  # draws, items
    targets = np.stack([k == classes.T for k in range(len(frequent))], axis=1).astype(np.float32)
    flat = targets.reshape(len(places), -1)
    for held, scores in zip(
        ("clusters", "topics"), held_out_scores(features, flat, cells.at(places)), strict=True
    ):
        chosen = scores.reshape(targets.shape).argmax(axis=1).T
        yield _cue(f"answer_{held}_held_out", places, (chosen == classes).astype(float))


def abstention_words(draws: Draws, cells: Cells) -> Iterator[Cue]:
    """Words of the question telling that it can't be answered.

    As many items are called unanswerable as are; what is earned is how many of those called are.
    """
    own = draws.abstentions[0]
    n = int(own.sum())
    if min(n, len(own) - n) < RECURRING:
        return
    features = word_features([each.question for each in draws.items])
    if not features.shape[1]:
        return
    features -= features.mean(axis=0)
    targets = draws.abstentions.T.astype(np.float32)
    targets -= targets.mean(axis=0)
    for held, scores in zip(
        ("clusters", "topics"), held_out_scores(features, targets, cells), strict=True
    ):
        called = np.argsort(-scores.T, axis=1, kind="stable")[:, :n]
        right = np.take_along_axis(draws.abstentions, called, axis=1).astype(float)
        yield Cue(
            f"abstention_{held}_held_out",
            called[0],
            right[0],
            right.mean(axis=1),
            _order(scores.T, draws.abstentions),
        )


def _order(scores: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """The share of pairs of items, one labelled and one not, that the scores put in order."""
    from scipy.stats import rankdata

    ranks = rankdata(scores, axis=1)
    n = labels.sum(axis=1)
    rest = labels.shape[1] - n
    return ((ranks * labels).sum(axis=1) - n * (n + 1) / 2) / (n * rest)
