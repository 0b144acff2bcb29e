# Veridical: does a memory score measure memory?
# What is asked of whom lies in config/, how in workflow/rules/ (read in the order below).

import os
import re
import sys

from snakemake.exceptions import WorkflowError

sys.path.insert(0, str(Path(workflow.basedir, "workflow").resolve()))
import veridical
from veridical.base.checks import CORPUS_NAME, corpora_named
from veridical.base.choosing_jobs import choose_as_jobs_end
from veridical.base.config import ConfigError, configure, parts_on, unsaid
from veridical.base.folders import language_of
from veridical.base.unseen import hide_pandas, show_pandas
from veridical.check.languages import lacking_texts
from veridical.ledger.places import PlaceError, check_shared, check_storage, keep_elsewhere

# Jobs may keep what they compile: else each of a hundred compiles pandas and statsmodels anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

for place in (sys.executable, os.getcwd()):
    if any(character.isspace() for character in place):
        raise WorkflowError(
            f"{place}: the engine can't start a job from a path with a space in it; "
            "move the project and its environment to one without"
        )


# The progress lines' plugin brings the library of the environment with it, before this file is read:
# another checkout's would run here, and be sealed as this one's.
library = Path(veridical.__file__).resolve()
if not library.is_relative_to(Path(workflow.basedir).resolve()):
    raise WorkflowError(
        f"{sys.executable} runs the library of another checkout, {library.parents[2]}; "
        f"use this one's own environment (in {workflow.basedir}: uv sync, or pip install -e .)"
    )

# The config is read here as it was written, since the engine's reader takes `no` for false, `010` for
# 8 and the last of two equal keys for both, and doesn't say in which line a mistake stands. Without a
# config of one's own the demonstration is run; nothing of it goes into another study.
given = workflow.config_settings
files = workflow.overwrite_configfiles or ["config/config.yaml"]
try:
    checked = configure(files, given.config_args)
    UNSAID = unsaid(files, given.config_args)
except ConfigError as error:
    raise WorkflowError(str(error)) from None

if not workflow.overwrite_configfiles:

    configfile: "config/config.yaml"


config.clear()
config.update(checked)

try:
    check_storage(workflow.storage_settings.default_storage_provider)
    check_shared(workflow.storage_settings.shared_fs_usage, config)
    if not workflow.dryrun:
        keep_elsewhere(config)
except PlaceError as error:
    raise WorkflowError(str(error)) from None

STUDY = config["study"]
MODELS = config["models"]
CORPORA = corpora_named(config)

if workflow.is_main_process:
    if lacking := [*lacking_texts(config, {name: language_of(name) for name in CORPORA})]:
        raise WorkflowError("\n".join(lacking))

# What each stage of the freeze seals, by part; every part adds its own files. Tables of no part stand
# under "study".
PARTS = parts_on(config)
DESIGN, RESPONSES, VERDICTS, RESULTS = ({part: [] for part in ["study", *PARTS]} for _ in range(4))
FIGURES = []


include: "workflow/rules/common.smk"


wildcard_constraints:
    study=re.escape(STUDY),
    corpus=CORPUS_NAME,
    document="[a-z]+(-[a-z]+)*(-[0-9]+)*",
    model="[A-Za-z0-9][A-Za-z0-9._-]*",
    slice="[A-Za-z0-9_-]+",
    seed="[0-9]+",
    room="|".join(["study", *PARTS]),


rule all:
    """The whole study: every table, every figure, the report."""
    input:
        lambda wildcards: [*together(RESULTS), *FIGURES, *PUBLISHED, *FREEZE, *REPORT],


include: "workflow/rules/models.smk"
include: "workflow/rules/ledger.smk"
include: "workflow/rules/documents.smk"
include: "workflow/rules/lint.smk"
include: "workflow/rules/converters.smk"
include: "workflow/rules/claims.smk"


for part in PARTS:

    include: f"workflow/rules/{part}.smk"


include: "workflow/rules/check.smk"
include: "workflow/rules/published.smk"
include: "workflow/rules/freeze.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/archive.smk"


if workflow.is_main_process:
    hide_pandas()

# A rule that says how long it may run is sent to another machine, where there are any. The others are
# done in a second: an executor asks for a job's state every half minute, so they stay with the process
# that leads.
QUICK = [step for step in workflow.rules if "runtime" not in step.resources]
workflow.localrules(*(step.name for step in QUICK))

# What a model's question may wait for goes before questions that could be asked already: else a step of
# a second waits behind all of them. Figures can wait, and fill the cores when the last are asked.
for step in QUICK:
    if not step.priority and not any(path.startswith("figures/") for path in step.output):
        step.priority = 200


onstart:
    show_pandas()
    choose_as_jobs_end(workflow)
    print(f"Veridical: study {STUDY!r}, {config.get('title', '')}", file=sys.stderr)


onsuccess:
    if Path(f"results/{STUDY}/report/index.html").exists():
        print(f"Veridical: the report is results/{STUDY}/report/index.html", file=sys.stderr)


onerror:
    print(
        "Veridical: stopped. What was collected is kept; the same command goes on from there.",
        file=sys.stderr,
    )
