"""What collecting will take, before anything is spent: calls, tokens, cost of each collection.

Where a prompts file is written already it is walked through call by call, beside the ledger; where
it can't be yet, because it is made from replies, its calls are counted from the config.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from veridical.base.terminal import columns
from veridical.ledger.ledger import Ledger
from veridical.ledger.pricing import Prices
from veridical.ledger.task import Task, held
from veridical.models.asks import Ask
from veridical.models.exchange import Call, Raw, Reply
from veridical.models.lengths import likely_output, likely_seconds
from veridical.models.limits import likely_input, most_output
from veridical.models.prompts import iterate_prompts


@dataclass(frozen=True)
class Estimate:
    """Calls of one collection and model, of them in the ledger, and what the others take.

    `prompt_tokens` are guessed from the text's length. `likely_tokens` and `seconds` (one call
    after another) are those of such calls that the ledger holds, or guessed (`models.lengths`);
    `completion_tokens` are the token limits' sum. `cost` is in US dollars by the price `dated`
    (None where no price is known), of the likely tokens; `ceiling` that of the limits. `unwritten`
    calls were counted from the config, since their prompts are made from replies. `served` are the
    names that the server gave the model in the replies held, where they aren't the one asked for.
    """

    collection: str
    model: str
    calls: int = 0
    held: int = 0
    unwritten: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None
    likely_tokens: int = 0
    seconds: float = 0.0
    ceiling: float | None = None
    dated: str = ""
    served: tuple[str, ...] = ()

    @property
    def to_ask(self) -> int:
        """Calls still to be made."""
        return self.calls - self.held


def estimate(ask: Ask, results: Path, ledgers: Path, prices: Prices) -> Estimate:
    """Estimate one ask, from what lies in the study's folders of results and ledgers."""
    found = Estimate(ask.collection, ask.model.name)
    path = ledgers / ask.collection / f"{ask.ledger or ask.model.name}.sqlite"
    ledger = Ledger(path, create=False) if path.is_file() else None
    learnt = None
    try:
        if ask.within is not None:
            had = min(ask.calls, ledger.calls_within(ask.within)) if ledger is not None else 0
            found = replace(found, calls=had, held=had)
        for prompts in sorted(results.glob(ask.prompts)) if ask.prompts else ():
            found = walk(Task(prompts, ask.model, path, ask.collection), ledger, found)
        if ledger is not None and ask.model.provider != "embedded":
            names = {*ledger.served_names()} - {"", ask.model.model}
            found = replace(found, served=tuple(sorted(names)))
        if ledger is not None and ask.within is None:  # an exchange with a system is many calls
            learnt = ledger.lengths()
    finally:
        if ledger is not None:
            ledger.close()
    unwritten = max(0, ask.calls - found.calls)
    call = Call(ask.model, (), ask.form, ask.parameters)
    limit, likely = most_output(call), likely_output(call)
    found = replace(
        found,
        calls=found.calls + unwritten,
        unwritten=unwritten,
        prompt_tokens=found.prompt_tokens + unwritten * ask.tokens,
        completion_tokens=found.completion_tokens + unwritten * limit,
        likely_tokens=found.likely_tokens + unwritten * likely,
        seconds=found.seconds + unwritten * likely_seconds(call, ask.tokens, likely),
    )
    if learnt is not None and found.to_ask:  # what such calls came to goes before any guess
        tokens, seconds = (round(found.to_ask * learnt[0]), found.to_ask * learnt[1])
        tokens = min(tokens, found.completion_tokens)
        found = replace(found, likely_tokens=tokens, seconds=seconds)
    price = prices.of(ask.model.provider, ask.model.model, ask.model.base_url)
    if price is None:
        return found
    share = price.batch if ask.model.options.get("batch") else 1.0
    cost, ceiling = (
        share * price.cost(found.prompt_tokens, tokens)
        for tokens in (found.likely_tokens, found.completion_tokens)
    )
    return replace(found, cost=cost, ceiling=ceiling, dated=price.dated)


