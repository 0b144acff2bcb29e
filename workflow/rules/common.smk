# Reads: nothing.
# Writes: nothing; holds what several rules files ask while they are read.

# The engine compares a rule's params as a set of values: two numbers that may change places stand in
# one mapping (`numbers`), or the change goes unnoticed.

import functools
import math
import os

from veridical.base.folders import corpus_files, language_of, name_in
from veridical.base.code import code_hash
from veridical.base.code_kept import keep_code
from veridical.base.instrument import own_texts
from veridical.base.unseen import show_pandas
from veridical.models.shares import share
from veridical.base.checks import corpora_named
from veridical.freeze.chain import stage_of
from veridical.freeze.design import (
    analysis_files,
    design_config,
    part_config,
    part_files,
    study_config,
)

keep_code(".snakemake/veridical")

# Every word of the page and its figures, in the config's language.
TEXTS = f"workflow/report/text.{config.get('language', 'en')}.yaml"


def code_of(script):
    """A hash of a script and of every library module it reaches, for a rule's params."""
    return code_hash(Path(workflow.basedir, "workflow/scripts", script))


def fixed_texts(corpus, *names):
    """The fixed texts that prompts about a corpus are made of, in its language; .txt where the name
    has no other end. None that the study replaces by its own (`texts` in the config)."""
    language = language_of(corpus)
    own = own_texts(config["texts"], language)
    names = [name_in(corpus, name) for name in names if name not in own]
    parts = [name.partition(".") for name in names]
    return [f"workflow/veridical/texts/{stem}.{language}.{end or 'txt'}" for stem, _, end in parts]


def texts_about(corpora, *names):
    """The fixed texts of prompts about several corpora, each once."""
    return list(dict.fromkeys(text for each in corpora for text in fixed_texts(each, *names)))


def own_texts_about(corpus):
    """The study's own texts in a corpus's language, by name, which go before those that ship."""
    return own_texts(config["texts"], language_of(corpus))


def weights_of(wildcards):
    """The receipt of the weights that a model needs; none where a server has them, or in a replay."""
    if not config.get("collect", True):
        return []
    entry = MODELS[wildcards.model]
    return [f"data/models/{entry['model']}.json"] if entry["provider"] == "embedded" else []


def sent():
    """Whether jobs are sent to other machines, by the process that leads or as one of them."""
    return workflow.non_local_exec or workflow.remote_exec


def claimed(what):
    """What a job that asks a model claims of the machine it is sent to, by the config's `jobs`."""

    def claim(wildcards):
        own = config["jobs"]["models"].get(getattr(wildcards, "model", None), {})
        return own.get(what, config["jobs"][what])

    return claim


def model_threads(wildcards):
    """Cores that a job asking a model claims: by the config's `jobs` where it is sent elsewhere, of
    whose cores this machine's number says nothing. On this machine an embedded model's share of
    --cores where that is more than there are (`shares.share`), so that as many jobs run at once as
    the machine has cores, each on one thread; a server elsewhere needs none of ours."""
    if sent() or MODELS[wildcards.model]["provider"] != "embedded":
        return claimed("threads")(wildcards)
    return share(workflow.cores, len(os.sched_getaffinity(0)))


def author_servers(wildcards, threads):
    """Servers of the author's job: one for each core of this machine, four at most, since all that is
    judged waits for it. It claims what every model does all the same: a job that claims more waits
    until as much is free at once, behind all that fit before."""
    return min(threads if sent() else workflow.cores, len(os.sched_getaffinity(0)), 4)


@functools.cache
def model_ranks():
    """Every model's place by its size; read only where a job is to be run."""
    show_pandas()
    from veridical.models.shares import ranks

    return ranks(MODELS)


def ahead(stage):
    """The priority of jobs that ask a model: the higher stage first, and in it the largest model, so
    that the work of an hour doesn't end with one long job and idle cores."""
    return lambda wildcards: 10 * stage + model_ranks()[wildcards.model]


