"""The columns that several tables of answers share, and what each of these tables adds."""

from __future__ import annotations

import pandas as pd
import pytest
from veridical.base.columns import difference
from veridical.base.contract import Contract
from veridical.base.tables import as_agreed
from veridical.choices.columns import answered
from veridical.control3 import tables as control3
from veridical.memories import tables as memories

BLOCK = ["state", "answer", "true_partner", "document_partner", "correct", "first_option"]


def test_three_tables_have_the_same_block():
    for contract, more in ((control3.ANSWERS, []), (memories.ANSWERS, []),
                           (control3.BESIDE, ["document_partner"])):  # fmt: skip
        names = [name for name in contract.names if name in BLOCK]
        assert names == [name for name in BLOCK if name not in more], contract.name


def test_a_state_of_its_own_is_allowed_where_a_table_has_one():
    row = {name: [None] for name in BLOCK} | {"true_partner": ["Al"], "first_option": ["Al"]}
    row["state"] = ["flagged"]
    with_one, without = Contract("t/x", "", *answered("flagged")), Contract("t/x", "", *answered())
    assert list(as_agreed(pd.DataFrame(row), with_one)["state"]) == ["flagged"]
    with pytest.raises(ValueError, match="flagged"):
        as_agreed(pd.DataFrame(row), without)


@pytest.mark.parametrize(("value", "fits"), [(-1.0, True), (1.0, True), (1.01, False)])
def test_a_difference_of_shares_lies_between_minus_one_and_one(value, fits):
    table = Contract("t/gap", "", difference("gap", "right with less right without"))
    rows = pd.DataFrame({"gap": [value]})
    if fits:
        assert as_agreed(rows, table)["gap"].iloc[0] == value
    else:
        with pytest.raises(ValueError, match="gap"):
            as_agreed(rows, table)
    assert table.columns[0].unit == "difference of shares"
