"""The page itself: templates, style sheet, scripts and fonts brought together in one file."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from markupsafe import Markup

from veridical.report.drill import escape_json
from veridical.report.parts import Part, make_part, models_of, script_hash, stages
from veridical.report.study import Study
from veridical.report.tabulate import Shown, tabulate
from veridical.report.views import address
from veridical.report.wording import FOLDER, Wording

SCRIPTS = ("theme.js", "terms.js", "columns.js", "rows.js", "drill.js", "main.js")
STYLES = ("page.css", "parts.css", "drill.css")
FONTS = {"Source Serif 4": "source-serif-4.woff2", "Inter": "inter.woff2"}
CONTROLS = ("control1", "control2", "control3")

STAGES = (
    Shown("stage", "value:stage"),
    Shown("hash"),
    Shown("files", "int"),
    Shown("holds", "flag"),
    Shown("note"),
)


def render(study: Study, words: Wording, folder: Path = FOLDER) -> str:
    """The whole report as one HTML text; same study, same text.

    `folder` holds `templates/` and `assets/`. Nothing in the page is loaded from elsewhere: its
    content security policy allows its own script, by hash, and nothing else.
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
    parts = [make_part(part, study, words) for part in study.parts]
    script = "\n".join(_asset(folder, name) for name in SCRIPTS)
    for_script = {"drill": words.raw("drill"), "page": words.raw("page"), **_marks(words)}
    return environment.get_template("page.html.j2").render(
        study=study,
        t=words.raw,
        words=words,
        language=words.raw("formats.language"),
        parts=parts,
        controls=[part for part in parts if part.key in CONTROLS],
        scores=[part for part in parts if part.key not in CONTROLS],
        left_out=words.join(words(f"parts.{part}.name") for part in study.left_out),
        title=study.config.get("title") or study.name,
        models=words.join(models_of(study)),
        date=_dates(study, words),
        seal=_seal(study),
        sealed=_sealed(study, words),
        published=_published(study, words),
        numbers=_figure_numbers(parts),
        glossary=sorted(words.raw("glossary").items(), key=lambda item: item[1]["name"].lower()),
        style=Markup(_fonts(folder) + "\n".join(_asset(folder, name) for name in STYLES)),
        script=Markup(script),
        script_hash=script_hash(f"\n{script}\n"),
        words_json=Markup(escape_json(json.dumps(for_script, ensure_ascii=False))),
    )


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


def _seal(study: Study) -> dict[str, str] | None:
    """The design's freeze: its hash, and whether all that is sealed still holds."""
    design = study.receipts.get("design")
    if design is None:
        return None
    changed = any(study.changes.values())
    return {"hash": design["sha256"], "state": "seal_changed" if changed else "seal_verified"}


def _sealed(study: Study, words: Wording) -> Any:
    table = stages(study)
    return None if table.empty else tabulate(table, STAGES, words, "freezes")


def _published(study: Study, words: Wording) -> str:
    """How many of the printed figures the formulas reproduce; empty where it was not checked."""
    check = study.table("published/check")
    if check is None or "agrees" not in check:
        return ""
    printed = ~check["note"].fillna("").str.startswith("not printed")
    agrees = check.loc[printed, "agrees"].map(lambda value: str(value).lower())
    judged = agrees[agrees.isin(["true", "false"])]
    return words(
        "page.published_all" if (judged == "true").all() else "page.published_text",
        agree=words.number(int((judged == "true").sum()), 0),
        all=words.number(len(judged), 0),
    )


def _figure_numbers(parts: list[Part]) -> dict[str, int]:
    """Figures are numbered through the page."""
    names = [figure.name for part in parts for figure in part.figures]
    return {name: number for number, name in enumerate(names, start=1)}
