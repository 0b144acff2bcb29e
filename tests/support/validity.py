"""Control 2's validity table of models whose answers are counted out."""

import pandas as pd
from veridical.control2.validity import judge_validity


def validity_of(registered="point", **models):
    """The validity table of models that answer so many right, wrong and not, without a document.

    They answer about corpus A; `validity_on` has several. Right and wrong answers alternate as
    long as both last, and the true text is A or B in turn.
    """
    return validity_on(registered, A=models)


def validity_on(registered="point", **corpora):
    """The same of several corpora, each with its models."""
    rows = [row for corpus, models in corpora.items() for row in _rows(corpus, models)]
    columns = ["corpus", "model", "condition", "probe_id", "state", "answer", "correct"]
    answers = pd.DataFrame(rows, columns=columns).astype({"correct": object, "answer": object})
    models = list(answers["model"].drop_duplicates())
    return judge_validity(answers.assign(first_option="A"), models, registered=registered)


def _rows(corpus, models):
    for model, (right, wrong, silent) in models.items():
        few = min(right, wrong)
        letters = "cw" * few + "c" * (right - few) + "w" * (wrong - few) + "-" * silent
        for condition in ("veridical", "counterfeit", "none"):
            for i, letter in enumerate(letters):
                truth, other = "AB" if (i // 2) % 2 else "BA"
                answer = {"c": truth, "w": other}.get(letter)
                correct = None if answer is None else answer == truth
                state = "abstained" if answer is None else "ok"
                yield (corpus, model, condition, f"p{i}", state, answer, correct)
