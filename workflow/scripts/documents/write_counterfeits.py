"""Write counterfeits of a life that no study asks for by itself: by dose, stale, a stranger's.

    python workflow/scripts/documents/write_counterfeits.py data/corpora/Livia out
    python …/write_counterfeits.py data/corpora/Livia out data/corpora/Other

Writes partial-10, partial-30, partial-50 and partial-100, and stale where facts changed; and
adjacent, the other life's document cut to length. Each is held to `fidelity`; what fails is said.
"""

import sys
from pathlib import Path

from veridical.base.files import write_text
from veridical.corpora.corpus import read_corpus
from veridical.corpora.history import History
from veridical.documents.fidelity import fidelity, require_fidelity
from veridical.documents.life_counterfeits import partial, stale, stranger

DOSES = (10, 30, 50, 100)
TOLERANCE = 0.05


def main(folder: Path, out: Path, other: Path | None = None) -> int:
    """Write what can be written, and print why the rest can't. Returns how many there are."""
    life = _life(folder)
    makers = {f"partial-{dose}": lambda dose=dose: partial(life, dose, 1) for dose in DOSES}
    makers["stale"] = lambda: stale(life)
    if other is not None:
        makers["adjacent"] = lambda: stranger(life, _life(other))
    written = 0
    for name, make in makers.items():
        try:
            text = make()
            require_fidelity(fidelity(name, text, life, TOLERANCE))
        except ValueError as error:
            print(f"{name}: {error}")
            continue
        out.mkdir(parents=True, exist_ok=True)
        write_text(out / f"{name}.txt", text + "\n")
        written += 1
    print(f"{written} of {len(makers)} written into {out}")
    return written


def _life(folder: Path) -> History:
    found = read_corpus(folder)
    if not isinstance(found, History):
        raise ValueError(f"{folder}: a corpus of encounters; only a life has such counterfeits")
    return found


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
