"""Cues that are learned: what the words of options or questions tell, scored on held-out items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from veridical.benchmarks.cues import POSITIONS, RECURRING, Cue, cue_of
from veridical.benchmarks.items import Item
from veridical.benchmarks.partial import Cells, held_out_scores, pick, word_features
from veridical.benchmarks.shuffling import Draws
from veridical.benchmarks.wording import plain, words


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
            yield cue_of(f"{name}_{held}_held_out", places, earned)


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
        yield cue_of(f"question_{held}_held_out", places, earned)


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
        yield cue_of(f"answer_{held}_held_out", places, (chosen == classes).astype(float))


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
