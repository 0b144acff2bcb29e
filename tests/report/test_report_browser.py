"""The report in a browser: offline, quiet, keyboard and screen reader, links, and large studies."""

import os
import shutil
import time
from pathlib import Path

import pytest
from support.fixture_study import build, read
from veridical.drawing import style
from veridical.parts import PARTS
from veridical.report.page import render
from veridical.report.wording import Wording

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM = os.environ.get("VERIDICAL_CHROMIUM") or next(
    filter(None, map(shutil.which, NAMES)), None
)
FLAGS = [
    f"--{flag}"
    for flag in (
        "no-sandbox",
        "disable-gpu",
        "disable-quic",
        "no-first-run",
        "disable-background-networking",
        "disable-component-update",
        "disable-sync",
    )
]

pytestmark = pytest.mark.skipif(
    CHROMIUM is None,
    reason=f"none of {', '.join(NAMES)} is on PATH, and VERIDICAL_CHROMIUM is not set",
)


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The fixture study's page, in each language."""
    root = tmp_path_factory.mktemp("pages")
    build(root)
    study = read(root)
    for language in ("en", "it"):
        (root / f"{language}.html").write_text(
            render(study, Wording.read(language), PARTS), "utf-8"
        )
    return root


@pytest.fixture(scope="module")
def browser():
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(browser):
    """Open a page; whatever it requests, logs or throws is collected and must stay empty."""
    contexts, noise = [], []

    def open_page(path: Path, fragment: str = "", **context):
        made = browser.new_context(**{"viewport": {"width": 1440, "height": 1000}} | context)
        contexts.append(made)
        page = made.new_page()
        page.on("console", lambda message: noise.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: noise.append(f"error: {error}"))
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith(("file:", "data:"))
                else noise.append(f"request: {request.url}")
            ),
        )
        page.goto(path.as_uri() + fragment)
        page.wait_for_function("document.documentElement.dataset.ready === 'true'")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert noise == []


@pytest.mark.parametrize("language", ["en", "it"])
def test_it_opens_offline_with_no_request_and_no_word_on_the_console(visit, pages, language):
    page = visit(pages / f"{language}.html", offline=True)
    assert page.locator("html").get_attribute("lang") == language
    assert (
        page.locator(".answer").count() == 7
    )  # three controls, memory systems, the zoo, two scores
    assert page.evaluate("document.fonts.ready.then(() => document.fonts.check('16px Inter'))")


@pytest.mark.parametrize("width", [390, 768, 1440])
def test_nothing_is_wider_than_the_page(visit, pages, width):
    page = visit(
        pages / "en.html", "#control3/A/gpt-4.1/P-01", viewport={"width": width, "height": 844}
    )
    page.locator("details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize(
    ("language", "scheme", "width"),
    [("en", "light", 1440), ("en", "dark", 390), ("it", "light", 390), ("it", "dark", 1440)],
)
def test_axe_finds_nothing_serious(visit, pages, language, scheme, width):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    page = visit(
        pages / f"{language}.html",
        "#control3/A/gpt-4.1/P-01",
        color_scheme=scheme,
        viewport={"width": width, "height": 844},
        bypass_csp=True,  # the checker injects itself
    )
    page.locator("details").evaluate_all("all => all.forEach((one) => { one.open = true; })")
    violations = axe.Axe().run(page).response["violations"]
    grave = [
        f"{v['id']}: {v['nodes'][0]['html'][:160]}"
        for v in violations
        if v["impact"] in ("serious", "critical")
    ]
    assert grave == []


def test_a_planted_script_stays_text_wherever_it_is_shown(visit, pages):
    page = visit(pages / "en.html", "#control3/A/gpt-4.1/P-01")
    assert "<script>window.planted" in page.locator("tr.opened").inner_text()
    page.goto(
        (pages / "en.html").as_uri()
        + "#control1/qwen3.5:27b/A/identity_markers/veridical-foreign/item-1"
    )
    opened = page.locator("[data-drill=control1] tr.opened")
    assert "<script>window.planted" in opened.inner_text()
    assert page.evaluate("window.planted") is None
    assert page.locator("main img").count() == 0


def test_a_deep_link_opens_its_row_and_focuses_it(visit, pages):
    page = visit(pages / "en.html", "#control3/B/deepseek-r1:32b/P-20")
    opener = page.locator("[data-drill=control3] .opener[aria-expanded=true]")
    assert opener.inner_text() == "P-20"
    assert page.evaluate("document.activeElement.textContent") == "P-20"
    assert opener.is_visible()
    box = opener.bounding_box()
    assert 0 <= box["y"] < 1000
    current = page.locator("[data-drill=control3] [aria-current=true]")
    assert "deepseek-r1:32b" in current.inner_text()


def test_every_link_of_the_page_leads_somewhere(visit, pages):
    page = visit(pages / "en.html")
    links = page.locator("a[href^='#']").evaluate_all(
        "all => all.map((a) => a.getAttribute('href'))"
    )
    assert len(links) > 100
    lost = page.evaluate(
        """(links) => [...new Set(links)].filter((link) => {
            const [part, ...rest] = link.slice(1).split("/").map(decodeURIComponent);
            if (document.getElementById([part, ...rest].join("/"))) return false;
            return !(rest.length && openDrill(part, rest));
        })""",
        links,
    )
    assert lost == []


