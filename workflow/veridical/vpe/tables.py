"""Path entropy's tables, one line a column."""

from __future__ import annotations

from dataclasses import replace

from veridical.base.contract import (
    Column,
    Contract,
    Shown,
    flag,
    interval,
    number,
    p_value,
    text,
    whole,
)
from veridical.models.exchange import STATES
from veridical.vpe.modes import STYLES
from veridical.vpe.paired import FOUND
from veridical.vpe.rollouts import ENDS
from veridical.vpe.verifier import WAYS

CELL = (
    text("model", "the model's name in the study"),
    whole("horizon", "new tokens that a rollout may have", low=1, unit="tokens"),
    text("preset", "which sampling parameters", shown=Shown("preset", several=True)),
)
PROBLEM = text("problem_id", "the problem")
SHARE = {"unit": "share", "low": 0, "high": 1}
LEADING = ("apart", "not settled", "too few problems", "no bound", "alone")
NATS = {"unit": "nats"}

# measure: what it is, its unit and range, whether a problem or cell may lack it, how it is shown
MEASURES: dict[str, Column] = {
    column.name: column
    for column in (
        number("verified_probability", "verified rollouts of all", **SHARE),
        number("zero_verified", "problems with no verified rollout", **SHARE, shown="share"),
        number("mode_entropy", "entropy of the verified modes, plug-in", **NATS, low=0),
        number("mode_entropy_miller_madow", "the same, Miller and Madow's", **NATS, low=0),
        number("mode_entropy_chao_shen", "the same, Chao and Shen's", **NATS, low=0),
        number(
            "mode_entropy_reached",
            "the plug-in over problems with a verified rollout",
            **NATS,
            low=0,
            missing=True,
            shown="",
        ),
        number(
            "coverage_good_turing",
            "the chance that a further verified rollout has a mode seen before",
            **SHARE,
            missing=True,
            shown="",
        ),
        number("smoothed_vpe", "log of the smoothed probability plus mode_entropy", **NATS),
        number("vpe", "log of the probability plus mode_entropy", **NATS, missing=True),
    )
}


def _mean(measure: Column) -> tuple[Column, ...]:
    """A measure's mean over problems and its interval, on the page for the first one alone."""
    says = f"95 % bootstrap interval of {measure.name}"
    low, high = interval(measure.name, says, measure, missing=True)
    shown = Shown("verified_interval", "interval", (low.name, high.name))
    shown = shown if measure.name == "verified_probability" else None
    return (measure, replace(low, shown=shown), high)


