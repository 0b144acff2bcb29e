"""What is wrong with a study is said at once, before anything is asked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from support.lives import life, with_parts, write_life
from veridical.base.brought import brought
from veridical.check.languages import lacking_texts
from veridical.check.preflight import problems

ROOT = Path(__file__).parents[2]
PRICES = ROOT / "data/prices.csv"
SCRIPTED = {"provider": "scripted", "model": "any"}


def found(study: dict, environ: dict | None = None) -> list[str]:
    return list(problems(study, PRICES, environ=environ or {"PATH": "/usr/bin:/bin"}))


def test_a_study_with_nothing_wrong_has_no_problem(study):
    assert found(study) == []


@pytest.mark.parametrize(("alarm", "problems"), [(39.8, 0), (39.9, 1)])
def test_an_alarm_that_no_session_can_raise_is_named(study, alarm, problems):
    """Who recalls nothing scores 2 log2(1e6 + 1), which is 39.863."""
    weights = {"semantic": 1.0, "episodic": 1.0}
    study["aas"] = {"epsilon": 1e-6, "weights": weights, "normalise": False, "alarm": alarm}
    study["aas"] |= {"tasks": [], "sessions": 2, "start": "2025-08-11", "languages": ["en"]}
    said = [each for each in found(study) if each.startswith("aas/alarm")]
    assert len(said) == problems
    assert all("39.863" in each for each in said)


def test_an_unbalanced_corpus_is_named_before_anything_is_asked(study):
    corpus = life()
    table = corpus.encounters.copy()
    table.loc[0, "partner"] = "Yve"
    block = "\n".join(corpus.entry(row) for row in table[table["in_memory"]].to_dict("records"))
    changed = with_parts(corpus, encounters=table, memory_block=block)
    write_life(changed, Path("data/corpora/U"))
    study["control3"]["corpora"] = ["T", "U"]
    (problem,) = found(study)
    assert "U" in problem
    assert "Xan" in problem


def test_a_wrong_number_of_entries_or_probes_is_named(study):
    study["control3"]["document_encounters"] = 30
    (problem,) = found(study)
    assert problem.startswith("control3, corpus T:")
    assert "30" in problem


def test_tables_that_the_study_brings_are_read(study, tmp_path):
    """A wrong cell, a life that doesn't fit and probes too few: a sentence each, by the file."""
    for name, text in {
        "verdicts": "judge,metric,item_id,condition,seed,anchor_score,other_score,anchor_position\n"
        "j,m,Q1,veridical,,0.5,7,A\n",
        "partners": "corpus,model,document,probe_id,answer,true_partner,first_option\n"
        "E,m,veridical,p,X,X,X\n",
        "probes": "corpus,probe_id,encounter_id\nT,p,e\n",
        "life": "date,partner,topic,note\n2025-01-01,Nob,a,b\n",
    }.items():
        (tmp_path / f"{name}.csv").write_text(text, encoding="utf-8")
    study["control1"] = {"verdicts_csv": str(tmp_path / "verdicts.csv"), "judges": ["j"]}
    study["control3"]["probes_csv"] = str(tmp_path / "probes.csv")
    study["documents"]["own"] = {"T": {"foreign-1": str(tmp_path / "life.csv")}}
    said = found(study)
    assert [each for each in said if "verdicts.csv: row 2, column other_score: 7.0 is not" in each]
    assert [each for each in said if "probes.csv has 1 probes of corpus T" in each]
    assert [
        each for each in said if each.startswith("documents, corpus T: foreign-1: characters is")
    ]
    study["control3"] = {"answers_csv": str(tmp_path / "partners.csv"), "responders": ["m"],
                         "corpora": ["E"]}  # fmt: skip
    assert [each for each in found(study) if "corpus E: one partner alone" in each]


def test_all_texts_that_a_language_lacks_are_listed_at_once(study):
    write_life(life(language="xx"), Path("data/corpora/X"))
    study["control3"]["corpora"] = ["X"]
    (problem,) = [each for each in found(study) if "lacks" in each]
    # memory, no-memory, task-partner, question-partner, quote-partner
    assert problem.startswith("language 'xx' lacks 8 of the texts")
    assert "question-partner.xx.txt" in problem
    assert "rubric" not in problem  # Control 1 is off


def test_each_language_has_its_sentence_and_a_text_in_another_form_its_ending(study):
    study["control1"] = {"corpora": ["X"]}
    study["control3"]["corpora"] = ["Y", "T"]
    first, second = lacking_texts(study, {"X": "xx", "Y": "yy", "T": "en"})
    for text in ("rubric.xx.txt", "lives.xx.yaml", "foreign-words.xx.yaml"):
        assert text in first
    assert "flag.xx.txt" not in first  # Control 3 asks in another language
    assert second.startswith("language 'yy' lacks 8 of the texts")


def test_only_an_author_needs_the_words_for_altering(study):
    study["control2"] = {"corpora": ["X"], "alterations": "rule"}
    (rule,) = lacking_texts(study, {"X": "xx"})
    study["control2"]["alterations"] = "author"
    (author,) = lacking_texts(study, {"X": "xx"})
    assert "alter-detail.xx.txt" not in rule
    assert "alter-detail.xx.txt, detail-kinds.xx.txt" in author


