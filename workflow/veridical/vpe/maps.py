"""The same rollouts under several mode maps: which model comes first, and whether maps agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import pandas as pd

from veridical.vpe.leads import corrected, upper
from veridical.vpe.measures import CELL, bootstrap_means, measure_problems
from veridical.vpe.modes import ModeMap
from veridical.vpe.paired import MARGINS, Ends, Margins, settled, tested
from veridical.vpe.tables import MAP_CONTRASTS

REGISTERED = "modes"  # the name of the registered map, its key in the config
MEANS = ("n_modes", "mode_entropy", "mode_entropy_chao_shen", "smoothed_vpe", "corrected")
ENDS = ("mode_entropy", "smoothed_vpe")


def named_maps(
    registered: Mapping[str, Any] | None, others: Mapping[str, Mapping[str, Any]]
) -> dict[str, ModeMap]:
    """The registered map and the others by name, the registered one first.

    Raises ValueError naming the map where one can't be, has the registered one's name, or has the
    same bins as one before it.
    """
    maps = {REGISTERED: ModeMap.from_config(registered)}
    for name, entry in others.items():
        if name in maps:
            raise ValueError(f"vpe.maps: {name!r} is the registered map's name; choose another")
        try:
            own = ModeMap.from_config(entry)
        except ValueError as error:
            raise ValueError(f"vpe.maps.{name}: {error}") from None
        same = next((known for known, each in maps.items() if _bins(each) == _bins(own)), None)
        if same is not None:
            raise ValueError(f"vpe.maps.{name} has the same bins as {same!r}: nothing is compared")
        maps[name] = own
    return maps


def _bins(modes: ModeMap) -> tuple[Any, ...]:
    return (tuple(modes.length_edges), modes.equations_cap, modes.operators)


def remapped(rollouts: pd.DataFrame, modes: ModeMap) -> pd.DataFrame:
    """The rollouts with the mode that another map gives each verified one, missing elsewhere."""
    verified = rollouts["verified"].fillna(False).astype(bool)
    named = rollouts.loc[verified, "text"].map(lambda text: str(modes(text)))
    return rollouts.assign(mode=named.reindex(rollouts.index))


def compare_maps(
    rollouts: pd.DataFrame,
    maps: Mapping[str, ModeMap],
    smoothing: float,
    *,
    seed: int,
    resamples: int,
) -> pd.DataFrame:
    """Each map's means over problems in every cell, and each model's place under that map.

    `rollouts` has the columns of `tables.ROLLOUTS`; the first map is the registered one. Columns:
    map, registered, model, horizon, preset, n_problems, `MEANS` (n_modes is the mean number of
    distinct verified modes a problem; corrected as in `leads.leads`), `_low` and `_high` of `ENDS`
    (95 %, bootstrap over problems), place (1 is the highest corrected VPE at that horizon and
    preset; equals share the better place).
    """
    rows = []
    for name, modes in maps.items():
        problems = measure_problems(remapped(rollouts, modes), smoothing)
        problems = problems.assign(corrected=corrected(problems))
        for key, group in problems.groupby(CELL, sort=False, observed=True):
            row = {"map": name, "registered": name == next(iter(maps))}
            row |= dict(zip(CELL, key, strict=True)) | {"n_problems": len(group)}
            values = group[list(MEANS)].to_numpy(dtype=float)
            means = bootstrap_means(values, seed, resamples, 0.95)
            for measure, (mean, low, high) in zip(MEANS, means, strict=True):
                row[measure] = mean
                if measure in ENDS:
                    row |= {f"{measure}_low": low, f"{measure}_high": high}
            rows.append(row)
    table = pd.DataFrame(rows)
    rounded = table["corrected"].round(9)  # so that equal sums in another order share a place
    by = [table[name] for name in ("map", "horizon", "preset")]
    table["place"] = rounded.groupby(by).rank(method="min", ascending=False).astype(int)
    return table


def first_by_map(table: pd.DataFrame, horizon: int, preset: str) -> dict[str, str]:
    """Which model comes first under each map; a map under which several do is left out."""
    rows = table[(table["horizon"] == horizon) & (table["preset"] == preset)]
    first = rows[rows["place"] == 1].drop_duplicates("map", keep=False)
    return dict(zip(first["map"], first["model"], strict=True))


def contrast_models(
    rollouts: pd.DataFrame,
    maps: Mapping[str, ModeMap],
    smoothing: float,
    margins: Margins = MARGINS,
) -> pd.DataFrame:
    """Which of two models keeps more verified ways open, under every map: `map_findings`, of the
    first preset's rollouts."""
    main = rollouts[rollouts["preset"] == rollouts["preset"].iloc[0]]
    sides = [
        measure_problems(remapped(main, modes), smoothing).assign(map=name)
        for name, modes in maps.items()
    ]
    sizes = {name: modes.size for name, modes in maps.items()}
    found = map_findings(pd.concat(sides, ignore_index=True), sizes, margins.nats)
    return found.reindex(columns=MAP_CONTRASTS.names)  # none where there is one model


def map_findings(
    problems: pd.DataFrame,
    sizes: Mapping[str, int | None],
    margin: float,
    by: Sequence[str] = (),
) -> pd.DataFrame:
    """Every two models' difference in VPE under every map, paired by problem.

    VPE lies between the plug-in's and `leads.upper`. `problems` are `measure_problems`' with a
    column map; `sizes` are how many modes each map can tell apart, None where there is no end.
    Columns: `by`, map, horizon, first, second, estimate (first less second, corrected as in
    `leads`), margin, `paired.TESTED` and what `paired.settled` adds; finding is `no bound` where
    modes have no end.

    Raises ValueError naming the problems that only one of two models has.
    """
    keys, rows, endless = [*by, "map", "horizon"], [], []
    sides = problems.assign(corrected=corrected(problems))
    for key, group in sides.groupby(keys, sort=False, observed=True):
        size = sizes[key[-2]]
        own = {
            model: side.set_index("problem_id")
            for model, side in group.groupby("model", sort=False, observed=True)
        }
        for first, second in combinations(own, 2):
            pair = _paired((first, second), own[first], own[second])
            head = dict(zip(keys, key, strict=True)) | {"first": first, "second": second}
            gap = pair[0]["corrected"] - pair[1]["corrected"]
            head |= {"estimate": float(gap.mean()), "margin": margin}
            if size is None:
                endless.append(head | {"n_tested": 0, "finding": "no bound"})
            else:
                rows.append(head | tested(_ends(*pair, size), margin))
    found = settled(pd.DataFrame(rows), by) if rows else pd.DataFrame()
    return pd.concat([found, pd.DataFrame(endless)], ignore_index=True)


def _ends(first: pd.DataFrame, second: pd.DataFrame, modes: int) -> Ends:
    """The least and most that the first model's VPE could lie above the second's."""
    one, other = (side["smoothed_vpe"].to_numpy(dtype=float) for side in (first, second))
    return Ends(one - upper(second, modes), upper(first, modes) - other)


def _paired(
    names: tuple[str, str], first: pd.DataFrame, second: pd.DataFrame
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Both sides, the problems in one order."""
    alone = set(first.index) ^ set(second.index)
    if alone:
        told = ", ".join(sorted(alone)[:5])
        raise ValueError(f"{names[0]} against {names[1]}: only one of them has {told}")
    return first, second.loc[first.index]
