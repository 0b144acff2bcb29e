"""Reading a corpus: what a good folder gives, and how each way of breaking one is named."""

from __future__ import annotations

import csv
import re
import shutil
import string
import unicodedata
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.scripts import load_script
from veridical.corpora.corpus import Corpus, parse_entry, read_corpus, render_entry
from veridical.corpora.corpus_files import read_settings

ROOT = Path(__file__).parents[2]
FIELDS = ["topic", "note", "text"]
DEMONSTRATION = [ROOT / "data/corpora/A", ROOT / "data/corpora/B"]
LINE = "{date} — met {partner} — {topic}: {note}"

SETTINGS = """\
agent: Test
language: tr
partners: [Ada, Bo, Cem]
line: "{date} | {partner} | {topic} | {note}"
abstention: Bilmiyorum
question:
  with_whom: "{topic} hakkında kiminle konuştun?"
licence: CC0-1.0
origin: written for a test
"""
ENCOUNTERS = """\
encounter_id,date,partner,topic,note,text,in_memory
T-1,2025-01-02,Ada,çay,"demli, iki kez",Çay 3 dakika demlendi.,true
T-2,2025-01-02,Bo,ekmek,taze,Ekmek 2 gün dayandı.,true
T-3,2025-01-03,Cem,kedi,uyuyor,Kedi 9 saat uyudu.,true
T-4,2025-01-04,Bo,vapur,geç kaldı,Vapur 5 dakika geç kaldı.,false
T-5,2025-01-05,Ada,yağmur,yağdı,Yağmur 2 saat yağdı.,false
T-6,2025-01-06,Cem,kapı,gıcırdıyor,Kapı 1 kez yağlandı.,false
"""
MEMORY = """\
2025-01-02 | Ada | çay | demli, iki kez
2025-01-02 | Bo | ekmek | taze
2025-01-03 | Cem | kedi | uyuyor
"""
TEST_DAY = "item_id,input,anchor\nT-T1,Merhaba,\nT-T2,Nasılsın?,\n"
VOCABULARY = "kind,term\nplace,Çarşı\nthing,çay\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small good corpus: three partners, in Turkish."""
    folder = tmp_path / "T"
    folder.mkdir()
    files = {
        "corpus.yaml": SETTINGS,
        "encounters.csv": ENCOUNTERS,
        "memory_block.txt": MEMORY,
        "test_day.csv": TEST_DAY,
        "vocabulary.csv": VOCABULARY,
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_three_partners_in_another_language(folder):
    corpus = read_corpus(folder)
    assert (corpus.name, corpus.agent, corpus.language) == ("T", "Test", "tr")
    assert corpus.partners == ("Ada", "Bo", "Cem")
    assert corpus.memory_block == MEMORY.rstrip("\n")
    assert list(corpus.remembered()["encounter_id"]) == ["T-1", "T-2", "T-3"]
    assert corpus.log().split("\n")[3] == "2025-01-04 | Bo | vapur | geç kaldı"
    assert corpus.encounters["in_memory"].dtype == bool
    assert corpus.terms("place") == ["Çarşı"]
    assert corpus.terms() == ["Çarşı", "çay"]


def test_rows_come_in_date_order_however_the_file_is_sorted(folder):
    lines = ENCOUNTERS.splitlines()
    text = "\n".join([lines[0], *reversed(lines[1:])]) + "\n"
    (folder / "encounters.csv").write_text(text, encoding="utf-8")
    assert list(read_corpus(folder).encounters["encounter_id"]) == [f"T-{i}" for i in range(1, 7)]


@pytest.mark.parametrize(
    "change", [lambda b: b"\xef\xbb\xbf" + b, lambda b: b.replace(b"\n", b"\r\n")]
)
def test_a_byte_order_mark_and_windows_line_ends_change_nothing(folder, change):
    before = read_corpus(folder)
    for path in folder.iterdir():
        path.write_bytes(change(path.read_bytes()))
    after = read_corpus(folder)
    assert after.memory_block == before.memory_block
    assert after.encounters.equals(before.encounters)
    assert after.settings == before.settings


BROKEN = {
    "missing column": (
        "encounters.csv",
        (",topic,", ",topik,"),
        r"encounters\.csv, line 1: column topic is missing \(is 'topik' meant",
    ),
    "unknown column": (
        "vocabulary.csv",
        ("kind,term\n", "kind,term,weight\n"),
        r"vocabulary\.csv, line 1: column 'weight' is unknown",
    ),
    "surplus cell": (
        "encounters.csv",
        ('"demli, iki kez"', "demli, iki kez"),
        r"encounters\.csv, line 2: 8 cells for 7 columns; a text that contains a comma needs quot",
    ),
    "bad date": (
        "encounters.csv",
        ("2025-01-03", "2025-02-30"),
        r"encounters\.csv, line 4, column date: '2025-02-30' is no date",
    ),
    "date in another form": (
        "encounters.csv",
        ("2025-01-03", "20250103"),
        r"line 4, column date: '20250103' is no date of the form 2025-03-31",
    ),
    "unknown partner": (
        "encounters.csv",
        ("T-4,2025-01-04,Bo", "T-4,2025-01-04,Bob"),
        r"encounters\.csv, line 5, column partner: 'Bob' is none of the partners \['Ada', 'Bo'",
    ),
    "duplicate topic": (
        "encounters.csv",
        (",vapur,", ",Kedi,"),
        r"encounters\.csv, line 5, column topic: 'Kedi' stands in line 4 already",
    ),
    "duplicate id": ("encounters.csv", ("T-4", "T-3"), r"line 5, column encounter_id: 'T-3'"),
    "one partner twice on a day": (
        "encounters.csv",
        ("T-4,2025-01-04,Bo", "T-4,2025-01-02,Bo"),
        r"line 5, column date and partner: '2025-01-02 Bo' stands in line 3 already",
    ),
    "unbalanced": (
        "encounters.csv",
        ("T-6,2025-01-06,Cem,kapı,gıcırdıyor,Kapı 1 kez yağlandı.,false\n", ""),
        r"column partner: encounters are not balanced \(\{'Ada': 2, 'Bo': 2, 'Cem': 1\}\)",
    ),
    "unbalanced memory": (
        "encounters.csv",
        ("uyudu.,true", "uyudu.,false"),
        r"encounters in memory are not balanced",
    ),
    "neither true nor false": (
        "encounters.csv",
        ("uyudu.,true", "uyudu.,yes"),
        r"column in_memory: 'yes'",
    ),
    "empty cell": (
        "encounters.csv",
        (",taze,", ",,"),
        r"line 3, column note: '' must not be empty",
    ),
    "line break in a cell": (
        "encounters.csv",
        ('"demli, iki kez"', '"demli\niki kez"'),
        r"line 3, column note: contains a line break",
    ),
    **{
        f"control character {code:#x}": (
            "encounters.csv",
            ("demli,", f"de{chr(code)}mli,"),
            rf"line \d, column note: contains the control character U\+{code:04X}; take it out",
        )
        for code in (0x01, 0x08, 0x0B, 0x0C, 0x1B, 0x1C, 0x7F, 0x85, 0x2028, 0x2029)
    },
    "a lone carriage return in a cell": (
        "encounters.csv",
        ('"demli, iki kez"', '"demli\riki kez"'),
        r"line 3, column note: contains a line break",
    ),
    "a topic that can't be read back": (
        "encounters.csv",
        (",kedi,", ",kedi | köpek,"),
        r"line 4, column topic: 'kedi \| köpek' can't be read back",
    ),
    "open quotation mark": (
        "encounters.csv",
        (",kedi,", ',"kedi,'),
        r"encounters\.csv, line \d+: not CSV",
    ),
    "memory line of no encounter": (
        "memory_block.txt",
        ("kedi", "köpek"),
        r"memory_block\.txt, line 3: '2025-01-03 \| Cem \| köpek \| uyuyor' is no encounter",
    ),
    "memory line twice": (
        "memory_block.txt",
        (MEMORY, MEMORY + "2025-01-03 | Cem | kedi | uyuyor\n"),
        r"memory_block\.txt, line 3: .* stands here twice",
    ),
    "memory line missing": (
        "memory_block.txt",
        ("2025-01-03 | Cem | kedi | uyuyor\n", ""),
        r"memory_block\.txt: encounter T-3 is marked in_memory, but its line",
    ),
    "memory out of order": (
        "memory_block.txt",
        (MEMORY, "\n".join(reversed(MEMORY.splitlines()))),
        r"memory_block\.txt, line 1: not in date order",
    ),
    "empty memory": ("memory_block.txt", (MEMORY, "\n"), r"the memory block is empty"),
    "empty table": ("test_day.csv", (TEST_DAY, ""), r"test_day\.csv: empty; it needs the header"),
    "header alone": ("vocabulary.csv", ("place,Çarşı\nthing,çay\n", ""), r"a header and no rows"),
    "one anchor of two": (
        "test_day.csv",
        ("Merhaba,", "Merhaba,Selam"),
        r"test_day\.csv, line 3, column anchor: empty, while other items have an anchor",
    ),
    "item asked twice": ("test_day.csv", ("Nasılsın?", "merhaba"), r"line 3, column input"),
    "semicolons": (
        "vocabulary.csv",
        (VOCABULARY, VOCABULARY.replace(",", ";")),
        r"vocabulary\.csv, line 1: separated by ';': save it with commas",
    ),
    "quoted semicolons": (
        "vocabulary.csv",
        ("kind,term", '"kind";"term"'),
        r"separated by ';': save it with commas",
    ),
    "misspelt kind": (
        "vocabulary.csv",
        ("thing,çay", "nmae,Çay"),
        r"vocabulary\.csv, line 3, column kind: 'nmae' is unknown; is 'name' meant\?",
    ),
    "capital kind": ("vocabulary.csv", ("place,", "Place,"), r"line 2, .*is 'place' meant\?"),
    "term twice": ("vocabulary.csv", ("thing,çay", "place,Çarşı"), r"column kind and term"),
    "one partner": (
        "corpus.yaml",
        ("[Ada, Bo, Cem]", "[Ada]"),
        r"key partners: must list two names",
    ),
    "partner twice": ("corpus.yaml", ("[Ada, Bo, Cem]", "[Ada, ada]"), r"a name stands twice"),
    "partner as abstention": (
        "corpus.yaml",
        ("abstention: Bilmiyorum", "abstention: ADA"),
        r"key abstention: 'ADA' is a partner's name too",
    ),
    "line without a field": ("corpus.yaml", (" | {note}", ""), r"key line: must contain \{note\}"),
    "missing key": ("corpus.yaml", ("abstention: Bilmiyorum\n", ""), r"key abstention is missing"),
    "misspelt key": (
        "corpus.yaml",
        ("licence:", "balancd: true\nlicence:"),
        r"unknown key 'balancd'; is 'balanced' meant",
    ),
    "no question": (
        "corpus.yaml",
        ("{topic} hakkında", "Onun hakkında"),
        r"key question: needs with_whom",
    ),
    "an empty text": ("corpus.yaml", ("agent: Test", "agent: ''"), r"key agent: must be a text"),
    "no YAML": (
        "corpus.yaml",
        ("agent: Test", "agent: [Test"),
        r"corpus\.yaml, line \d+, column \d+: ",
    ),
    "a key twice": (
        "corpus.yaml",
        ("agent: Test", "agent: Test\nagent: Other"),
        r"corpus\.yaml, line \d+.*agent",
    ),
    "no mapping": ("corpus.yaml", (SETTINGS, "Test"), r"corpus\.yaml: needs the keys agent"),
    "associations of nobody": (
        "corpus.yaml",
        ("licence:", "associations: {Dee: [x]}\nlicence:"),
        r"key associations: must list words under the partners",
    ),
    "balanced is no boolean": (
        "corpus.yaml",
        ("licence:", "balanced: maybe\nlicence:"),
        r"key balanced: must be true or false",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_named_with_line_and_column(folder, name):
    file, (old, new), message = BROKEN[name]
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        read_corpus(folder)


@pytest.mark.parametrize("kind", ["river", "game", "border"])
def test_a_vocabulary_may_have_kinds_of_its_own(folder, kind):
    path = folder / "vocabulary.csv"
    path.write_text(VOCABULARY + f"{kind},Tuna\n", encoding="utf-8")
    assert read_corpus(folder).terms(kind) == ["Tuna"]


@pytest.mark.parametrize("file", ["corpus.yaml", "encounters.csv", "memory_block.txt"])
def test_decomposed_letters_are_the_same_letters(folder, file):
    """One file as macOS may write it (NFD), the others composed: the same partner and notes."""
    for name in ("corpus.yaml", "encounters.csv", "memory_block.txt"):
        text = (folder / name).read_text(encoding="utf-8").replace("Ada", "Işıl")
        form = "NFD" if name == file else "NFC"
        (folder / name).write_text(unicodedata.normalize(form, text), encoding="utf-8")
    corpus = read_corpus(folder)
    assert corpus.partners == ("Işıl", "Bo", "Cem")
    assert set(corpus.encounters["partner"]) == set(corpus.partners)
    assert corpus.memory_block == MEMORY.replace("Ada", "Işıl").rstrip("\n")


def test_an_unbalanced_life_is_read_where_it_says_so(folder):
    text = ENCOUNTERS.replace("T-6,2025-01-06,Cem", "T-6,2025-01-06,Bo")
    (folder / "encounters.csv").write_text(text, encoding="utf-8")
    (folder / "corpus.yaml").write_text(SETTINGS + "balanced: false\n", encoding="utf-8")
    assert list(read_corpus(folder).encounters["partner"]).count("Bo") == 3


@pytest.mark.parametrize("encoding", ["latin-1", "utf-16"])
def test_a_file_in_another_encoding(folder, encoding):
    text = ENCOUNTERS.replace("ğ", "g").replace("ı", "i").replace("Ç", "C")
    (folder / "encounters.csv").write_text(text, encoding=encoding)
    with pytest.raises(ValueError, match=r"encounters\.csv, line \d: not UTF-8 .*save the file as"):
        read_corpus(folder)


def test_utf16_without_a_mark(folder):
    (folder / "test_day.csv").write_bytes(b"item_id\x00")
    with pytest.raises(ValueError, match=r"test_day\.csv: contains null characters"):
        read_corpus(folder)


@pytest.mark.parametrize("file", ["corpus.yaml", "memory_block.txt", "test_day.csv"])
def test_a_missing_file(folder, file):
    (folder / file).unlink()
    with pytest.raises(ValueError, match=re.escape(f"{file}: missing")):
        read_corpus(folder)


def test_a_missing_folder(tmp_path):
    with pytest.raises(ValueError, match="no such corpus folder"):
        read_corpus(tmp_path / "nobody")


WORDS = st.text(string.ascii_letters + "äğş ,.;'", min_size=1, max_size=30).filter(str.strip)


@given(topic=WORDS, note=st.text(string.printable.replace("\n", "").replace("\r", ""), min_size=1))
def test_an_entry_reads_back_as_what_it_was(topic, note):
    # No topic drawn here has ": " or " — ", which end a topic and a partner; a note may have both.
    note = re.sub(r"[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]", "", note) or "x"
    row = {"date": "2025-01-02", "partner": "DeepSeek", "topic": topic, "note": note}
    assert parse_entry(render_entry(LINE, row), LINE) == row


def test_a_line_that_is_no_entry():
    with pytest.raises(ValueError, match="doesn't have the form"):
        parse_entry("2025-01-02: met nobody", LINE)


# The demonstration corpora


@pytest.mark.parametrize("path", DEMONSTRATION, ids=lambda path: path.name)
def test_a_demonstration_corpus_has_the_shape_of_the_study(path):
    corpus = read_corpus(path)
    encounters, remembered = corpus.encounters, corpus.remembered()
    assert corpus.partners == ("Llama", "DeepSeek")
    assert dict(encounters["partner"].value_counts()) == {"Llama": 72, "DeepSeek": 72}
    assert dict(remembered["partner"].value_counts()) == {"Llama": 15, "DeepSeek": 15}
    assert len(corpus.memory_block.split("\n")) == 30
    assert abs(len(corpus.memory_block) - 5332) <= 30
    assert len(corpus.log()) < 26_000
    assert set(encounters["date"].str[:4]) == {"2025"}
    assert len(corpus.test_day) == 7
    assert [corpus.parse_entry(line)["topic"] for line in corpus.memory_block.split("\n")] == list(
        remembered["topic"]
    )
    # Balanced over time: as many with either partner in every month.
    monthly = encounters.groupby([encounters["date"].str[:7], "partner"]).size()
    assert set(monthly) == {6}


def test_what_the_agent_of_corpus_a_said_comes_from_its_life():
    """Each anchor shares three words with a record of its own life that no more than six records
    hold, and with none of the other life; none brings a partner to mind. Corpus B has none."""
    corpus, other = map(read_corpus, DEMONSTRATION)

    def words(text: str) -> set[str]:
        return set(re.findall(r"\w{3,}", text.casefold()))

    def shared(anchor: str, life: Corpus) -> int:
        records = [words(" ".join(row)) for row in life.encounters[FIELDS].to_numpy()]
        held = Counter(word for record in records for word in record)
        rare = {word for word in words(anchor) if held[word] <= 6}
        return max(len(rare & record) for record in records)

    hints = [word for hinting in corpus.settings["associations"].values() for word in hinting]
    for anchor in corpus.test_day["anchor"]:
        assert shared(anchor, corpus) >= 3 > shared(anchor, other), anchor
        assert not words(anchor) & words(" ".join([*hints, *corpus.partners]))
    assert set(other.test_day["anchor"]) == {""}


@pytest.mark.parametrize("path", DEMONSTRATION, ids=lambda path: path.name)
def test_details_of_every_kind_can_be_altered_outside_the_memory(path):
    corpus = read_corpus(path)
    texts = corpus.encounters.loc[~corpus.encounters["in_memory"], "text"]

    def number_with(pattern: str) -> int:
        return int(texts.str.contains(pattern, regex=True).sum())

    def any_of(*kinds: str) -> str:
        return rf"(?<!\w)(?:{'|'.join(map(re.escape, corpus.terms(*kinds)))})(?!\w)"

    assert len(texts) == 114
    assert number_with(r"\d") >= 100
    assert number_with(any_of("name", "animal")) >= 100
    assert number_with(any_of("place")) >= 100
    thing = any_of("thing")
    pair = texts.str.count(f"(?i:{thing})") >= 2
    assert pair.sum() >= 60


@pytest.mark.parametrize("path", DEMONSTRATION, ids=lambda path: path.name)
def test_texts_carry_no_date_and_no_gendered_pronoun(path):
    # Probes mask dates; a pronoun would tell which of two names is the true one.
    for column in ("topic", "note", "text"):
        told = read_corpus(path).encounters[column]
        assert not told.str.contains(r"\b(?:he|she|him|his|hers?)\b", case=False).any()
        assert not told.str.contains(
            r"\b(?:January|February|April|June|July|August|September|October|November|December"
            r"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\b"
        ).any()


def test_the_two_lives_share_no_name_and_no_place():
    first, second = (
        set(read_corpus(path).terms("name", "animal", "place")) for path in DEMONSTRATION
    )
    assert not first & second


@pytest.mark.parametrize("path", DEMONSTRATION, ids=lambda path: path.name)
def test_assembling_again_gives_the_same_bytes(path, tmp_path):
    folder = tmp_path / path.name
    folder.mkdir()
    for name in ("corpus.yaml", "life.txt", "life.yaml"):
        shutil.copy(path / name, folder)
    load_script("corpora/assemble_corpus.py").main(folder, folder)
    for name in ("encounters.csv", "memory_block.txt", "vocabulary.csv"):
        assert (folder / name).read_bytes() == (path / name).read_bytes(), name


def test_the_writing_knows_no_partner():
    for path in DEMONSTRATION:
        life = (path / "life.txt").read_text(encoding="utf-8")
        assert not re.search("llama|deepseek|deep seek", life, re.IGNORECASE)
        with (path / "encounters.csv").open(encoding="utf-8", newline="") as file:
            assert len(list(csv.DictReader(file))) == 144


def test_names_stand_as_they_were_written(folder):
    """YAML 1.1 makes False of No, 8 of 010 and a day of 2025-08-11: here they are names."""
    path = folder / "corpus.yaml"
    text = path.read_text(encoding="utf-8").replace("agent: Test", "agent: 010")
    path.write_text(text.replace("abstention: Bilmiyorum", "abstention: No"), encoding="utf-8")
    corpus = read_corpus(folder)
    assert (corpus.agent, corpus.settings["abstention"]) == ("010", "No")
    with path.open("a", encoding="utf-8") as file:
        file.write("balanced: off\n")
    assert read_settings(path, ("date", "partner", "topic", "note"))["balanced"] is False
