"""Check every sealed file and say which changed, went missing or was added."""

from collections.abc import Mapping, Sequence

from veridical.base.script import run
from veridical.freeze.verify import render, verify


def main(*, study: str, expected: Mapping[str, Sequence[str]]) -> int:
    """Print one line a stage and one a difference; 1 where something does not hold."""
    checks = verify(study, expected=expected)
    print(render(checks), flush=True)
    return 0 if all(check.holds for check in checks) else 1


if __name__ == "__main__":
    run(main, snakemake, log=False)
