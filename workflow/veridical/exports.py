"""Where an archive keeps the replies that a replay reads, apart from those that it makes anew."""

from __future__ import annotations

from pathlib import Path, PurePosixPath


def is_replies(path: PurePosixPath | str) -> bool:
    """Whether a path from the project's root is that of a replies file."""
    parts = PurePosixPath(path).parts
    return parts[:1] == ("results",) and parts[3:4] == ("replies",) and parts[-1].endswith(".jsonl")


def replies_export(path: PurePosixPath | str) -> str:
    """Where a replay finds what a replies file holds.

    >>> replies_export("results/demo/control3/replies/A-none/gpt-4.1.jsonl")
    'data/replies/demo/control3/A-none/gpt-4.1.jsonl'
    """
    if not is_replies(path):
        raise ValueError(f"{path}: not results/<study>/<part>/replies/....jsonl")
    _, study, part, _, *rest = PurePosixPath(path).parts
    return "/".join(["data/replies", study, part, *rest])


def exports_of(replies: Path | str) -> list[Path]:
    """The export from which a replies file can be made, where there is one."""
    export = Path(replies_export(Path(replies).as_posix()))
    return [export] if export.is_file() else []
