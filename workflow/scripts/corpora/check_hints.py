"""Say whether anything written in a corpus hints at a partner.

python workflow/scripts/corpora/check_hints.py data/corpora/A data/corpora/B data/corpora/Livia
"""

import sys
from pathlib import Path

import numpy as np
from veridical.corpora.corpus import Corpus, read_corpus
from veridical.corpora.hints import TEXTS, Hint, partner_hint, telling_words, written
from veridical.corpora.history import History

SEED = 1
FOLDS = 12  # fewer where a life has fewer facts


def measure(corpus: Corpus, shufflings: int) -> dict[str, Hint]:
    """How well each column, and all of them together, foretell the partner."""
    table = corpus.encounters
    return {
        name: partner_hint(
            texts,
            list(table["partner"]),
            np.random.default_rng(SEED),
            strata=list(table["date"].str[:7]),
            folds=min(FOLDS, len(table)),
            shufflings=shufflings,
        )
        for name, texts in written(corpus).items()
    }


def main(folder: Path, *, shufflings: int = 1999) -> int:
    """Print both checks for one corpus. Returns how many words tell a partner."""
    corpus = read_corpus(folder)
    columns = ("topic",) if isinstance(corpus, History) else TEXTS
    telling = telling_words(corpus, columns)  # the text of a life's event says the value itself
    for finding in telling:
        print(f"{folder}: {finding}")
    print(f"{folder}: {len(telling)} telling words")
    for column, hint in measure(corpus, shufflings).items():
        print(
            f"{folder}, {column}: {hint.accuracy:.1%} of partners foretold, "
            f"{hint.expected:.1%} by shuffled ones, p = {hint.p:.3f}"
        )
    return len(telling)


if __name__ == "__main__":
    sys.exit(min(1, sum([main(Path(name)) for name in sys.argv[1:]])))
