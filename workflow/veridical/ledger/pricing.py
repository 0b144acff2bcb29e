"""What a call costs, by a dated table of prices that whoever spends money must check first."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from pathlib import Path

from veridical.base.network import is_here
from veridical.models.exchange import Call, Model
from veridical.models.limits import likely_input, most_input, most_output

PRICES = Path("data/prices.csv")
# They run here; a command, or a program with a memory system, may tell what it paid.
OWN = {"embedded", "command", "scripted", "memory"}
DEFAULT = {"ollama": "http://localhost:11434"}  # where a provider is found that is told no address
_CLOUD = re.compile(r"[:-]cloud$")  # a model that Ollama hands on to its own machines
_DATE = re.compile(r"[-@](\d{4}-?\d{2}-?\d{2}|latest)$")


@dataclass(frozen=True)
class Price:
    """US dollars for a million tokens read (`input`) and written (`output`).

    `batch` is the share of it that a batch API asks; `dated` says when the price was read,
    `source` where it is published, `checked` whether it was read there.
    """

    input: float
    output: float
    batch: float = 1.0
    dated: str = ""
    source: str = ""
    checked: str = ""

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """US dollars for so many tokens.

        >>> Price(2.0, 8.0).cost(1_000_000, 500_000)
        6.0
        """
        return (prompt_tokens * self.input + completion_tokens * self.output) / 1e6

    def spent(
        self, prompt_tokens: int | None, completion_tokens: int | None, paid: float = 0.0
    ) -> float | None:
        """US dollars that an exchange cost: by its tokens, and no less than a program says it paid.

        None where that hangs on tokens which were not told. A batch API's share is not taken off.

        >>> FREE.spent(None, None, paid=0.3), Price(2.0, 8.0).spent(None, 7)
        (0.3, None)
        """
        if self != FREE and None in (prompt_tokens, completion_tokens):
            return None
        return max(paid, self.cost(prompt_tokens or 0, completion_tokens or 0))


FREE = Price(0.0, 0.0)


class Prices:
    """A table of prices, by provider and model.

    Raises ValueError naming file, line and column where the table is malformed.
    """

    def __init__(self, path: Path | str = PRICES):
        self.path = Path(path)
        self._table: dict[tuple[str, str], Price] = {}
        with open(path, encoding="utf-8-sig", newline="") as lines:
            for number, row in enumerate(csv.DictReader(lines), start=2):
                where = f"{path}, line {number}"
                try:
                    key = row["provider"], row["model"]
                    numbers = [float(row[name]) for name in ("input", "output", "batch")]
                    price = Price(*numbers, row["dated"], row["source"], row["checked"])
                except KeyError as error:
                    raise ValueError(f"{where}: column {error} is missing") from None
                except (TypeError, ValueError) as error:
                    raise ValueError(f"{where}: no price ({error})") from None
                if min(numbers) < 0 or key in self._table:
                    fault = "a negative price" if min(numbers) < 0 else "a second price for"
                    raise ValueError(f"{where}: {fault} {'/'.join(key)}")
                self._table[key] = price

    def of(self, provider: str, model: str, base_url: str | None = None) -> Price | None:
        """The price of a model, dated snapshots by their undated name; None where unknown.

        One without a price is free where it runs on this machine, and there alone: a gateway with
        an address of its own sends a bill, and so does Ollama for the models in its cloud.
        """
        undated = _DATE.sub("", model)
        found = self._table.get((provider, model)) or self._table.get((provider, undated))
        return found or (FREE if runs_here(provider, model, base_url) else None)

    def needed(self, model: Model) -> Price:
        """The price of a model; raises ValueError saying what to add where it is unknown."""
        price = self.of(model.provider, model.model, model.base_url)
        if price is None:
            raise ValueError(
                f"{self.path} has no price for {model.provider}/{model.model}, and a budget in "
                "money can't be kept without one: add a line to it, with date and source (a price "
                "of 0 where nobody sends a bill)"
            )
        return price


def runs_here(provider: str, model: str, base_url: str | None) -> bool:
    """Whether a model is served by this machine itself, as far as its address and name tell."""
    if provider in OWN:
        return True
    address = base_url or DEFAULT.get(provider, "")
    if provider == "ollama" and _CLOUD.search(model):
        return False
    try:
        return is_here(address)
    except ValueError:  # no address: the provider will say so
        return False


def most_cost(call: Call, price: Price) -> float:
    """The most that a call can cost: prompt guessed high, reply at its token limit."""
    return price.cost(most_input(call), most_output(call))


def likely_cost(call: Call, price: Price, *, completion_tokens: int | None = None) -> float:
    """What a call is likely to cost, with a reply of so many tokens or else at its limit."""
    written = most_output(call) if completion_tokens is None else completion_tokens
    return price.cost(likely_input(call), written)
