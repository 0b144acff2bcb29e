"""The page itself: templates, style sheet, scripts and fonts brought together in one file."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markupsafe import Markup

from veridical.base.brought import idle
from veridical.base.schema import at_defaults, read_schema
from veridical.report.drill import escape_json
from veridical.report.figures import recolour
from veridical.report.part import Part, Section, make_section, models_of
from veridical.report.sealed import last_seal, proofs_of_time, seals
from veridical.report.served import names_served
from veridical.report.study import Study
from veridical.report.tabulate import address
from veridical.report.wording import FOLDER, Wording

SCRIPTS = ("theme.js", "terms.js", "columns.js", "rows.js", "drill.js", "main.js")
STYLES = ("page.css", "parts.css", "drill.css")
FONTS = {"Source Serif 4": "source-serif-4.woff2", "Inter": "inter.woff2"}
GROUPS = ("controls", "scores")


def render(study: Study, words: Wording, parts: Sequence[Part], folder: Path = FOLDER) -> str:
    """The whole report as one HTML text; same study, same text.

    Of `parts`, those that the study lacks are named as left out. `folder` holds `templates/` and
    `assets/`. Nothing in the page is loaded from elsewhere: its content security policy allows its
    own script, by hash, and nothing else.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(folder / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["prose"] = words.prose
    environment.filters["address"] = lambda path: address(*path)
    made = [part for part in parts if part.speaks(study)]
    sections = [make_section(part, study, words) for part in made]
    lacking = [words(f"parts.{part.key}.name") for part in parts if part not in made]
    script = "\n".join(_asset(folder, name) for name in SCRIPTS)
    styles = [_asset(folder, name) for name in STYLES]
    for_script = {"drill": words.raw("drill"), "page": words.raw("page"), **_marks(words)}
    return environment.get_template("page.html.j2").render(
        study=study,
        t=words.raw,
        words=words,
        language=words.raw("formats.language"),
        parts=sections,
        groups={group: [part for part in sections if part.group == group] for group in GROUPS},
        left_out=words.join(lacking),
        title=study.config.get("title") or study.name,
        models=words.join(models_of(study.config)) or words("page.no_models"),
        date=_dates(study, words),
        seal=last_seal(study),
        sealed=seals(study, words),
        sealed_when=proofs_of_time(study, words),
        served=names_served(study, words),
        defaults=_defaults(study, words),
        published=_published(study, words),
        numbers=_figure_numbers(sections),
        glossary=sorted(words.raw("glossary").items(), key=lambda item: item[1]["name"].lower()),
        style=Markup(_fonts(folder) + "\n".join(styles) + recolour()),
        script=Markup(script),
        script_hash=script_hash(f"\n{script}\n"),
        words_json=Markup(escape_json(json.dumps(for_script, ensure_ascii=False))),
    )


def script_hash(script: str) -> str:
    """The hash that lets one inline script run under the page's content security policy."""
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _asset(folder: Path, name: str) -> str:
    return (folder / "assets" / name).read_text(encoding="utf-8")


def _fonts(folder: Path) -> str:
    """The fonts as data, so that the page needs no other file."""
    faces = []
    for family, name in FONTS.items():
        data = base64.b64encode((folder / "assets/fonts" / name).read_bytes()).decode()
        faces.append(
            f'@font-face{{font-family:"{family}";font-weight:200 900;font-display:swap;'
            f"src:url(data:font/woff2;base64,{data}) format('woff2')}}\n"
        )
    return "".join(faces)


def _marks(words: Wording) -> dict[str, Any]:
    return {"formats": {key: words.raw(f"formats.{key}") for key in ("decimal", "missing")}}


def _dates(study: Study, words: Wording) -> str:
    days = study.dates()
    if days is None:
        return words("page.no_date")
    first, last = (words.date(day) for day in days)
    return first if first == last else words.raw("formats.span").format(low=first, high=last)


def _defaults(study: Study, words: Wording) -> str:
    """The settings in use that have their defaults, each with its value; empty where none has."""
    found = at_defaults(read_schema(), study.config)
    said = [
        f"{path} {_told(value, words)}"
        for path, value in found.items()
        if value != {} and not idle(study.config, path)
    ]
    return words("page.defaults_text", settings="; ".join(said)) if said else ""


def _told(value: Any, words: Wording) -> str:
    """A setting's value as a reader takes it."""
    if isinstance(value, bool):
        return words(f"page.{'on' if value else 'off'}")
    if isinstance(value, list):
        return words.join([words.setting(each) for each in value]) if value else "–"
    return words.setting(value) if value != "" else "–"


def _published(study: Study, words: Wording) -> str:
    """How many recomputed figures agree, the other kinds beside; empty where it was not checked."""
    check = study.tables.get("published/check")
    if check is None:
        return ""
    decided = check[check["agrees"].notna()]
    agrees = decided["agrees"].astype(bool).groupby(decided["kind"]).agg(["sum", "size"])
    kinds = agrees.reindex(["recomputed", "recovered", "restated"], fill_value=0).to_numpy()
    (agree, every), (recovered, all_recovered), (restated, all_restated) = (
        [words.number(int(count), 0) for count in kind] for kind in kinds
    )
    return words(
        "page.published_all" if decided["agrees"].all() else "page.published_text",
        agree=agree,
        all=every,
        recovered=recovered,
        all_recovered=all_recovered,
        restated=restated,
        all_restated=all_restated,
    )


def _figure_numbers(parts: list[Section]) -> dict[str, int]:
    """Figures are numbered through the page."""
    names = [figure.name for part in parts for figure in part.figures]
    return {name: number for number, name in enumerate(names, start=1)}
