"""The scripts of the memory documents, on a small life: each writes its document or stops."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from support.lives import life, write_life
from support.scripts import load_script
from veridical.base.tables import read_table
from veridical.corpora.corpus import read_corpus
from veridical.documents.partial import altered, require_distinct
from veridical.documents.tables import FIDELITY

ROOT = Path(__file__).parents[2]
PROMPTS = Path("prompts.jsonl")


@pytest.fixture
def settings(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_life(life(), Path("data/corpora/T"))
    return Path("data/corpora/T/corpus.yaml")


def made(script: str, settings: Path, document: str, **more) -> list[str]:
    path = Path("documents", f"{document}.txt")
    load_script(f"documents/{script}.py").main(settings, path, **more)
    text = path.read_text()
    assert text.endswith("\n")
    assert not text.endswith("\n\n")
    return text.splitlines()


def test_the_memory_block_and_the_whole_log_are_written_as_they_are(settings):
    corpus = read_corpus(settings)
    assert made("copy_memory", settings, "veridical", content="veridical") == (
        corpus.memory_block.splitlines()
    )
    log = made("copy_memory", settings, "log", content="encounter-log")
    assert log == corpus.log().splitlines()
    assert len(log) == len(corpus.encounters)


def test_a_shuffled_memory_keeps_the_entries_words_and_binds_none(settings):
    lines = made("shuffle_memory", settings, "shuffled-1", seed=1, tolerance=0.5)
    true = read_corpus(settings).memory_block.splitlines()
    assert len(lines) == len(true)
    assert not set(lines) & set(true)
    again = made("shuffle_memory", settings, "again", seed=1, tolerance=0.5)
    other = made("shuffle_memory", settings, "other", seed=2, tolerance=0.5)
    assert again == lines != other


def test_a_corrupted_memory_differs_in_its_partners_alone(settings):
    corpus = read_corpus(settings)
    lines = made("corrupt_bindings", settings, "binding-corrupted", name="binding-corrupted")
    true = corpus.memory_block.splitlines()
    assert len(lines) == len(true)
    assert not set(lines) & set(true)

    def without(texts: list[str]) -> list[str]:
        for partner in corpus.partners:
            texts = [text.replace(partner, "·") for text in texts]
        return texts

    assert without(lines) == without(true)


def test_the_check_reports_every_document_by_its_files_name(settings):
    for name, script, more in (
        ("veridical", "copy_memory", {"content": "veridical"}),
        ("shuffled-1", "shuffle_memory", {"seed": 1, "tolerance": 0.5}),
    ):
        made(script, settings, name, **more)
    report = Path("fidelity.csv")
    main = load_script("documents/check_fidelity.py").main
    paths = [Path("documents/veridical.txt"), Path("documents/shuffled-1.txt")]
    main(settings, paths, report, tolerance=0.5)
    table = read_table(report, FIDELITY)
    assert set(table["document"]) == {"veridical", "shuffled-1"}
    assert table["passed"].all()


def test_a_document_that_fails_a_check_is_named_and_no_report_is_written(settings):
    Path("documents").mkdir()
    Path("documents/shuffled-1.txt").write_text("one line\n")
    report = Path("fidelity.csv")
    main = load_script("documents/check_fidelity.py").main
    with pytest.raises(ValueError, match="shuffled-1"):
        main(settings, [Path("documents/shuffled-1.txt")], report, tolerance=0.1)
    assert not report.exists()


# The author


def prompts_of(settings: Path, **more) -> list[dict]:
    path = PROMPTS
    asked = {"seeds": [1, 2], "form": "whole", "parameters": {"max_tokens": 900}, "further": {}}
    load_script("documents/write_author_prompts.py").main(settings, path, **asked | more)
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("form", ["whole", "entries"])
def test_an_author_is_asked_for_every_seed_and_every_further_attempt(settings, form):
    settings = ROOT / "data/corpora/A/corpus.yaml"  # whose lines have room for a note
    plain = prompts_of(settings, form=form)
    further = prompts_of(settings, form=form, further={"foreign-2": ["it repeats", "again"]})
    attempts = [prompt["facts"]["attempt_of"] for prompt in further]
    assert list(dict.fromkeys(attempts)) == [
        "foreign-1-attempt-1",
        "foreign-2-attempt-1",
        "foreign-2-attempt-2",
        "foreign-2-attempt-3",
    ]
    assert [prompt for prompt in further if prompt["id"] in {each["id"] for each in plain}] == plain
    assert len({prompt["id"] for prompt in further}) == len(further)


def replies(path: Path, prompts: list[dict], text: str, state: str = "ok") -> Path:
    """A replies file in which every prompt is answered so."""
    from veridical.ledger.replies import COLUMNS

    plain = dict.fromkeys(COLUMNS) | {"model": "author", "sample": 0, "turn": 0, "attempt": 1}
    with path.open("w") as lines:
        for prompt in prompts:
            said = {"id": prompt["id"], "facts": prompt["facts"], "state": state, "text": text}
            line = plain | said | {"stage": "documents", "value": text, "exchanges": []}
            lines.write(json.dumps(line) + "\n")
    return path


def test_an_author_that_writes_no_life_is_stopped_at_with_what_failed(settings):
    asked = prompts_of(settings, seeds=[1])
    answered = replies(Path("replies.jsonl"), asked, "I would rather not.")
    main = load_script("documents/assemble_foreign.py").main
    document = Path("documents/foreign-1.txt")
    with pytest.raises(ValueError, match="foreign-1"):
        main(settings, PROMPTS, answered, document, seed=1, tolerance=0.1, further={})
    assert not document.exists()


@pytest.mark.parametrize(
    ("text", "state", "said"),
    [("", "failed", "not usable"), ("", "refused", "not usable")],
)
def test_replies_that_failed_are_named_by_their_prompt(settings, text, state, said):
    asked = prompts_of(settings, seeds=[1])
    answered = replies(Path("replies.jsonl"), asked, text, state)
    main = load_script("documents/assemble_foreign.py").main
    with pytest.raises(ValueError, match=f"{said}: {asked[0]['id']} .{state}."):
        main(
            settings,
            PROMPTS,
            answered,
            Path("d.txt"),
            seed=1,
            tolerance=1,
            further={},
        )


def test_every_attempt_is_listed_with_what_was_wrong(settings):
    from veridical.documents.tables import ATTEMPTS

    further = {"foreign-1": ["it gave no life"]}
    asked = prompts_of(settings, seeds=[1], further=further)
    answered = replies(Path("replies.jsonl"), asked, "I would rather not.")
    path = Path("attempts.csv")
    load_script("documents/list_attempts.py").main(
        settings, PROMPTS, answered, path, seeds=[1], tolerance=0.1, further=further
    )
    table = read_table(path, ATTEMPTS)
    assert table["attempt"].tolist() == [1, 2]
    assert table["used"].tolist() == [False, True]
    assert table["reason"].fillna("").tolist() == ["", "it gave no life"]
    assert (table["failed_checks"].str.len() > 0).all()
    assert table["characters"].tolist() == [len("I would rather not.")] * 2


def checked(settings: Path, documents: dict[str, str]) -> None:
    paths = [Path("documents", f"{name}.txt") for name in documents]
    Path("documents").mkdir(exist_ok=True)
    for path, text in zip(paths, documents.values(), strict=True):
        path.write_text(text + "\n")
    main = load_script("documents/check_fidelity.py").main
    main(settings, paths, Path("fidelity.csv"), tolerance=0.2)


def test_two_doses_that_alter_the_same_bindings_are_no_two_documents(settings):
    shutil.rmtree(settings.parent)
    write_life(life(remembered=6), settings.parent)
    corpus = read_corpus(settings)
    real, names = corpus.memory_block, ("partial-10-1", "partial-20-1")
    one, two = (altered(corpus, name) for name in names)
    assert one == two  # so few bindings are remembered that both come to one pair
    said = "partial-10-1 and partial-20-1 are the same document: .*documents/partial_doses"
    with pytest.raises(ValueError, match=said):
        checked(settings, {"veridical": real, names[0]: one, names[1]: two})
    assert not Path("fidelity.csv").exists()
    checked(settings, {"veridical": real, names[0]: one})
    assert Path("fidelity.csv").exists()


def test_a_dose_that_can_be_had_in_one_way_only_has_one_seed():
    corpus = read_corpus(ROOT / "data/corpora/A")
    every = {name: altered(corpus, name) for name in ("partial-100-1", "partial-100-2")}
    with pytest.raises(ValueError, match="or documents/partial_seeds"):
        require_distinct([*every.items()])
    some = {name: altered(corpus, name) for name in ("partial-30-1", "partial-30-2")}
    require_distinct([("veridical", corpus.memory_block), *some.items(), ("stale", "as it is")])
    require_distinct([("shuffled-1", "the same"), ("shuffled-2", "the same")])  # not its to say
