"""The same rollouts under several mode maps: which model comes first, and whether maps agree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from veridical.vpe.leads import corrected
from veridical.vpe.measures import CELL, bootstrap_means, measure_problems
from veridical.vpe.modes import ModeMap

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
