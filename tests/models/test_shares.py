"""Which model's job goes first, and what it claims of the machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from veridical.models.shares import MOST, ranks, share

HEAD = "model,file,bytes,sha256,licence,url,carriers\n"


def table(folder: Path, sizes: dict[str, int]) -> Path:
    path = folder / "weights.csv"
    path.write_text(HEAD + "".join(f"{name},f,{size},,,,\n" for name, size in sizes.items()))
    return path


def embedded(*names: str) -> dict[str, dict[str, str]]:
    return {name: {"provider": "embedded", "model": name} for name in names}


def test_the_demonstrations_models_are_ranked_by_their_weights():
    """98 MB, 491 MB, 1,117 MB: by size, not by their place in the config or their names."""
    models = {
        "large": {"provider": "embedded", "model": "qwen2.5-coder-1.5b-instruct-q4_k_m"},
        "small": {"provider": "embedded", "model": "SmolLM2-135M-Instruct.Q4_1"},
        "middle": {"provider": "embedded", "model": "qwen2.5-coder-0.5b-instruct-q4_k_m"},
    }
    root = Path(__file__).parents[2]
    assert ranks(models, root / "data/weights.csv") == {"large": 3, "small": 1, "middle": 2}


def test_whose_size_is_unknown_comes_last(tmp_path):
    """A server's model may have the name of weights that are here; ours may be in no table yet."""
    models = embedded("a", "mine") | {"there": {"provider": "openai", "model": "a"}}
    assert ranks(models, table(tmp_path, {"a": 7})) == {"a": 1, "mine": 0, "there": 0}


def test_one_file_under_two_names_is_one_size(tmp_path):
    models = embedded("a", "b") | {"again": {"provider": "embedded", "model": "a"}}
    assert ranks(models, table(tmp_path, {"a": 7, "b": 8})) == {"a": 1, "b": 2, "again": 1}


@given(sizes=st.lists(st.integers(1, 10**12), min_size=1, max_size=30, unique=True))
def test_a_rank_has_one_digit_and_follows_the_size(sizes, tmp_path_factory):
    names = {f"m{i}": size for i, size in enumerate(sizes)}
    found = ranks(embedded(*names), table(tmp_path_factory.mktemp("t"), names))
    ordered = [found[name] for name in sorted(names, key=names.__getitem__)]
    assert ordered == sorted(ordered)
    assert ordered[0] == 1
    assert max(ordered) <= MOST <= 9


def test_a_missing_table_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"weights\.csv"):
        ranks({}, tmp_path / "weights.csv")


@pytest.mark.parametrize(
    ("cores", "machine", "claim"),
    [
        (1, 2, 1),  # one job at a time
        (2, 2, 1),  # two jobs of one
        (8, 2, 3),  # two of 3, and 2 left for what needs no model
        (4, 2, 2),
        (8, 8, 1),
        (16, 4, 4),  # four of 4: of 3 there would be five
        (2, 64, 1),
    ],
)
def test_what_a_job_claims(cores, machine, claim):
    assert share(cores, machine) == claim


@given(cores=st.integers(1, 300), machine=st.integers(1, 300))
def test_no_more_jobs_than_cores_and_no_claim_larger_than_that_takes(cores, machine):
    claim = share(cores, machine)
    assert 1 <= claim <= cores
    assert cores // claim <= machine
    assert claim == 1 or cores // (claim - 1) > machine
