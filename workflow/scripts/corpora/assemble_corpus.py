"""Assemble a demonstration corpus from its hand-written life: draw dates, partners and memory.

    python workflow/scripts/corpora/assemble_corpus.py data/corpora/A data/corpora/B

`life.txt` holds the writing: under each month, encounters in the order they happened, each as
three lines (topic, note, text). Nothing there names a partner. Partners are drawn afterwards, from
the seed in `seed.txt`, six a month for each of the two, so no topic can hint at one; dates are
distinct days of the month; the memory block is drawn fifteen a partner, close to its length: that
of the study repeated here, or `characters` in `life.yaml`.
Writes encounters.csv, memory_block.txt and vocabulary.csv beside it, the same bytes every time.
"""

import calendar
import csv
import random
import re
import sys
from pathlib import Path

from veridical.base.yaml_files import read_words
from veridical.corpora.corpus import ENCOUNTER_COLUMNS, VOCABULARY_COLUMNS, render_entry

BLOCK_LENGTH = 5332  # characters: the memory block of the study that this one repeats
DRAWS = 20_000  # before a block of that length is given up
SLACK = 12  # how far from it a drawn block may be
PER_MONTH = (2, 3)  # remembered encounters of a month, in turn: thirty in twelve months


def read_life(path: Path) -> list[dict[str, str]]:
    """The encounters as written: month, topic, note, text; braces mark what can be swapped."""
    encounters, month = [], ""
    for block in path.read_text(encoding="utf-8").strip().split("\n\n"):
        lines = block.strip().split("\n")
        if lines[0].startswith("# "):
            month = lines.pop(0)[2:].strip()
            if not lines:
                continue
        if len(lines) != 3:
            raise ValueError(f"{path}: an encounter is topic, note and text, not {lines}")
        encounters.append(dict(zip(("topic", "note", "text"), lines, strict=True), month=month))
    return encounters


def lower(term: str) -> str:
    """The term as it stands within a sentence: `The bell` and `the bell` are one thing."""
    return re.sub(r"^(The|A|An)\b", lambda article: article[0].lower(), term)


def draw_dates(encounters: list[dict[str, str]], chance: random.Random) -> None:
    """Give each encounter its own weekday of its month, in the order written."""
    for month in dict.fromkeys(row["month"] for row in encounters):
        rows = [row for row in encounters if row["month"] == month]
        year, number = map(int, month.split("-"))
        days = range(1, calendar.monthrange(year, number)[1] + 1)
        weekdays = [day for day in days if calendar.weekday(year, number, day) < 5]
        for row, day in zip(rows, sorted(chance.sample(weekdays, len(rows))), strict=True):
            row["date"] = f"{month}-{day:02d}"


def draw_partners(
    encounters: list[dict[str, str]], partners: list[str], chance: random.Random
) -> None:
    """Give each month the same number of encounters with every partner, in random order."""
    for month in dict.fromkeys(row["month"] for row in encounters):
        rows = [row for row in encounters if row["month"] == month]
        drawn = partners * (len(rows) // len(partners))
        chance.shuffle(drawn)
        for row, partner in zip(rows, drawn, strict=True):
            row["partner"] = partner


def draw_memory(
    encounters: list[dict[str, str]], line: str, chance: random.Random, characters: int
) -> list[int]:
    """Draw which encounters are remembered, again and again until the block has its length."""
    months = list(dict.fromkeys(row["month"] for row in encounters))
    partners = sorted({row["partner"] for row in encounters})
    for _ in range(DRAWS):
        chosen: list[int] = []
        for index, month in enumerate(months):
            rows = [i for i, row in enumerate(encounters) if row["month"] == month]
            chosen += chance.sample(rows, PER_MONTH[index % len(PER_MONTH)])
        counts = {sum(encounters[i]["partner"] == p for i in chosen) for p in partners}
        length = sum(len(render_entry(line, encounters[i])) + 1 for i in chosen) - 1
        if len(counts) == 1 and abs(length - characters) <= SLACK:
            return sorted(chosen)
    raise ValueError(
        f"no memory block of about {characters:,} characters in {DRAWS:,} draws; set `characters` "
        "in life.yaml nearer to thirty entries of this life"
    )


def write_csv(path: Path, columns: tuple[str, ...], rows: list[dict[str, str]]) -> None:
    """Write rows with Unix line ends."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)


def main(folder: Path, out: Path) -> None:
    """Assemble the corpus whose life and settings lie in `folder` into `out`."""
    settings, terms = (read_words(folder / name) for name in ("corpus.yaml", "life.yaml"))
    encounters = read_life(folder / "life.txt")
    chance = random.Random(int(terms["seed"]))
    draw_dates(encounters, chance)
    draw_partners(encounters, settings["partners"], chance)
    length = int(terms.get("characters", BLOCK_LENGTH))
    remembered = set(draw_memory(encounters, settings["line"], chance, length))
    things = []
    for index, row in enumerate(encounters):
        row["encounter_id"] = f"{folder.name}-{index + 1:03d}"
        row["in_memory"] = "true" if index in remembered else "false"
        things += [lower(term) for term in re.findall(r"\{([^{}]+)\}", row["text"])]
        row["text"] = re.sub(r"[{}]", "", row["text"])
    vocabulary = [
        {"kind": kind, "term": term}
        for kind, listed in [*terms["vocabulary"].items(), ("thing", sorted(set(things)))]
        for term in listed
    ]
    write_csv(out / "encounters.csv", ENCOUNTER_COLUMNS, encounters)
    write_csv(out / "vocabulary.csv", VOCABULARY_COLUMNS, vocabulary)
    block = [render_entry(settings["line"], encounters[i]) for i in sorted(remembered)]
    text = "".join(f"{entry}\n" for entry in block)
    (out / "memory_block.txt").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        main(Path(name), Path(name))
