"""Parting an answer from what a model says beside it: thoughts in tags, channels of a dialogue."""

from __future__ import annotations

import re

_TAG = r"think(?:ing)?|thought|reasoning|seed:think"
_THINK = re.compile(
    rf"<(?P<close>/)?(?:{_TAG})>|\[(?P<close2>/)?THINK\]|◁(?P<close3>/)?think▷"
    r"|<\|(?:START|(?P<close4>END))_THINKING\|>|<\|(?:begin|(?P<close5>end))_of_thought\|>",
    re.IGNORECASE,
)
_FRAME = re.compile(r"<\|(?:START|END)_RESPONSE\|>|<\|(?:begin|end)_of_solution\|>", re.IGNORECASE)

# Harmony, the dialogue of open-weight models by OpenAI: a message names its channel before it.
_NAMES = "analysis|commentary|final"
_MESSAGE = re.compile(
    rf"(?:<\|channel\|>|\A)\s*(?P<name>{_NAMES})\b(?:[^<]|<\|constrain\|>)*<\|message\|>"
    r"(?P<text>.*?)(?:(?=<\|(?:start|channel)\|>)|<\|(?:end|return|call)\|>|\Z)",
    re.DOTALL,
)
# The same where a server has thrown away the marks and left the words between them.
_BARE = re.compile(rf"\A(?:analysis|commentary)(?=\S).*?assistant(?:{_NAMES})", re.DOTALL)
_NEXT = re.compile(rf"assistant(?=(?:{_NAMES})(?=\S))|\A")


def split_thinking(text: str) -> tuple[str, str]:
    """Part an answer from the thinking written around it.

    Thinking is what stands between `<think>` and `</think>` (or `<thinking>`, `<thought>`,
    `<reasoning>`, `[THINK]`, and the marks of some other models); with no opener, all that stands
    before the closing tag; never closed, all that follows the opener. Of a dialogue in channels
    (`<|channel|>analysis<|message|>…`) the last message of channel `final` is the answer and all
    else is thinking. Text without any of these comes back as it is.

    Returns (answer, thinking).

    >>> split_thinking("<think>A or B?</think>\\nB")
    ('B', 'A or B?')
    >>> split_thinking("A or B?</think>B")
    ('B', 'A or B?')
    >>> split_thinking("<think>A or B? The budget ends he")
    ('', 'A or B? The budget ends he')
    >>> split_thinking("<|channel|>analysis<|message|>A or B?<|end|><|channel|>final<|message|>B")
    ('B', 'A or B?')
    """
    said, beside = _split_channels(text)
    answer: list[str] = []
    thinking: list[str] = []
    inside, start = False, 0
    for tag in _THINK.finditer(said):
        piece = said[start : tag.start()]
        closes = any(value for name, value in tag.groupdict().items() if name.startswith("close"))
        if inside:
            thinking.append(piece)
        elif closes:  # no opener: everything so far was thinking
            thinking.extend([*answer, piece])
            answer.clear()
        else:
            answer.append(piece)
        inside, start = not closes, tag.end()
    if start == 0:
        return said, beside
    (thinking if inside else answer).append(said[start:])
    thought = "".join(thinking).strip()
    whole = _FRAME.sub("", "".join(answer)).strip()
    return whole, "\n\n".join(part for part in (beside, thought) if part)


def _split_channels(text: str) -> tuple[str, str]:
    """The last message of the final channel, and all others; the text itself without any."""
    messages = [(each["name"], each["text"].strip()) for each in _MESSAGE.finditer(text)]
    if not messages and _BARE.match(text):
        pieces = [piece for piece in _NEXT.split(text) if piece]
        messages = [_named(piece) for piece in pieces]
    if not messages:
        return text, ""
    finals = [said for name, said in messages if name == "final"]
    others = [said for name, said in messages if name != "final"]
    answer = finals[-1] if finals else ""
    others += [said for said in finals[:-1] if said != answer]
    return answer, "\n\n".join(part for part in others if part)


def _named(piece: str) -> tuple[str, str]:
    name = next(name for name in _NAMES.split("|") if piece.startswith(name))
    return name, piece.removeprefix(name).strip()
