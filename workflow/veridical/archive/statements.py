"""The freeze for other tools: an in-toto Statement, and PRML manifests of what was registered.

Both are made from the sealed records alone, so the same study gives the same bytes. They prove
nothing by themselves: neither is signed, and whoever can make the records can make these.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import uuid
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from veridical.base.counterfeits import kinds_held
from veridical.freeze.chain import KINDS, stage_of
from veridical.freeze.evidence import log_entries
from veridical.freeze.left_off import awaited
from veridical.freeze.manifest import (
    Manifest,
    file_sha256,
    is_older,
    log_path,
    read_manifest,
    record_path,
)
from veridical.freeze.timestamps import times_in_force

STATEMENT = "freeze.intoto.json"
STATEMENT_TYPE = "https://in-toto.io/Statement/v1"
PREDICATE_TYPE = "urn:veridical:freeze:v1"  # workflow/notes/freeze.md says what it holds
PRML = "prml/0.1"
PRML_FOLDER = "prml"


def intoto_statement(study: str, root: Path | str = ".") -> str:
    """The freeze as an in-toto Statement (v1, unsigned), as JSON text.

    Its subjects are the records, and the log of deviations where there is one, by SHA-256; its
    predicate says which record follows which, what each seals, and what attests its time. Raises
    ValueError where a stage is not sealed.
    """
    root = Path(root)
    paths = [record_path(study, stage) for stage in awaited(study, root)]
    if missing := [path for path in paths if not (root / path).is_file()]:
        raise ValueError(f"{missing[0]}: missing; the whole study is sealed before it is stated")
    log = [log_path(study)] if (root / log_path(study)).is_file() else []
    subjects = [
        {"name": path.as_posix(), "digest": {"sha256": file_sha256(root / path)}}
        for path in [*paths, *log]
    ]
    times = times_in_force(study, root).to_dict("records")
    predicate = {
        "study": study,
        "stages": [_stage(read_manifest(root / path)) for path in paths],
        "deviations": len(log_entries(study, root)),
        "times": [{name: value for name, value in row.items() if value} for row in times],
    }
    statement = {
        "_type": STATEMENT_TYPE,
        "subject": subjects,
        "predicateType": PREDICATE_TYPE,
        "predicate": predicate,
    }
    return json.dumps(statement, indent=1, ensure_ascii=False) + "\n"


def _stage(manifest: Manifest) -> dict[str, Any]:
    """What the predicate says of a stage: all of its record, the files as resource descriptors."""
    entry = {
        "stage": manifest.stage,
        "record": manifest.sha256,
        "previous": manifest.previous,
        "version": manifest.version,
        "lock": manifest.lock,
        "deviations": manifest.deviations,
        "files": [
            {"name": file.path, "digest": {"sha256": file.sha256}} for file in manifest.files
        ],
    }
    return {name: value for name, value in entry.items() if value}


def prml_manifests(
    study: str,
    config: Mapping[str, Any],
    citation: Mapping[str, Any],
    replies: Iterable[Path] = (),
    root: Path | str = ".",
) -> dict[str, str]:
    """PRML v0.1 manifests, each with its hash beside it, by path in the archive.

    One for each threshold that the sealed config registers: the equivalence bound of Control 1 (of
    direct pairs the margin of no preference), by metric and kind of counterfeit, and the validity
    rule of Control 2, by model and corpus. `created_at` is when the part's design was attested to
    exist, or else when the first of the `replies` came that was asked for under it (the study's own
    word); a part has none where neither is known.
    """
    root, replies = Path(root), list(replies)
    made: dict[str, str] = {}
    for part, thresholds in _thresholds(config).items():
        design = _design_of(study, part, root)
        if moment := _registered(study, design, replies, root):
            made |= _written(thresholds, design, moment, int(config["seed"]), citation)
    return made


def _design_of(study: str, part: str, root: Path) -> Manifest:
    """The record of a part's design; of the one that all parts had, in a chain without parts."""
    stage = KINDS[0] if is_older(study, root) else stage_of(part, KINDS[0])
    return read_manifest(root / record_path(study, stage))


def _registered(
    study: str, design: Manifest, replies: Iterable[Path], root: Path
) -> datetime.datetime | None:
    """When a design was registered, as far as anything tells."""
    times = times_in_force(study, root)
    own = (times["stage"] == design.stage) & (times["state"] == "attested")
    moment = min(times[own]["time"], default="") or first_asked(replies, design.sha256)
    return datetime.datetime.fromisoformat(moment).astimezone(datetime.UTC) if moment else None


def _written(
    thresholds: Iterable[tuple[str, str, dict[str, Any]]],
    design: Manifest,
    created: datetime.datetime,
    seed: int,
    citation: Mapping[str, Any],
) -> dict[str, str]:
    """The manifests of one part's thresholds, each with its hash beside it."""
    made: dict[str, str] = {}
    for name, corpus, claim in thresholds:
        manifest = {
            "version": PRML,
            "claim_id": _uuid7(created, f"{design.sha256} {name}"),
            "created_at": created.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "dataset": {"id": corpus, "hash": corpus_sha256(design, corpus)},
            "seed": seed,
            "producer": {"id": _producer(citation)},
            **claim,
        }
        sealed = f"Sealed in the design record {design.sha256}."
        manifest["notes"] = " ".join([sealed, *filter(None, [claim.get("notes")])])
        text = canonical(manifest)
        path = f"{PRML_FOLDER}/{name}.prml"
        made[f"{path}.yaml"] = text
        made[f"{path}.prml.sha256"] = hashlib.sha256(text.encode()).hexdigest() + "\n"
    return made