CUT = Contract(
    "vpe/cut",
    "A shorter horizon as the beginning of the longest one's rollouts.",
    *CELL,
    PROBLEM,
    whole("sample", "the rollout, counted from 0"),
    text("state", "what became of the reply", *STATES),
    text("text", "the rollout's first tokens", missing=True),
    whole("completion_tokens", "how many they are", unit="tokens"),
    text("ended", "how it ended, as far as the server told", *ENDS),
    key=("model", "horizon", "preset", "problem_id", "sample"),
)
ROLLOUTS = Contract(
    "vpe/rollouts",
    "Every rollout: verified or not, its final number and its mode.",
    *CELL,
    PROBLEM,
    whole("sample", "the rollout, counted from 0"),
    text("state", "what became of the reply", *STATES),
    flag("complete", "whether the rollout came to its own end"),
    text("gold", "the right number, as a fraction where it is none"),
    text("extracted", "the rollout's final number", missing=True),
    text("way", "how that was found", *WAYS),
    flag("verified", "whether it is the right one; missing where no reply was had", missing=True),
    whole("length_bin", "mode: the length's bin, 0 the shortest", missing=True),
    text("operators", "mode: the operators used; empty where none is, or no reply was had"),
    whole("equations", "mode: equations, up to a cap", missing=True),
    text("style", "mode: how the solution is told", *STYLES, missing=True),
    text("mode", "the mode in one word", missing=True),
    whole("tokens", "new tokens, where the provider says", missing=True, unit="tokens"),
    text("text", "the rollout", missing=True),
    key=("model", "horizon", "preset", "problem_id", "sample"),
)
PROBLEMS = Contract(
    "vpe/problems",
    "Every problem's measures, from its rollouts.",
    *CELL,
    PROBLEM,
    whole("rollouts", "rollouts that were had", low=1, unit="rollouts"),
    whole("n_failed", "rollouts that could not be had", unit="rollouts"),
    whole("n_verified", "verified rollouts", unit="rollouts"),
    whole("n_modes", "distinct modes among them", unit="modes"),
    *MEASURES.values(),
    key=("model", "horizon", "preset", "problem_id"),
)
SUMMARY = Contract(
    "vpe/summary",
    "Means over problems of every model, horizon and preset.",
    *CELL,
    whole("n_problems", "problems", low=1, unit="problems"),
    whole("rollouts", "rollouts a problem, the fewest of any", low=1, unit="rollouts"),
    whole("n_rollouts", "rollouts of all problems", unit="rollouts", shown=""),
    whole("n_failed", "rollouts that could not be had", unit="rollouts", shown=""),
    whole("n_verified", "verified rollouts", unit="rollouts"),
    whole("n_reached", "problems with a verified rollout", unit="problems", shown=""),
    *(column for measure in MEASURES.values() for column in _mean(measure)),
    number(
        "pass_at_k", "chance of a right one among k rollouts", **SHARE, pattern=r"pass_at_(\d+)"
    ),
    number("smoothing", "pseudo-rollouts on either side of the probability", low=0, shown=""),
    key=("model", "horizon", "preset"),
)
PASS = number("value", "chance that one of k rollouts is right, mean over problems", **SHARE)
PASSES = Contract(
    "vpe/pass_at_k",
    "The chance of at least one right rollout as their number grows.",
    *CELL,
    whole("k", "rollouts", low=1, unit="rollouts"),
    PASS,
    *interval("ci95", "95 % bootstrap interval", PASS, ("low", "high"), missing=True),
    key=("model", "horizon", "preset", "k"),
)
EXPECTED = number("expected_modes", "distinct verified modes expected", unit="modes", low=0)
COVERAGE = Contract(
    "vpe/coverage",
    "Distinct verified modes as the number of rollouts grows, mean over problems.",
    *CELL,
    whole("b", "rollouts", low=1, unit="rollouts"),
    EXPECTED,
    *interval("ci95", "95 % bootstrap interval", EXPECTED, ("low", "high"), missing=True),
    key=("model", "horizon", "preset", "b"),
)
EXPECTED_ENTROPY = number(
    "expected_entropy", "entropy of the verified modes expected", unit="nats", low=0
)
ENTROPY = Contract(
    "vpe/entropy",
    "Entropy of the verified modes as the number of rollouts grows, mean over problems.",
    *CELL,
    whole("b", "rollouts", low=1, unit="rollouts"),
    EXPECTED_ENTROPY,
    *interval("ci95", "95 % bootstrap interval", EXPECTED_ENTROPY, ("low", "high"), missing=True),
    key=("model", "horizon", "preset", "b"),
)
DIFFERENCE = number("estimate", "second less first, mean over problems", shown="signed")
CONTRASTS = Contract(
    "vpe/contrasts",
    "Differences between horizons of a model and between models at a horizon, paired by problem.",
    text("contrast", "what differs", "horizons", "models", shown="value:contrast"),
    CELL[2],
    text("model", "the model, where horizons differ", missing=True),
    whole("horizon", "the horizon, where models differ", low=1, unit="tokens", missing=True),
    text("first", "the model or horizon that is taken off"),
    text("second", "the model or horizon that it is taken off from"),
    text("measure", "which measure", shown="value:measure"),
    whole("n_problems", "problems, paired", low=1, unit="problems"),
    DIFFERENCE,
    *interval("ci95", "95 % bootstrap interval", DIFFERENCE, ("low", "high"), missing=True),
    key=("preset", "contrast", "model", "horizon", "first", "second", "measure"),
)

LEAD = number("lead", "the leader's plug-in VPE less the most that the next could have",
              **NATS, missing=True, shown="signed")  # fmt: skip
