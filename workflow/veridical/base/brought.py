"""Tables that a study brings finished: what they say of the config, read before it is checked.

A part that brings its answers or verdicts asks nobody. Whom they are from, on which metric and in
which corpus, the table itself says, so the config need not; what it says all the same must agree.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veridical.base.yaml_files import NOTHING

if TYPE_CHECKING:
    import pandas as pd

UNNAMED = "unnamed"  # who answered, or in which corpus, where a brought table is silent
#: By part and key of a table: which keys of the part its columns fill.
FILLED = {
    "control1": {"verdicts_csv": {"judges": "judge", "metrics": "metric"}},
    "control2": {"answers_csv": {"responders": "model"}},
    "control3": {"answers_csv": {"responders": "model", "corpora": "corpus"}},
}
#: By part: what it needs, where no table makes up for it.
NEEDED = {
    "control1": ("corpora", "responders", "judges"),
    "control2": ("corpora", "responders"),
    "control3": ("corpora", "responders"),
}
#: By part and table: which of these it makes up for.
SPARED = {
    "control1": {"verdicts_csv": NEEDED["control1"], "responses_csv": ("responders",)},
    "control2": {"answers_csv": NEEDED["control2"]},
    "control3": {"answers_csv": NEEDED["control3"]},
}
#: What stands beside the design and needs models; a part that brings its answers has none of it.
BESIDE = {"control3": {"forced": False, "reversed": False, "noticing": {"probes": 0}}}


def bring(config: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """A config with what its own tables say filled in, and what is wrong, a sentence each."""
    config, problems = listed(config)
    for part, needed in NEEDED.items():
        given = config.get(part)
        if not isinstance(given, Mapping):
            continue
        spared = {key for name, keys in SPARED[part].items() if given.get(name) for key in keys}
        problems += [f"{part}/{key}: missing" for key in needed if key not in {*given, *spared}]
        for name, columns in FILLED[part].items():
            if isinstance(given.get(name), str):
                found, wrong = _filled(given, f"{part}/{name}", columns)
                config[part] = {**BESIDE.get(part, {}), **given, **found}
                problems += wrong
    return config, problems


def listed(config: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """A config whose Control 2 has a list of corpora, where it names one alone; and what is wrong.

    >>> listed({"control2": {"corpus": "A", "probes": 24}})
    ({'control2': {'probes': 24, 'corpora': ['A']}}, [])
    """
    given = config.get("control2")
    if not isinstance(given, Mapping) or "corpus" not in given:
        return dict(config), []
    rest = {key: value for key, value in given.items() if key != "corpus"}
    if given["corpus"] is None or given["corpus"] in NOTHING:
        return {**config, "control2": rest}, []
    if "corpora" in given:
        return {**config, "control2": rest}, [
            f"control2/corpus: {given['corpus']!r}, and control2/corpora is there too: name all "
            "corpora under corpora"
        ]
    if isinstance(given["corpus"], list | tuple):
        return {**config, "control2": rest | {"corpora": given["corpus"]}}, [
            "control2/corpus: it is one name; a list of corpora stands under control2/corpora"
        ]
    return {**config, "control2": rest | {"corpora": [given["corpus"]]}}, []


def _filled(
    given: Mapping[str, Any], where: str, columns: Mapping[str, str]
) -> tuple[dict[str, list[str]], list[str]]:
    """What a table's columns fill, and where the config says something else."""
    path = given[where.rpartition("/")[2]]
    found, problems = {}, []
    for key, column in columns.items():
        try:
            found[key] = values(path, column)
        except OSError as error:
            return {}, [f"{where}: no file {str(path)!r} can be read ({error.strerror})"]
        except ValueError as error:
            problems.append(f"{where}: {error}")
            continue
        said = given.get(key)
        if said is not None and (not isinstance(said, list) or {*map(str, said)} != {*found[key]}):
            problems.append(
                f"{where.partition('/')[0]}/{key}: {said!r}, and {path} has {found[key]}: "
                "leave the key out, or bring the table that belongs to it"
            )
    return found, problems


def values(path: Path | str, column: str) -> list[str]:
    """What a column of a CSV file holds, each value once, in order of appearance.

    Raises ValueError naming file and column where there is no such column or nothing in it, or the
    file is no table in UTF-8.
    """
    names, rows = _rows(path)
    if len(names) == 1 and (parted := {*names[0]} & {";", "\t"}):
        raise ValueError(f"{path}: cells are parted by {parted.pop()!r}; save it with commas")
    if column not in names:
        there = f"it has {', '.join(names)}" if names else "it is empty"
        raise ValueError(f"{path} has no column {column!r}; {there}")
    found = list(dict.fromkeys(row[column] for row in rows if row[column]))
    if not found:
        raise ValueError(f"{path} has no row that says a {column}")
    return found


