"""Tables made elsewhere, analysed as a program: the same conclusions as in the library."""

import json

import numpy as np
import pandas as pd
import pytest
from support.fixture_claims import DESIGNS
from veridical.claims import analyse
from veridical.claims.product import ROOMS


def given(tmp_path, part: str, studies: int = 3, place: int = -1):
    """A world's tables as files: the part's last, in which there is something to find."""
    world = ROOMS[part].WORLDS[place]
    tables = world.draw(DESIGNS[part], studies, np.random.default_rng(2))
    (tmp_path / "tables").mkdir()
    for name, table in tables.items():
        table.to_csv(tmp_path / f"tables/{name.rpartition('/')[2]}.csv", index=False)
    design = tmp_path / "design.json"
    design.write_text(json.dumps(DESIGNS[part].__dict__, default=list), encoding="utf-8")
    return tables, [part, str(design), str(tmp_path / "tables"), str(tmp_path / "found")]


SCORED, CHOSEN = ("control1", 0), ("control1", -1)  # its first worlds score, its last choose


@pytest.mark.parametrize(
    ("part", "place"), [SCORED, CHOSEN, *((part, -1) for part in ROOMS if part != "control1")]
)
def test_what_a_file_concludes_is_what_the_table_does(part, place, tmp_path):
    tables, arguments = given(tmp_path, part, place=place)
    assert analyse.main(arguments) == 0
    for name, table in ROOMS[part].analyse(tables, DESIGNS[part]).items():
        read = pd.read_csv(tmp_path / f"found/{name.rpartition('/')[2]}.csv")
        assert len(read) == len(table)
        said = next(column for column in ("finding", "verdict") if column in table)
        assert read[said].tolist() == table[said].tolist()


def test_what_is_wrong_is_said_in_a_line(tmp_path, capsys):
    _, arguments = given(tmp_path, "vpe")
    assert analyse.main(["control4", *arguments[1:]]) == 2
    assert "parts are benchmarks, control1" in capsys.readouterr().err
    assert analyse.main(arguments[:2]) == 2
    (tmp_path / "design.json").write_text('{"modles": 2}', encoding="utf-8")
    assert analyse.main(arguments) == 2
    assert "modles" in capsys.readouterr().err