LEADS = Contract(
    "vpe/leads",
    "Which model leads at every horizon, and whether its lead is more than chance.",
    text("preset", "which sampling parameters", shown=Shown("preset", several=True)),
    whole("horizon", "new tokens that a rollout may have", low=1, unit="tokens"),
    text("leader", "the model with the highest corrected estimate"),
    text("second", "the next one, where there is one", missing=True),
    whole("n_problems", "problems, paired", low=1, unit="problems"),
    number("corrected", "the leader's smoothed VPE with Chao and Shen's entropy", **NATS),
    number("second_corrected", "the next one's", **NATS, missing=True),
    LEAD,
    *interval("lead", "95 % t interval over problems", LEAD),
    p_value("p_lead", "one-sided p that there is no lead", missing=True, shown=""),
    p_value("p_lead_holm", "p_lead after Holm over horizons and presets", missing=True),
    text("finding", "whether the lead is settled", *LEADING, shown="value:finding"),
    key=("preset", "horizon"),
)

GAP = number("least", "the least that the mean difference could be, the ways not seen allowed for",
             missing=True, shown="signed")  # fmt: skip
SETTLED = (
    number("margin", "the difference that counts as none", low=0, missing=True, shown=""),
    whole("n_tested", "problems tested, paired", unit="problems", missing=True),
    GAP,
    replace(GAP, name="most", says="the most that it could be"),
    p_value("p", "two-sided p of sign flips over problems", missing=True, shown=""),
    p_value("p_same", "p of sign flips that it reaches the margin", missing=True, shown=""),
    p_value("p_holm", "p after Holm over the table", missing=True),
    p_value("p_same_holm", "p_same after Holm over the table", missing=True),
    p_value("lowest", "the lowest p_holm that so many problems can give", missing=True, shown=""),
    text("finding", "what is concluded", *FOUND, shown="value:finding"),
)

MAPS = Contract(
    "vpe/maps",
    "The same rollouts under every mode map of the study, means over problems.",
    text("map", "the mode map's name; `modes` is the registered one"),
    flag("registered", "whether it is the registered one"),
    *CELL,
    whole("n_problems", "problems", low=1, unit="problems", shown=""),
    number("n_modes", "distinct verified modes a problem", unit="modes", low=0, shown="number"),
    MEASURES["mode_entropy"],
    *interval("entropy_interval", "95 % bootstrap interval", MEASURES["mode_entropy"],
              ("mode_entropy_low", "mode_entropy_high"), missing=True),
    MEASURES["mode_entropy_chao_shen"],
    MEASURES["smoothed_vpe"],
    *interval("vpe_interval", "95 % bootstrap interval", MEASURES["smoothed_vpe"],
              ("smoothed_vpe_low", "smoothed_vpe_high"), missing=True),
    number("corrected", "smoothed VPE with Chao and Shen's entropy", **NATS),
    whole("place", "the model's place by it under this map, 1 the highest", low=1),
    key=("map", "model", "horizon", "preset"),
)  # fmt: skip
DOCUMENT = Contract(
    "vpe/document",
    "Problems with an added document against the same without it, paired by problem.",
    CELL[0],
    CELL[1],
    text("measure", "which measure", shown="value:measure"),
    whole("n_problems", "problems, paired", low=1, unit="problems"),
    number("without", "mean over problems without the document"),
    number("with_document", "mean over problems with it"),
    replace(DIFFERENCE, says="with the document less without it"),
    *interval("ci95", "95 % bootstrap interval", DIFFERENCE, ("low", "high"), missing=True),
    *SETTLED,
    key=("model", "horizon", "measure"),
)
MAP_CONTRASTS = Contract(
    "vpe/map_contrasts",
    "Every two models' difference in VPE under every mode map, paired by problem.",
    MAPS.columns[0],
    CELL[1],
    text("first", "a model"),
    text("second", "the model that it is held against"),
    number("estimate", "first less second, smoothed VPE with Chao and Shen's entropy", **NATS,
           shown="signed"),
    *SETTLED,
    key=("map", "horizon", "first", "second"),
)  # fmt: skip

TABLES = (
    *(ROLLOUTS, PROBLEMS, SUMMARY, PASSES, COVERAGE, ENTROPY, CONTRASTS, LEADS, MAPS, DOCUMENT),
    MAP_CONTRASTS,
)