def corpora_in(part: Mapping[str, Any]) -> list[str]:
    """The corpora that a part's settings name: those of a list, or the one.

    >>> corpora_in({"corpora": ["A", "B"]}), corpora_in({"corpus": "A"}), corpora_in({})
    (['A', 'B'], ['A'], [])
    """
    one = part.get("corpus")
    named = part.get("corpora") or ([] if one is None else [one])
    return list(named) if isinstance(named, list | tuple) else [str(named)]


def _rows(path: Path | str) -> tuple[list[str], list[dict[str, str]]]:
    """A CSV file's header and rows. Raises ValueError where it is none, or not in UTF-8."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as lines:
            rows = csv.DictReader(lines)
            return list(rows.fieldnames or []), list(rows)
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not UTF-8; save the table in that encoding") from None
    except csv.Error as error:
        raise ValueError(f"{path}: no CSV table ({error})") from None


def brought(config: Mapping[str, Any], part: str) -> bool:
    """Whether a part brings what others ask models for: nobody is asked, nothing is prepared."""
    given = config.get(part, {})
    return any(given.get(name) for name in FILLED.get(part, {}))


#: By part: the settings that decide something although its table was brought.
READ = {
    "control1": ("equivalence_bound", "registered", "resamples", "omit_incomplete"),
    "control2": ("validity",),
    "control3": (),
}


#: Settings of Control 1 that decide something for one kind of pairs alone.
OF_PAIRS = {
    "preference_margin": "direct",
    "equivalence_bound": "anchored",
    "registered": "anchored",
    "resamples": "anchored",
}


def idle(config: Mapping[str, Any], path: str) -> bool:
    """Whether a setting, by its path, decides nothing: its part brought what it would be asked, or
    the study's pairs are of the other kind."""
    part, _, rest = path.partition("/")
    if part == "control1" and rest in OF_PAIRS and not brought(config, part):
        return config[part].get("pairs", "anchored") != OF_PAIRS[rest]
    if part == "documents":
        controls = [name for name in FILLED if name in config]
        return bool(controls) and all(brought(config, name) for name in controls)
    return brought(config, part) and rest.partition("/")[0] not in READ[part]


def whose(
    table: pd.DataFrame, path: Path, part: str, declared: Mapping[str, tuple[str, Sequence[str]]]
) -> pd.DataFrame:
    """A table that the study brings, with whose rows they are: what it says, else the config's one.

    `declared` has, by column, the key of the part and the names that it has there. Where neither
    says one, it is `UNNAMED`. Raises ValueError where the config has several and the table doesn't
    say which, or the table names others.
    """
    for column, (key, names) in declared.items():
        if column not in table:
            if len(names) > 1:
                raise ValueError(
                    f"{path} has no column {column!r}, and {part}/{key} has {len(names)}: "
                    "say of every row which it is about"
                )
            table = table.assign(**{column: (list(names) or [UNNAMED])[0]})
        if empty := [row for row, name in enumerate(table[column], start=2) if name == ""]:
            raise ValueError(
                f"{path}, row {empty[0]}, column {column}: missing; say it in every row, or leave "
                "the column out"
            )
        strange = sorted(set(table[column].dropna()) - set(names or table[column].dropna()))
        if strange:
            raise ValueError(
                f"{path}, column {column}: {', '.join(strange)}, and {part}/{key} has "
                f"{', '.join(names)}"
            )
    return table


def filled_keys(config: Mapping[str, Any]) -> Iterator[str]:
    """The keys whose names are a table's own: neither models nor corpora of the config."""
    for part, tables in FILLED.items():
        for name, columns in tables.items():
            if config.get(part, {}).get(name):
                yield from (f"{part}/{key}" for key in columns)


#: In the place of a number of partners: the probes ask for some more often than for others, or the
#: answers are about a document in which values traded places, so that chance is reckoned from the
#: counts and is not one in k (`documents.corrupted.COUNTED`).
UNEVEN = 0
EXCHANGED = "binding-corrupted"  # of more than two partners, a document that only a life has


def partners_in(path: Path | str) -> dict[str, int]:
    """How many partners each corpus of a table of Control 3's answers has, by its true ones.

    `UNEVEN` where they aren't the answer to as many probes each, or a life's document is named.
    """
    exchanged = {row.get("corpus") for row in _rows(path)[1] if row.get("document") == EXCHANGED}
    found = {}
    for corpus, counts in margins_in(path).items():
        uneven = len({*counts}) > 1 or (len(counts) > 2 and corpus in exchanged)
        found[corpus] = UNEVEN if uneven else max(2, len(counts))
    return found


def margins_in(path: Path | str) -> dict[str, tuple[int, ...]]:
    """To how many probes each partner is the answer, by corpus, the most frequent first."""
    truths: dict[str, dict[str, str]] = {}
    for number, row in enumerate(_rows(path)[1]):
        corpus, partner = row.get("corpus"), row.get("true_partner")
        if corpus and partner:
            probe = row.get("probe_id") or str(number)
            truths.setdefault(corpus, {})[probe] = partner
    return {
        corpus: tuple(sorted(Counter(own.values()).values(), reverse=True))
        for corpus, own in truths.items()
    }
