"""One module a format. A module is found by its name; it says `TITLE`, `fits` and `read`.

Each is imported here, so that a change in it is a change of what reads benchmarks.
"""

from veridical.benchmarks.readers import (  # noqa: F401
    beam,
    gsm8k,
    halumem,
    locomo,
    longmemeval,
    longmemeval_v2,
    membench,
    memoryagentbench,
    personamem,
    personamem_v2,
    plain,
)