@functools.cache
def pinned(weights):
    """A row of data/weights.csv, with that which it is derived from; what is wrong with it, said
    before anything is fetched."""
    from veridical.models.weights_table import read_weights

    return read_weights(weights)


def source_of_weights(wildcards):
    """The receipt of the weights that derived ones are made of; none of those that are fetched."""
    _, *sources = pinned(wildcards.weights).receipts()
    return [f"data/models/{name}.json" for name in sources]


def weights_ahead(wildcards):
    """The priority of fetching weights: before all else, and the largest first; what others are
    derived from goes with them."""
    named = [
        name
        for name, entry in MODELS.items()
        if entry["provider"] == "embedded"
        and wildcards.weights in pinned(entry["model"]).receipts()
    ]
    return 300 + max((model_ranks()[name] for name in named), default=0)


def decided(wildcards):
    """What the config's `replies` say of one model's replies; an attempt's number is every model's."""
    replies = config.get("replies") or {}
    mine = {
        kind: {
            address: why
            for address, why in replies[kind].items()
            if address.split("/")[1] == wildcards.model
        }
        for kind in ("ask_again", "leave_out", "accept")
        if kind in replies
    }
    return {**replies, **mine}


def aside(value):
    """A param that decides no output: what depends on threads is left out when the engine compares
    a rule's params with those of the last run, so changing it makes nothing anew."""
    return lambda wildcards, threads: value


def timestamp_servers():
    """The servers that are asked for proof of time; none in a replay."""
    return config.get("timestamps") or {} if config.get("collect", True) else {}


def place(provider):
    """One place in the provider's resource for a job that asks it (profiles/default sets how many)."""
    return lambda wildcards: int(MODELS[wildcards.model]["provider"].startswith(provider))


def own_config(room):
    """What of the config decides one part's result, or, of `study`, what all parts share."""
    return study_config(config) if room == "study" else part_config(config, room)


def together(lists):
    """All files of lists by part, each once."""
    return list(dict.fromkeys(path for paths in lists.values() for path in paths))


@functools.cache
def study_files():
    """What the study's own seal holds: what all parts share of config, code and texts; the lock."""
    return [
        f"results/{STUDY}/config/study.json",
        "uv.lock",
        *analysis_files(workflow.basedir, PARTS),
    ]


@functools.cache
def design_files(part):
    """What a part's design holds: its config, code and corpora, and what its rules add."""
    own = [
        f"results/{STUDY}/config/{part}.json",
        *part_files(workflow.basedir, part, corpora_named(part_config(config, part))),
        *DESIGN[part],
    ]
    return [path for path in dict.fromkeys(own) if path not in {*study_files()}]


def last_asked(part):
    """The stage that a part's results follow: its verdicts, where it has any, or its responses."""
    return stage_of(part, "verdicts" if VERDICTS[part] else "responses")


def counted():
    """What the workflow counts to each stage."""
    stages = {"study": study_files()}
    for part in PARTS:
        stages[stage_of(part, "design")] = design_files(part)
        stages[stage_of(part, "responses")] = RESPONSES[part]
        if VERDICTS[part]:
            stages[stage_of(part, "verdicts")] = VERDICTS[part]
        stages[stage_of(part, "results")] = RESULTS[part]
    return stages | {"results": RESULTS["study"]}


def weights_of_system(wildcards):
    """Receipts of the weights that a system uses; none in a replay."""
    from veridical.memories.systems import systems_of

    named = systems_of(config)[wildcards.system].weights()
    return [f"data/models/{name}.json" for name in named if config.get("collect", True)]


def benchmark_file(wildcards):
    """The file to lint; a sentence that says what to type where there is none."""
    show_pandas()
    from veridical.benchmarks.asked import asked_benchmark

    try:
        return asked_benchmark(config.get("benchmark"))
    except ValueError as error:
        raise WorkflowError(str(error)) from None


def packed_sources(wildcards):
    """A hash of what is packed apart from results, taken only when an archive is asked for."""
    show_pandas()
    from veridical.archive.packing import source_digest

    return source_digest(STUDY, CORPORA)
