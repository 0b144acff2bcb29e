"""Check every sealed file and say which changed, went missing or was added."""

import sys
from collections.abc import Mapping, Sequence

from veridical.freeze.verify import render, verify


def main(study: str, *, expected: Mapping[str, Sequence[str]]) -> bool:
    """Print one line a stage and one a difference; return whether everything holds."""
    checks = verify(study, expected=expected)
    print(render(checks), flush=True)
    return all(check.holds for check in checks)


if __name__ == "__main__":
    holds = main(snakemake.params.study, expected=snakemake.params.expected)  # noqa: F821
    sys.exit(0 if holds else 1)
