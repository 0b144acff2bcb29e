"""Which arms stand beside Control 3's registered probes, and which model is asked which."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from veridical.documents.names import CONTRADICTING

ARMS = ("forced", "noticing", "reversed", "stale")


def arms_of(
    part: Mapping[str, Any], corrupted: Mapping[str, list[str]], lives: Collection[str] = ()
) -> dict[str, list[str]]:
    """What the config's `control3` asks beside: by slice (`arm-corpus-document`), of which models.

    `corrupted` holds the names of each corpus's corrupted documents; `lives` are the corpora whose
    facts may have changed.
    """
    found: dict[str, list[str]] = {}
    noticing = part["noticing"]
    for corpus in part["corpora"]:
        documents = ["veridical", *corrupted[corpus]]
        if part["forced"]:
            found[f"forced-{corpus}-none"] = list(part["responders"])
        if part["reversed"]:
            for document in [*documents, "none"]:
                found[f"reversed-{corpus}-{document}"] = list(part["responders"])
        if noticing["probes"] and corpus in noticing.get("corpora", part["corpora"]):
            for document in [*documents, CONTRADICTING]:
                models = noticing.get("responders", part["responders"])
                found[f"noticing-{corpus}-{document}"] = list(models)
        if corpus in lives and part.get("stale", True):
            for document in ("veridical", "none"):
                found[f"stale-{corpus}-{document}"] = list(part["responders"])
    return found
