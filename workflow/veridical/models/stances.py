"""What a sentence says of the options that it names: said, denied or doubted.

Sentences come folded (`characters.folded`), each option in them replaced by one character of
`MARKS`, so that no word of an option is taken for a word of the sentence. English, Italian and
Turkish are known well, other languages by their commonest denials. Where in doubt a mention is
doubted: an answer too few is counted as unreadable, an answer too many would be a wrong one.
"""

from __future__ import annotations

import re
from typing import NamedTuple

FIRST = 0xE000  # options are told by characters of the private use area, from this on
ARTICLE = "\uf8ff"  # a letter that may be an option or a word: "A look at both"
MARKS = "[\ue000-\uf8fe]"

_DENIES = re.compile(
    r"\b(?:not|no|never|neither|nor|none|nobody|nothing|nowhere|without|cannot|except|excluding|"
    r"unlike|hardly|scarcely|wrong|incorrect|false|ruled? out|excluded?|rather than|instead of|"
    r"other than|is out|lack\w*|missing|absent|unlikely|refus\w+|declin\w+|unwilling|altered|"
    r"changed|modified|fake|invented|fabricated|inaccurate|"
    r"non|nessun\w*|mai|senza|niente|nulla|neanche|nemmeno|neppure|tranne|eccetto|salvo|esclus\w+|"
    r"anziche|invece d\w+|piuttosto che|manca\w*|assent\w+|improbabil\w+|rifiut\w+|alterat\w+|"
    r"modificat\w+|fals[oaie]|sbagliat\w+|inventat\w+|errat\w+|"
    r"degil\w*|yok\w*|hic|hicbir\w*|haric|disinda|eksik\w*|yanlis\w*|degistiril\w*|sahte|uydurma|"
    r"nicht|kein\w*|nie|pas|aucun\w*|jamais|ni|ningun\w*|nunca)\b|n't\b|\bne\b.*\bne\b"
    # Turkish verbs deny within the word: konuşmadım, geçmiyor, sanmam, bulunmayan, bahsetmeden
    r"|\b\w{2,}m(?:[iu]yor(?:u[mz]|sun\w*|lar|du\w*)?|[ae]d[iu](?:[mnkr]|niz|l[ae]r|g\w+)?|"
    r"[ae]m[iu]s(?:t[iu]\w{0,4}|[iu]m|l[ae]r\w*)?|[ae]z(?:d[iu]\w*|l[ae]r)?|[ae]m|[ae]y[ae]n|"
    r"[ae]y[ae]c[ae][kg]\w*|[ae]m[ae]kt[ae]\w*|[ae]m[ae]l[iu]\w*|[ae]d[ae]n|[ae]ks[iu]z\w*)\b"
)
_OFFERS = r"(?:or|oder|oppure|ya da|veya|yahut|o|ou)"
_DOUBTS = re.compile(
    r"\b(?:maybe|perhaps|possibly|might|could|if|whether|unless|either|unclear|unsure|uncertain|"
    r"unknown|unable|impossible|doubt\w*|wonder\w*|fail(?:ed|s)? to|had (?:it|he|she) been|"
    r"suppos(?:e|ing|edly)|assum(?:e|ing)|they say|you want|forse|magari|potrebb\w+|se|"
    r"dubit\w+|dubbi\w*|impossibile|incert\w+|chissa|belki|olabilir\w*|acaba|imkansiz|suphe\w*|"
    r"vielleicht|peut-etre|quizas?)\b|(?<!\d )(?<!\b(?:in|by|of|on) )\bmay\b(?! \d)"
    rf"|{MARKS},?\s+{_OFFERS}\b|\b{_OFFERS}\s+{MARKS}"
)
# Where a sentence turns to what holds in the place of what was denied, and where it gives reasons.
_BUT = r"but|however|ma|bensi|pero|ama|fakat|ancak|aksine|sondern|mais|sino"
_SO = r"therefore|thus|hence|so|quindi|dunque|percio|yani"
_REASONS = (
    r"since|because|whereas|while|although|though|perche|poiche|mentre|siccome|anche se|cunku|oysa"
)
_PARTS = re.compile(
    rf"\b(?:(?P<but>{_BUT})|(?P<so>{_SO}))\b|(?P<aside>:|\b(?:{_REASONS})\b)|,|\s[-–]+\s|—|[()\[\]]|"
    r"\b(?=(?:rather than|instead of|other than|unlike|except|anziche|invece d\w+|piuttosto che|"
    r"tranne)\b)|\b(?:and|e|ve|y|et|und)\s+(?=(?:not|non|never|mai)\b)"
)
# who could not tell before the turn says an answer after it only in so many words
_ASSERTS = re.compile(
    r"\b(?:it (?:was|is|must|has)|it's|i (?:think|believe|guess|assume|suppose|choose|pick|say|go|"
    r"discussed|talked|spoke)|i'd|i would|answer|credo|penso|direi|suppongo|era|e stat[oa]|"
    r"dev'essere|risposta|sanirim|bence|olmali|cevap|yanit)\b"
)
# a clause of its own after a comma: "It wasn't X, it was Y"
_OWN = re.compile(
    r"\W*(?:it|i|we|you|they|he|she|the|this|era|e|ho|hai|ha|sono|il|la|lo|bu|o|ben)\b"
)
_ALL_BUT = re.compile(r"\b(?:(?:any|every)(?:one|body)|all) but\b|\btutti (?:tranne|meno)\b")
_ASIDE = re.compile(rf"\((?!\s*{_OFFERS}\b)[^()]*\)|\[[^\[\]]*\]")
_ENCLOSED = re.compile(rf"[(\[]\s*({MARKS})\s*[)\]]")
_ASKED = re.compile(rf"{MARKS}\s+m[iu](?:yd[iu]|yim)?\s*(?=[,?.]|\Z|yoksa)")
_MARK = re.compile(MARKS)