def canonical(manifest: Mapping[str, Any]) -> str:
    """A manifest's canonical text (PRML v0.1, section 3): keys in order, block style, UTF-8."""
    text = yaml.safe_dump(
        dict(manifest), sort_keys=True, width=float("inf"), allow_unicode=True,
        default_flow_style=False,
    )  # fmt: skip
    return text.rstrip() + "\n"


def _thresholds(config: Mapping[str, Any]) -> dict[str, list[tuple[str, str, dict[str, Any]]]]:
    """(name, corpus, what is claimed) of each threshold that the config registers, by part."""
    first, second = config.get("control1") or {}, config.get("control2") or {}
    found = {
        "control1": [*_bounds(first, config)],
        "control2": [*_validity(second, config.get("models") or {})],
    }
    return {part: listed for part, listed in found.items() if listed}


def _bounds(
    part: Mapping[str, Any], config: Mapping[str, Any]
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    bounded = "equivalence_bound" in part and not part.get("verdicts_csv")
    bounded = bounded and "documents" in config
    corpora = part.get("corpora", ()) if bounded else ()
    held = {corpus: dict.fromkeys(kinds_held(config, corpus)) for corpus in corpora}
    every = dict.fromkeys(kind for kinds in held.values() for kind in kinds)
    for metric, kind in [(metric, kind) for metric in part.get("metrics", ()) for kind in every]:
        claim = _bound(part, metric, kind)
        for corpus in [name for name in corpora if kind in held[name]]:
            each = f"-{corpus}" if len(corpora) > 1 else ""
            yield f"control1-{metric}-{kind}{each}", corpus, claim


def _bound(part: Mapping[str, Any], metric: str, kind: str) -> dict[str, Any]:
    """What counts as no difference of scores, or of direct pairs as no preference."""
    args = {"metric": metric, "counterfeit": kind}
    if part.get("pairs") == "direct":
        return {
            "metric": "veridical.control1.preference_off_one_half",
            "metric_args": args,
            "comparator": "<=",
            "threshold": float(part["preference_margin"]),
            "notes": "A margin around one half: the study decides by two one-sided tests, not by "
            "the share alone.",
        }
    return {
        "metric": "veridical.control1.absolute_difference",
        "metric_args": {**args, "reading": part["registered"]},
        "comparator": "<=",
        "threshold": float(part["equivalence_bound"]),
        "notes": "An equivalence bound: the study decides by the whole interval, not by the "
        "estimate alone.",
    }


def _validity(
    part: Mapping[str, Any], models: Mapping[str, Any]
) -> Iterator[tuple[str, str, dict[str, Any]]]:
    rules = {} if part.get("answers_csv") else part.get("validity") or {}
    by_point = rules.get("registered") == "point"
    corpora = part.get("corpora", ()) if rules else ()
    for corpus, model in product(corpora, part.get("responders", ())):
        claim = {
            "metric": "veridical.control2.accuracy_without_document",
            "metric_args": {"rule": rules["registered"]},
            "model": {"id": models[model]["model"]},
            "comparator": "<=" if by_point else "<",
            "threshold": float(rules["threshold" if by_point else "upper"]),
        }
        each = f"-{corpus}" if len(corpora) > 1 else ""
        yield f"control2-{model}{each}", corpus, claim


def first_asked(replies: Iterable[Path], record: str) -> str:
    """When the first reply came that was asked for under a record, ISO, UTC; empty without one."""
    times = []
    for path in replies:
        with open(path, encoding="utf-8") as lines:
            for entry in map(json.loads, lines):
                kept = (exchange["reply"] for exchange in entry.get("exchanges", ()))
                times += [reply.get("time") for reply in kept if reply.get("record") == record]
    moments = [datetime.datetime.fromisoformat(time) for time in times if time]
    return min(moments).astimezone(datetime.UTC).isoformat() if moments else ""


def corpus_sha256(design: Manifest, corpus: str) -> str:
    """SHA-256 of a corpus as it was sealed: of the lines of its files in the `SHA256SUMS`."""
    prefix = f"data/corpora/{corpus}/"
    own = [f"{f.sha256}  {f.path}\n" for f in design.files if f.path.startswith(prefix)]
    return hashlib.sha256("".join(own).encode()).hexdigest()


def _producer(citation: Mapping[str, Any]) -> str:
    """Who registers, by the citation: an ORCID, else the host of an address, else the name."""
    author = citation["authors"][0]
    for field in ("orcid", "website"):
        if told := author.get(field):
            return str(told).rstrip("/").rpartition("/")[2] if field == "orcid" else _host(told)
    for field in ("repository-code", "url"):
        if told := citation.get(field):
            return _host(told)
    names = [author.get(part) for part in ("name", "given-names", "family-names")]
    return " ".join(str(name) for name in names if name)


def _host(address: Any) -> str:
    return urlsplit(str(address)).hostname or str(address)


def _uuid7(moment: datetime.datetime, seed: str) -> str:
    """A UUID of version 7 (RFC 9562): its time, and in the place of chance the hash of a text."""
    data = bytearray(int(moment.timestamp() * 1000).to_bytes(6, "big"))
    data += hashlib.sha256(seed.encode()).digest()[:10]
    data[6] = 0x70 | (data[6] & 0x0F)
    data[8] = 0x80 | (data[8] & 0x3F)
    return str(uuid.UUID(bytes=bytes(data)))
