"""An executor that runs jobs as if on other machines, and notes the threads that each one claims.

Jobs that would ask a model end at once, as failed ones: what they claim is all that is looked at.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import AsyncGenerator, Sequence

from snakemake_interface_executor_plugins.executors.base import SubmittedJobInfo
from snakemake_interface_executor_plugins.executors.remote import RemoteExecutor
from snakemake_interface_executor_plugins.settings import CommonSettings

common_settings = CommonSettings(
    non_local_exec=True, implies_no_shared_fs=False, job_deploy_sources=False
)


class Executor(RemoteExecutor):
    """Runs a job as a snakemake of its own, which is told that it runs elsewhere."""

    def __post_init__(self) -> None:
        self.noted = os.environ["NOTED_THREADS"]

    def run_job(self, job) -> None:
        with open(self.noted, "a", encoding="utf-8") as file:
            file.write(f"{job.name} {job.threads}\n")
        self.report_job_submission(SubmittedJobInfo(job=job))

    async def check_active_jobs(
        self, active_jobs: Sequence[SubmittedJobInfo]
    ) -> AsyncGenerator[SubmittedJobInfo, None]:
        for info in active_jobs:
            asks = info.job.name.startswith("collect_")
            if asks or subprocess.run(self.format_job_exec(info.job), shell=True).returncode:
                self.report_job_error(info)
            else:
                self.report_job_success(info)
        for info in ():
            yield info

    def cancel_jobs(self, active_jobs: Sequence[SubmittedJobInfo]) -> None:
        """There is nothing to cancel: every job is run to its end."""
