"""The forms that hosts give their keys, and the places in which only a key stands.

Without one of a pattern's `hints`, texts in small letters, it can't match: most texts are done with
by looking for the hints. What a pattern matches is the key, or its group `key` where only a part is
one.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Pattern(NamedTuple):
    """One form of a key: `kind` is `key` (a host's own form) or `token` (known by its place)."""

    kind: str
    hints: tuple[str, ...]
    regex: re.Pattern[str]


_OWN = (  # hints, form; not within a longer word
    # OpenAI, Anthropic, OpenRouter, DeepSeek, Langfuse, and how servers mask one in an error
    ("sk-", r"sk-(?=[A-Za-z_-]*[0-9*]|[A-Za-z0-9_-]*[A-Za-z0-9]{20})[A-Za-z0-9_*-]{12,}"),
    ("-", r"(?:pk-lf|rk|csk|key|xai|pplx|nvapi|tvly|fc|m0)-(?=[A-Za-z_-]*[0-9])"
          r"[A-Za-z0-9_-]{0,8}[A-Za-z0-9]{20,}[A-Za-z0-9_-]*"),
    ("_", r"(?:gsk|r8|fw|jina|pcsk|sbp|ntn|lsv2_[ps]t|shp(?:at|ss|ca|pa)|lin_api|figd|sntrys|glsa|"
          r"glc|dckr_pat|tgp_v1|whsec|esecret|[spr]k_(?:live|test|prod))_(?=[A-Za-z_-]*[0-9])"
          r"[A-Za-z0-9_-]{0,8}[A-Za-z0-9]{16,}[A-Za-z0-9_-]*"),
    ("hf_ api_org_", r"(?:hf|api_org)_[A-Za-z0-9]{30,}"),  # Hugging Face: letters alone, as a rule
    ("aiza", r"AIza[A-Za-z0-9_-]{20,}"),  # Google
    ("ya29.", r"ya29\.[A-Za-z0-9_.-]{20,}"),
    ("gocspx-", r"GOCSPX-[A-Za-z0-9_-]{20,}"),
    ("1//0", r"1//0[A-Za-z0-9_-]{30,}"),
    ("gh", r"gh[pousr]_[A-Za-z0-9]{30,}"),  # GitHub
    ("github_pat_", r"github_pat_[A-Za-z0-9_]{30,}"),
    ("gl", r"gl(?:pat|dt|rt|rtr|ptt|cbt|soat|imt|ft|agent|oas|ffct)-(?=[A-Za-z_.-]*[0-9])"
           r"[A-Za-z0-9_.-]{20,}"),  # GitLab
    # Amazon: the id, with its secret where that stands beside it; Bedrock
    ("akia asia abia acca", r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"
                            r"(?:[\s,:;\"'|]{1,10}[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=]))?(?![A-Za-z0-9])"),
    ("absk", r"ABSK[A-Za-z0-9+/]{80,}=*"),
    ("jqqj9", r"[A-Za-z0-9]{30,60}JQQJ9[A-Za-z0-9]{20,40}"),  # Azure
    ("xox", r"xox[a-z](?:\.xox[a-z])?-(?=[A-Za-z-]*[0-9])[A-Za-z0-9-]{10,}"),  # Slack
    ("xapp-", r"xapp-[0-9]-[A-Za-z0-9-]{20,}"),
    ("hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_-]{20,}"),
    ("npm_", r"npm_[A-Za-z0-9]{30,}"),
    ("pypi-", r"pypi-[A-Za-z0-9_-]{50,}"),
    ("sg.", r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),  # SendGrid
    ("sk ac", r"(?:SK|AC)[0-9a-f]{32}(?![A-Za-z0-9])"),  # Twilio
    ("hvs.", r"hvs\.[A-Za-z0-9_-]{20,}"),  # Vault
    ("dapi", r"dapi[0-9a-f]{32}(?:-[0-9])?"),  # Databricks
    ("dop_v1_ doo_v1_ dor_v1_", r"do[opr]_v1_[a-f0-9]{40,}"),
    ("atatt3", r"ATATT3[A-Za-z0-9_=-]{40,}"),
    ("age-secret-key-", r"AGE-SECRET-KEY-1[A-Z0-9]{50,}"),
    (":aa", r"[0-9]{8,10}:AA[A-Za-z0-9_-]{32,}"),  # Telegram
    ("private key", r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
                    r"(?:[\s\S]{0,20000}?-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----"
                    r"|(?:(?:\s|\\[nr])*[A-Za-z0-9+/=]{20,})*)"),
)  # fmt: skip

_NAMED = (  # what a key is called where its value follows
    r"(?:api|access|secret|private|subscription|account|auth|functions?|signing|encryption|licen[cs]e"
    r"|master|admin|shared[_-]?access|service)[_-]?key"
    r"|(?:access|auth|bearer|refresh|session|api|security|zenodo|deposit)[_-]?token"
    r"|secret|passw(?:or)?d|passphrase"
)
_PLACES = (
    # three or five parts in base64, the first a JSON object
    ("eyj", r"(?<![A-Za-z0-9])eyJ[A-Za-z0-9_-]{8,8192}(?:\.[A-Za-z0-9_-]{4,16384}){2,4}"),
    ("bearer", r"(?i)\bbearer(?:\s|%20|\+|\\[tnr])+"
               r"(?P<key>(?=[^\s\"']{0,200}[0-9]|[A-Za-z]{24})[A-Za-z0-9._~+/-]{12,}=*)"),
    ("authori", r"(?i)authori[sz]ation\\?[\"']?\s{0,3}[:=]\s{0,3}\\?[\"']?"
                r"(?:basic|token|apikey|key)\s+(?P<key>[A-Za-z0-9._~+/-]{8,}=*)"),
    # a word of its own followed by a value that holds a digit
    ("key token secret passw passphrase",
     rf"(?i)(?:{_NAMED})\\?[\"']?\s{{0,3}}(?:[:=]|=>)\s{{0,3}}\\?[\"']?"
         r"(?P<key>(?=[A-Za-z_/+.~-]{0,200}[0-9])[A-Za-z0-9_/+-]{16,}=*)"),
    ("=", rf"(?i)[?&;](?:{_NAMED}|[a-z0-9_-]{{0,30}}(?:api[_-]?key|signature|credential|token|sig))"
          r"=(?P<key>[A-Za-z0-9._~%+/-]{8,}=*)"),
    ("=", r"(?i)[?&](?:key|code|auth|jwt|pwd|pass|sig|hmac|ticket)="
          r"(?P<key>(?=[^&\s\"'<>]{0,200}[0-9])[A-Za-z0-9._~%+/-]{20,}=*)"),
    ("://", r"(?i)\b[a-z][a-z0-9+.-]{1,20}://[^\s/:@\"'<>{}\[\]]{0,64}:"
            r"(?P<key>[^\s/:@\"'<>{}\[\]*]{1,128})@(?=[A-Za-z0-9\[])"),
    # Zenodo: sixty letters and digits, of all three sorts, that are no part of something longer
    ("", r"(?<![A-Za-z0-9+/=_-])(?=[A-Za-z0-9]{60}(?![A-Za-z0-9+/=_-]))(?=[A-Za-z]*[0-9])"
         r"(?=[a-z0-9]*[A-Z])(?=[A-Z0-9]*[a-z])[A-Za-z0-9]{60}"),
)  # fmt: skip

PATTERNS: tuple[Pattern, ...] = (
    *(
        Pattern("key", tuple(hints.split()), re.compile(rf"(?<![A-Za-z0-9])(?:{form})"))
        for hints, form in _OWN
    ),
    *(Pattern("token", tuple(hints.split()), re.compile(form)) for hints, form in _PLACES),
)
