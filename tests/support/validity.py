"""Control 2's validity table of models whose answers are counted out."""

import pandas as pd
from veridical.control2.validity import judge_validity


def validity_of(registered="point", **models):
    """The validity table of models that answer so many right, wrong and not, without a document.

    Right and wrong answers alternate as long as both last, and the true text is A or B in turn.
    """
    rows = []
    for model, (right, wrong, silent) in models.items():
        few = min(right, wrong)
        letters = "cw" * few + "c" * (right - few) + "w" * (wrong - few) + "-" * silent
        for condition in ("veridical", "counterfeit", "none"):
            for i, letter in enumerate(letters):
                truth, other = "AB" if (i // 2) % 2 else "BA"
                answer = {"c": truth, "w": other}.get(letter)
                correct = None if answer is None else answer == truth
                state = "abstained" if answer is None else "ok"
                rows.append((model, condition, f"p{i}", state, answer, correct, "A"))
    columns = ["model", "condition", "probe_id", "state", "answer", "correct", "first_option"]
    answers = pd.DataFrame(rows, columns=columns).astype({"correct": object, "answer": object})
    return judge_validity(answers, list(models), registered=registered)
