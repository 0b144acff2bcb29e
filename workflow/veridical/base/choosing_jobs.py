"""When the workflow engine chooses the next jobs: as one ends, not all the time."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from snakemake.workflow import Workflow

DEFAULT = (100, 1)  # jobs, seconds: the engine's own limit, where nobody sets one


def choose_as_jobs_end(workflow: Workflow) -> None:
    """Take the engine's default limit of jobs a second away; one that somebody sets is kept.

    Under a limit every choice of jobs sets a timer for another choice, and that one the next: each
    job that ends adds a series of choices that goes on until the end. The demonstration's process
    made 43 a second halfway, each a solved programme, and took a quarter of a core from its models.
    To be called when jobs are about to start, since the limit is set after the rules are read.
    """
    limit = workflow.scheduling_settings.max_jobs_per_timespan
    if limit is not None and (limit.max_jobs, limit.timespan) == DEFAULT:
        workflow.scheduler.job_rate_limiter = None