class Stance(NamedTuple):
    """What a sentence says of one option that it names: `said`, `denied` or `doubted`."""

    mark: str
    stance: str


def stances(sentence: str) -> list[Stance]:
    """What the sentence says of each option that it names, in order.

    A question says nothing for sure, nor does what stands with "maybe", "if" or "whether"; a denial
    reaches over its clause, and where the clause names no option as far as the sentence goes,
    until the sentence turns ("but", "so").

    >>> [found.stance for found in stances("it was not \ue000 but \ue001.")]
    ['denied', 'said']
    """
    sentence = _ENCLOSED.sub(r"\1", _ALL_BUT.sub("except", sentence))
    without = _ASIDE.sub(" ", sentence)
    if _MARK.search(without):
        sentence = without
    if sentence.rstrip(" \"'*)]").endswith("?") or ARTICLE in sentence:
        return [Stance(mark, "doubted") for mark in _MARK.findall(sentence)]
    found: list[Stance] = []
    turned = 0  # from here on, later denials reach back
    reach = ""  # of an earlier denial: over a list that goes on, or open until the sentence turns
    for clause, joint in _clauses(sentence):
        marks = list(_MARK.finditer(clause))
        own = _of_clause(clause)
        turned = len(found) if joint in ("so", "aside") else turned
        if joint in ("but", "so") and (reach == "list" or _ASSERTS.search(clause)):
            reach = ""
        if reach == "list" and (joint or _OWN.match(clause)):
            reach = ""
        if own and not marks:
            back = "doubted" if joint == "but" else own
            found[turned:] = [Stance(each.mark, back) for each in found[turned:]]
            reach = "open"
        found += [Stance(mark[0], own or ("doubted" if reach else "said")) for mark in marks]
        if own and marks:
            ahead = own == "doubted" or _DENIES.search(clause[: marks[0].start()])
            reach = "list" if ahead else reach
    return found


def _clauses(sentence: str) -> list[tuple[str, str]]:
    """The clauses, and what joins each to the one before: `but`, `so`, `aside`, or nothing much."""
    clauses, start, joint = [], 0, ""
    for part in _PARTS.finditer(sentence):
        clauses.append((sentence[start : part.start()], joint))
        start, joint = part.end(), part.lastgroup or ""
    clauses.append((sentence[start:], joint))
    return [(clause, joint) for clause, joint in clauses if clause.strip() or joint]


def _of_clause(clause: str) -> str:
    if _DENIES.search(clause):
        return "denied"
    return "doubted" if _DOUBTS.search(clause) or _ASKED.search(clause) else ""
