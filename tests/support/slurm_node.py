"""A SLURM of one node on this machine, for tests that send jobs to it.

Needs root, slurmctld, slurmd and munge.

    python tests/support/slurm_node.py folder      # runs until it is ended

State by `squeue` (no accounting). What it writes lies in the folder, but for a link at the place
where every SLURM program looks for its config (the engine's executor clears `SLURM_CONF`).
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

NEEDED = ("munged", "slurmctld", "slurmd", "sbatch", "squeue")
USUAL = Path("/etc/slurm/slurm.conf")
PLACES = "/usr/sbin:/usr/bin:/sbin:/bin"
CONFIG = """
ClusterName=one
SlurmctldHost={name}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1,requeue_setup_env_fail
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
JobRequeue=1
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
MinJobAge=300
NodeName={name} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory={memory} State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:8
"""


def missing() -> list[str]:
    """What of SLURM isn't installed here; all of it where this is not root."""
    return [name for name in NEEDED if not shutil.which(name, path=PLACES) or os.getuid()]


def _free_port() -> int:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


@contextmanager
def slurm(folder: Path) -> Iterator[dict[str, str]]:
    """Run the three daemons; yields the environment in which sbatch and squeue are found.

    Raises RuntimeError where something is missing, where this machine has a SLURM of its own, and
    with the daemons' last words where the node doesn't become idle.
    """
    if absent := missing():
        raise RuntimeError(f"not here, or not root: {', '.join(absent)} (apt-get install slurmd)")
    if USUAL.exists():
        raise RuntimeError(f"{USUAL} is there: this machine has a SLURM of its own")
    folder = folder.resolve()
    for name in ("state", "spool"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    os.chmod(folder, 0o755)
    key = folder / "munge.key"
    key.write_bytes(os.urandom(1024))
    key.chmod(0o400)
    config = folder / "slurm.conf"
    config.write_text(
        CONFIG.format(
            name=socket.gethostname().split(".")[0],
            ports=(_free_port(), _free_port()),
            folder=folder,
            cpus=os.cpu_count(),
            memory=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2**20 - 500,
        ),
        encoding="utf-8",
    )
    USUAL.unlink(missing_ok=True)  # a link left by a run that was killed
    USUAL.parent.mkdir(exist_ok=True)
    USUAL.symlink_to(config)
    environ = {**os.environ, "PATH": f"{os.environ['PATH']}:{PLACES}"}
    munged = ["munged", "--foreground", "--force", f"--socket={folder}/munge.socket"]
    munged += [f"--key-file={key}", f"--pid-file={folder}/munge.pid"]
    munged += [f"--seed-file={folder}/munge.seed", f"--log-file={folder}/munge.log"]
    running: list[subprocess.Popen] = []
    try:
        with open(folder / "daemons.log", "w") as log:
            for words in (munged, ["slurmctld", "-D", "-i"], ["slurmd", "-D", "-c"]):
                running.append(subprocess.Popen(words, env=environ, stdout=log, stderr=log))
                time.sleep(1)
        _wait_until_idle(folder, environ)
        yield environ
    finally:
        with suppress(OSError, subprocess.SubprocessError):
            subprocess.run(["scancel", "--user=root"], env=environ, timeout=20, check=False)
        for process in reversed(running):
            process.terminate()
        for process in running:
            with suppress(subprocess.TimeoutExpired):
                process.wait(20)
            process.kill()
        USUAL.unlink(missing_ok=True)


def _wait_until_idle(folder: Path, environ: dict[str, str]) -> None:
    for _ in range(60):
        told = subprocess.run(
            ["sinfo", "-h", "-o", "%T"], env=environ, capture_output=True, text=True, check=False
        )
        if told.stdout.strip() in ("idle", "mixed", "allocated"):
            return
        time.sleep(0.5)
    words = [path.read_text(errors="replace")[-1500:] for path in folder.glob("*.log")]
    raise RuntimeError("\n".join(["the node did not become idle", told.stderr, *words]))


if __name__ == "__main__":
    with slurm(Path(sys.argv[1])) as found:
        subprocess.run(["sinfo"], env=found, check=True)
        with suppress(KeyboardInterrupt):
            while True:
                time.sleep(3600)