def test_rows_open_and_close_by_keyboard_and_write_their_address(visit, pages):
    page = visit(pages / "en.html", "#control2/A/llama3")
    page.locator("[data-drill=control2] .opener").first.focus()
    page.keyboard.press("Enter")
    assert page.locator("[data-drill=control2] tr.opened").count() == 1
    assert page.evaluate("location.hash") == "#control2/A/llama3/R-01"
    page.keyboard.press("Enter")
    assert page.locator("[data-drill=control2] tr.opened").count() == 0


def test_filters_narrow_the_rows(visit, pages):
    page = visit(pages / "en.html", "#control2/A/llama3")
    rows = page.locator("[data-drill=control2] .opener")
    assert rows.count() == 24
    page.get_by_role("button", name="right without any memory (12)").click()
    assert rows.count() == 12


def test_tables_open_and_themes_turn(visit, pages):
    page = visit(pages / "en.html")
    table = page.locator("#control1 details.view").first
    assert not table.locator("table").is_visible()
    table.locator("summary").click()
    assert table.locator("table").is_visible()
    paper = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(paper)
    button = page.locator("[data-theme-button]")
    button.click()
    assert page.evaluate(paper) == light
    button.click()
    assert page.evaluate(paper) != light


def test_a_figure_is_whole_on_a_phone_and_grows_on_demand(visit, pages):
    page = visit(pages / "en.html", viewport={"width": 390, "height": 844})
    canvas = page.locator("#control1 .canvas").first
    overflow = "canvas => canvas.scrollWidth - canvas.clientWidth"
    assert canvas.evaluate(overflow) == 0
    page.locator("#control1 .enlarge").first.click()
    assert canvas.evaluate(overflow) > 0


@pytest.mark.parametrize("language", ["en", "it"])
def test_no_word_of_a_figure_is_cut_off(visit, tmp_path, language):
    """The page sets a figure's words in the widths that they were measured in when it was drawn,
    and makes the drawing wider where their translation is longer."""
    build(tmp_path)
    fig, axes = style.figure(style.WIDTH, 2)
    axes.set_yticks([0, 1], ["qwen2.5-coder-0.5b-instruct-q4_k_m", "deepseek-r1-0528-8b"])
    style.beside(axes, 0, "inconclusive")
    style.beside(axes, 1, "not testable, counts as p = 1", bold=True)
    style.save(fig, tmp_path / "figures/fixture/control3_cells.svg")
    page = tmp_path / "page.html"
    study = read(tmp_path)
    page.write_text(render(study, Wording.read(language), PARTS), "utf-8")
    page = visit(page)
    page.evaluate("document.fonts.ready")
    assert (
        "qwen2.5-coder-0.5b-instruct-q4_k_m" in page.locator("svg.drawing text").all_text_contents()
    )
    cut = page.evaluate(
        """[...document.querySelectorAll('svg.drawing')].flatMap((drawing) => {
          const frame = drawing.getBoundingClientRect();
          return [...drawing.querySelectorAll('text')].filter((text) => {
            const box = text.getBoundingClientRect();
            return box.left < frame.left - 0.5 || box.right > frame.right + 0.5;
          }).map((text) => text.textContent);
        })"""
    )
    assert cut == []


def test_terms_explain_themselves_on_focus_hover_and_tap(visit, pages):
    page = visit(pages / "en.html", has_touch=True)
    term, tip = page.locator(".opening .term").first, page.locator(".tip")
    described = term.get_attribute("aria-describedby")
    definition = page.locator(f"#{described}").text_content()
    term.focus()
    assert tip.is_visible()
    assert tip.inner_text() == definition
    page.keyboard.press("Escape")
    assert not tip.is_visible()
    page.locator("h1").hover()
    term.hover()
    assert tip.is_visible()
    page.keyboard.press("Escape")
    term.tap()
    assert tip.is_visible()


def test_it_prints(visit, pages):
    page = visit(pages / "en.html")
    assert page.pdf().startswith(b"%PDF")
    page.emulate_media(media="print")
    assert not page.locator(".bar").is_visible()


@pytest.mark.slow
def test_a_hundred_thousand_answers_open_in_three_seconds(visit, tmp_path):
    # 2 corpora × 7 models × 3 documents × 2,400 probes = 100,800 answers, no two worded alike
    build(tmp_path, control3_probes=2400, wordy=True)
    study = read(tmp_path)
    path = tmp_path / "large.html"
    path.write_text(render(study, Wording.read("en"), PARTS), "utf-8")
    start = time.perf_counter()
    page = visit(path)
    opened = time.perf_counter() - start
    start = time.perf_counter()
    page.locator("[data-drill=control3] .choice").first.click()
    page.locator("[data-drill=control3] .opener").first.wait_for()
    drilled = time.perf_counter() - start
    assert page.locator("[data-drill=control3] .opener").count() == 50
    print(
        f"{path.stat().st_size / 1e6:.1f} MB, opens in {opened:.2f} s, first cell {drilled:.2f} s"
    )
    assert opened < 3
    assert drilled < 3
