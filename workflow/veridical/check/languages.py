"""Which of the study's own texts a corpus's language lacks: said while the config is read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from veridical.base.brought import brought
from veridical.base.checks import corpora_of
from veridical.base.code import LIBRARY
from veridical.base.config import parts_on
from veridical.base.counterfeits import authored, counterfeited
from veridical.base.folders import name_in
from veridical.base.instrument import own_texts, shipped


def texts_of(config: Mapping[str, Any], part: str) -> tuple[str, ...]:
    """The texts that a part asks with, by name; with an ending where it is not .txt.

    They stand in the part's `asks` as `TEXTS`, and as `AUTHOR_TEXTS` those that only an author
    needs who alters the details of Control 2. Metrics that all have words of their own need no
    shipped ones.
    """
    room = f"veridical.{part}.asks"
    if not find_spec(room):
        return ()
    asks = import_module(room)
    settings = config.get(part, {})
    authored = settings.get("alterations") == "author"
    texts = (*getattr(asks, "TEXTS", ()), *(getattr(asks, "AUTHOR_TEXTS", ()) if authored else ()))
    if part == "memories" and any(map(is_driven, settings["systems"].values())):
        texts += asks.DRIVING_TEXTS
    if part == "control1":  # whose judges read by its settings
        shown = asks.shown_by(settings)
        texts = tuple(shown.get(text, text) for text in texts)
    worded = settings.get("wording") and set(settings["metrics"]) <= set(settings["wording"])
    return tuple(text for text in texts if not (text == "metrics" and worded))


def is_driven(system: Mapping[str, Any]) -> bool:
    """Whether a model works a memory system's tools, by its entry in the config."""
    return system["adapter"] == "files" or "driver" in system.get("settings", {})


def lacking_texts(config: Mapping[str, Any], languages: Mapping[str, str]) -> Iterator[str]:
    """The texts that a language lacks, all of them in one sentence a language.

    Parameters
    ----------
    config
        Checked.
    languages
        Of each corpus that can be read; the others are passed over.
    """
    wanted: dict[str, dict[str, None]] = {}
    asking = [part for part in parts_on(config) if not brought(config, part)]
    corpora = {part: corpora_of(config, part) for part in asking}
    if (
        "memories" in corpora and not corpora["memories"]
    ):  # which then go through all of Control 3's
        corpora["memories"] = corpora_of(config, "control3")
    corpora["documents"] = [name for name in counterfeited(config) if authored(config, name)]
    for part, names in corpora.items():
        for name in names:
            if name in languages:
                texts = dict.fromkeys(name_in(name, text) for text in texts_of(config, part))
                wanted.setdefault(languages[name], {}).update(texts)
    for language, texts in wanted.items():
        own = own_texts(config.get("texts", {}), language)
        files = (_file(text, language) for text in texts if text.removeprefix("life-") not in own)
        lacking = [file for file in files if not (LIBRARY / "texts" / file).is_file()]
        if lacking:
            own_too = ", or under `texts` in the config"
            yield (
                f"language {language!r} lacks {len(lacking)} of the texts that its corpora need; "
                "write them into workflow/veridical/texts"
                + own_too * any(file.partition(".")[0] in shipped() for file in lacking)
                + f": {', '.join(lacking)}"
            )


def _file(text: str, language: str) -> str:
    stem, _, ending = text.partition(".")
    return f"{stem}.{language}.{ending or 'txt'}"