def walk(task: Task, ledger: Ledger | None, found: Estimate) -> Estimate:
    """Add a prompts file, call by call; a reply not had yet is taken to be one that is asked on."""
    calls = known = read = written = likely = 0
    seconds = 0.0
    for prompt in iterate_prompts(task.prompts):
        for sample in range(prompt.samples):
            steps = task.steps(prompt, sample)
            try:
                _, call = next(steps)
                while True:
                    calls += 1
                    reply = held(ledger, call) if ledger is not None else None
                    if reply is None:
                        inward, outward = likely_input(call), likely_output(call)
                        read, likely = read + inward, likely + outward
                        seconds += likely_seconds(call, inward, outward)
                        written += most_output(call)
                        reply = Reply(call.key, "ok", None, Raw("x" * 4 * outward))
                    else:
                        known += 1
                    _, call = steps.send(reply)
            except StopIteration:
                continue
    return replace(
        found,
        calls=found.calls + calls,
        held=found.held + known,
        prompt_tokens=found.prompt_tokens + read,
        completion_tokens=found.completion_tokens + written,
        likely_tokens=found.likely_tokens + likely,
        seconds=found.seconds + seconds,
    )


def as_text(estimates: list[Estimate], budget: Mapping[str, float] | None = None) -> str:
    """The estimates as a table to read, with a total and what to bear in mind."""
    head = ("collection", "model", "calls", "held", "to ask", "tokens in", "tokens out", "at most")
    head = (*head, "minutes", "cost, $")
    rows = [
        (
            each.collection,
            each.model,
            f"{each.calls:,}" + ("*" if each.unwritten else ""),
            f"{each.held:,}",
            f"{each.to_ask:,}",
            f"{each.prompt_tokens:,}",
            f"{each.likely_tokens:,}",
            f"{each.completion_tokens:,}",
            f"{each.seconds / 60:,.1f}",
            "no price" if each.cost is None else f"{each.cost:,.2f}",
        )
        for each in estimates
    ]
    cost = sum(each.cost or 0.0 for each in estimates)
    sums = [
        sum(getattr(each, name) for each in estimates)
        for name in ("calls", "held", "to_ask", "prompt_tokens", "likely_tokens")
    ]
    sums.append(sum(each.completion_tokens for each in estimates))
    minutes = sum(each.seconds for each in estimates) / 60
    rows.append(("all", "", *(f"{each:,}" for each in sums), f"{minutes:,.1f}", f"{cost:,.2f}"))
    lines = columns(head, rows)
    notes = [
        "Tokens in are guessed from the length of the text. Tokens out, minutes (one call after "
        "another) and cost are those of calls like these that the ledger holds, or guessed from "
        "the form of the answers; at most are the tokens that the limits allow, without asking "
        "again."
    ]
    most = sum(each.ceiling or 0.0 for each in estimates)
    if most:
        notes.append(f"With every reply at its limit the cost is {most:,.2f} $.")
    if any(each.unwritten for each in estimates):
        notes.append("* some or all counted from the config: the prompts are made from replies.")
    dates = sorted({each.dated for each in estimates if each.dated})
    if dates:
        notes.append(
            f"Prices as of {' and '.join(dates)} (data/prices.csv). They change: check them at "
            "their sources before you spend."
        )
    unpriced = [f"{each.collection}/{each.model}" for each in estimates if each.cost is None]
    if unpriced:
        notes.append(f"No price is known, and none counted, for {', '.join(unpriced)}.")
    notes += [
        f"{each.collection}/{each.model} was served as {' and as '.join(each.served)}: whose price "
        "that is, the server knows."
        for each in estimates
        if each.served
    ]
    if budget:
        notes.append(
            "The budget: " + ", ".join(f"{name} {value:,}" for name, value in budget.items())
        )
    return "\n".join([*lines, "", *notes])