def test_answers_that_are_brought_along_need_no_texts(study):
    study["control3"] |= {"corpora": ["X"], "answers_csv": "answers.csv"}
    assert bool([*lacking_texts(study, {"X": "xx"})]) is not brought(study, "control3")
    assert brought(study, "control3")


def test_metrics_in_words_of_their_own_need_none_that_ship(study):
    words = {"question": "Caldo?", "low": "freddo", "high": "caldo"}
    study["control1"] = {
        "corpora": ["X"],
        "metrics": ["warmth", "charm"],
        "wording": {"warmth": words},
    }
    assert "metrics.xx.txt" in next(lacking_texts(study, {"X": "xx"}))
    study["control1"]["wording"]["charm"] = words
    assert "metrics.xx.txt" not in next(lacking_texts(study, {"X": "xx"}))


def test_a_dry_run_says_every_text_that_is_missing(project):
    """The engine itself would name the files of one rule and stop."""
    settings = project / "data/corpora/A/corpus.yaml"
    text = settings.read_text(encoding="utf-8").replace("language: en", "language: nl")
    settings.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "snakemake", "-n", "--cores", "1"]
    run = subprocess.run(
        [*command, "--configfile", "config/rehearsal.yaml"],
        cwd=project, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert run.returncode != 0
    (said,) = [line for line in (run.stdout + run.stderr).splitlines() if "lacks" in line]
    for name in ("rubric", "sheet", "memory", "question-recognition", "question-partner", "flag"):
        assert f"{name}.nl.txt" in said


def test_keys_programs_and_scripts_that_are_not_there(study):
    study["models"] |= {
        "paid": {"provider": "openai", "model": "gpt-4.1"},
        "mine": {"provider": "command", "model": "m", "structured": "text", "command": ["nope"]},
        "yours": {
            "provider": "command",
            "model": "y",
            "structured": "text",
            "command": [sys.executable, "agent.py"],
        },
        "unused": {"provider": "google", "model": "gemini-2.5-pro"},
    }
    study["control3"]["responders"] = ["any", "paid", "mine", "yours"]
    assert found(study) == [
        "model 'paid': the environment has no OPENAI_API_KEY, which holds its key",
        "model 'mine': there is no program 'nope'",
        "model 'yours': command: there is no file 'agent.py'",
    ]
    with_key = found(study, {"OPENAI_API_KEY": "x" * 20, "PATH": "/usr/bin:/bin"})
    assert "OPENAI_API_KEY" not in " ".join(with_key)
    assert "OPENAI_API_KEY" in " ".join(found(study, {"OPENAI_API_KEY": "  ", "PATH": ""}))


def test_what_a_provider_refuses_is_named_with_the_rest(study):
    """A command has no grammar; the other problems are told all the same."""
    command = [sys.executable, "agent.py"]
    study["models"]["mine"] = {
        "provider": "command",
        "model": "m",
        "structured": "grammar",
        "command": command,
    }
    study["control3"] |= {"responders": ["mine"], "document_encounters": 30}
    said = found(study)
    assert len(said) == 2
    assert any("a command has structured: text" in problem for problem in said)


def test_a_context_that_can_not_hold_the_document(study):
    study["models"]["any"] = SCRIPTED | {"context": 256}
    length = len(life().memory_block)
    # 256 tokens of at most six characters
    assert length > 6 * 256
    (problem,) = found(study)
    assert f"{length:,} characters" in problem
    assert "'any' (256 tokens)" in problem
    study["models"]["any"] = SCRIPTED | {"context": length}
    assert found(study) == []


def test_a_ceiling_in_money_needs_a_price(study):
    study["models"]["new"] = {"provider": "openai", "model": "gpt-99"}
    study["control3"]["responders"] = ["new"]
    environ = {"OPENAI_API_KEY": "x" * 20, "PATH": "/usr/bin"}
    assert found(study, environ) == []
    (problem,) = found(study | {"budget": {"money": 5}}, environ)
    assert "gpt-99" in problem
    assert "price" in problem


def test_a_broken_corpus_does_not_hide_what_else_is_wrong(study):
    Path("data/corpora/T/encounters.csv").write_text("nonsense\n", encoding="utf-8")
    study["models"]["paid"] = {"provider": "openai", "model": "gpt-4.1"}
    study["control3"]["responders"] = ["paid"]
    said = found(study)
    assert len(said) == 2
    assert "encounters.csv" in said[0]
    assert "OPENAI_API_KEY" in said[1]


def test_the_target_says_all_and_fails(project):
    config = project / "config/own.yaml"
    config.write_text(
        "study: own\nseed: 1\nmodels:\n"
        "  a: { provider: openai, model: gpt-4.1 }\n"
        "  b: { provider: anthropic, model: claude-opus-4-7 }\n"
        "control3: { corpora: [A], responders: [a, b] }\n",
        encoding="utf-8",
    )
    done = subprocess.run(
        [sys.executable, "-m", "snakemake", "check", "--configfile", "config/own.yaml"],
        cwd=project,
        env={"PATH": "/usr/bin:/bin", "HOME": str(project), "PYTHONPATH": "workflow"},
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout + done.stderr
    assert done.returncode != 0
    assert said.count("OPENAI_API_KEY") == said.count("ANTHROPIC_API_KEY") == 1, said
    assert "2 things to mend before this study can run." in said
