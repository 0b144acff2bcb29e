"""Word problems in GSM8K's format: one JSON object a line, `question` and `answer` with `####`."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from veridical.base.numerals import parse_number
from veridical.vpe.verifier import gold_answer

_ANNOTATION = re.compile(r"<<([^<>=]+)=([^<>]+)>>")
_EXPRESSION = re.compile(r"[\d.+\-*/() ]+")


@dataclass(frozen=True)
class Problem:
    """One problem; `id` is its line in the file (from 1), with the file's stem."""

    id: str
    question: str
    answer: str
    gold: Fraction


def read_problems(path: Path | str) -> list[Problem]:
    """Read a problems file. Raises ValueError naming file and line of what is no problem."""
    problems = []
    text = Path(path).read_text(encoding="utf-8-sig")
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            entry = json.loads(line)
            question, answer = entry["question"], entry["answer"]
            if not (isinstance(question, str) and isinstance(answer, str)):
                raise TypeError("question and answer must be texts")
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{where}: not a problem ({error!r})") from error
        if not question.strip():
            raise ValueError(f"{where}: the question is empty")
        try:
            gold = gold_answer(answer)
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from error
        problems.append(Problem(f"{Path(path).stem}-{number:04d}", question.strip(), answer, gold))
    if not problems:
        raise ValueError(f"{path}: no problem in it")
    return problems


def draw_problems(problems: Sequence[Problem], n: int, seed: int) -> list[Problem]:
    """n problems drawn without replacement, in the order of the file.

    Raises ValueError where there are fewer than n.
    """
    if n > len(problems):
        raise ValueError(f"vpe.n_problems is {n}, but the file has {len(problems)} problems")
    import numpy as np

    chosen = np.random.default_rng(seed).choice(len(problems), size=n, replace=False)
    return [problems[i] for i in sorted(chosen)]


def file_sha256(path: Path | str) -> str:
    """SHA-256 of a file's bytes, in hex."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def check_annotations(problem: Problem) -> None:
    """Check a worked answer by calculating: every <<expression=result>>, and the last is the gold.

    Raises ValueError naming problem and annotation.
    """
    results = []
    for expression, result in _ANNOTATION.findall(problem.answer):
        value = calculate(expression)
        if value != parse_number(result):
            raise ValueError(f"{problem.id}: <<{expression}={result}>> is {value}")
        results.append(value)
    if not results or results[-1] != problem.gold:
        raise ValueError(f"{problem.id}: the last annotation does not give {problem.gold}")


def calculate(expression: str) -> Fraction:
    """The exact value of a sum of + - * / and parentheses. Raises ValueError on anything else.

    >>> calculate("3*(4-1)/2")
    Fraction(9, 2)
    """
    if not _EXPRESSION.fullmatch(expression):
        raise ValueError(f"{expression!r}: only numbers, + - * / and parentheses")
    tokens = re.findall(r"\d+(?:\.\d+)?|\.\d+|[-+*/()]", expression)
    value, rest = _sum(tokens)
    if rest:
        raise ValueError(f"{expression!r}: {rest[0]!r} is out of place")
    return value


def _sum(tokens: list[str]) -> tuple[Fraction, list[str]]:
    value, tokens = _product(tokens)
    while tokens and tokens[0] in "+-":
        sign, (other, rest) = tokens[0], _product(tokens[1:])
        value, tokens = (value + other if sign == "+" else value - other), rest
    return value, tokens


def _product(tokens: list[str]) -> tuple[Fraction, list[str]]:
    value, tokens = _factor(tokens)
    while tokens and tokens[0] in "*/":
        sign, (other, rest) = tokens[0], _factor(tokens[1:])
        if sign == "/" and other == 0:
            raise ValueError("it divides by 0")
        value, tokens = (value * other if sign == "*" else value / other), rest
    return value, tokens


def _factor(tokens: list[str]) -> tuple[Fraction, list[str]]:
    if not tokens:
        raise ValueError("the expression ends too early")
    if tokens[0] == "-":
        value, rest = _factor(tokens[1:])
        return -value, rest
    if tokens[0] == "(":
        value, rest = _sum(tokens[1:])
        if not rest or rest[0] != ")":
            raise ValueError("a parenthesis is not closed")
        return value, rest[1:]
    try:
        return Fraction(tokens[0]), tokens[1:]
    except ValueError:
        raise ValueError(f"{tokens[0]!r} is out of place") from None
