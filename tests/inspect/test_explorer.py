"""The schedule explorer: its data, and its page in a browser."""

import pytest

import pipec as hl
from pipec.autoschedule.strategies.search_state import Options
from pipec.inspect.explorer import explore
from pipec.inspect.listing import assembly_lines, lowered_lines
from pipec.inspect.subject import subject_of
from tests.inspect.browser import chromium, opened

x, y, xi, yi = hl.vars("x y xi yi")


def blurs():
    source = hl.ImageParam(hl.Float(32), 2, "picture")
    across, down = hl.Func("across_e"), hl.Func("down_e")
    across[x, y] = source[x, y] + source[x + 1, y]
    down[x, y] = across[x, y] + across[x, y + 1]
    down.tile(x, y, xi, yi, 64, 4).vectorize(xi, 8).parallel(y)
    across.compute_at(down, x).vectorize(x, 8)
    return across, down


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """Of two schedules of a blur, and the result of a search."""
    across, down = blurs()
    own = subject_of([down.function], sizes=[256, 128]).schedule
    across.compute_root()
    options = Options(states=50)
    result = hl.Pipeline(blurs()[1]).autoschedule(sizes=[256, 128], verify=False, apply=False, options=options)
    path = tmp_path_factory.mktemp("explorer") / "page.html"
    exploration = explore([down.function], path, sizes=[256, 128], compare={"tiles": own}, result=result, measure=False)
    assert exploration.path == path and len(exploration.html) < 300_000
    return path, across.name(), down.name()


def test_lines_of_code_belong_to_the_func_that_they_compute():
    across, down = blurs()
    subject = subject_of([down.function], sizes=[256, 128])
    lowered = lowered_lines(subject)
    assert all(func == across.name() for line, func in lowered if line.strip().startswith(f"{across.name()}["))
    assembly = assembly_lines(subject)
    funcs = {func for _, func in assembly}
    assert {across.name(), down.name()} <= funcs and not any("pipec-entry" in line for line, _ in assembly)


def test_the_page_opens_folds_selects_and_searches_by_mouse_and_keyboard(page):
    path, across, down = page
    with chromium() as browser:
        view, messages = opened(browser, path)
        rows = view.locator("#trees .tree").first.locator(".row")
        shown = rows.evaluate_all("rows => rows.filter(row => row.style.display !== 'none').length")
        view.locator(f'#dag [data-func="{across}"]').click()
        marked = view.locator(".selected").evaluate_all("nodes => nodes.map(node => node.closest('section').id)")
        assert "dag" in marked and marked.count("") >= 2 and across in view.locator("#details h2").inner_text()

        view.get_by_role("tab", name="Assembly").click()
        view.locator(f'#code pre [data-func="{across}"].selected').first.wait_for()
        view.get_by_role("tab", name="Search").click()
        assert (
            view.locator("#code svg path").count() >= 1
            and "states evaluated" in view.locator("#code .body").inner_text()
        )

        tree = view.locator("#trees [role=tree]").first
        tree.focus()
        for key in ("Home", "ArrowLeft"):
            view.keyboard.press(key)
        folded = rows.evaluate_all("rows => rows.filter(row => row.style.display !== 'none').length")
        view.keyboard.press("ArrowRight")
        assert folded < shown == rows.evaluate_all("rows => rows.filter(row => row.style.display !== 'none').length")

        view.keyboard.press("Escape")
        assert view.locator(".selected").count() == 0
        view.keyboard.press("/")
        view.keyboard.type(down)
        assert "matches" in view.locator("#matches").inner_text() and view.locator("#dag .match").count() == 1
        view.keyboard.press("Enter")
        assert down in view.locator("#details h2").inner_text()
        assert messages == []


def test_the_page_compares_schedules_and_follows_the_theme_of_the_system(page):
    path, across, _ = page
    with chromium() as browser:
        view, messages = opened(browser, path, "dark")
        dark = view.evaluate("getComputedStyle(document.body).backgroundColor")
        view.locator("#theme").click()
        assert view.evaluate("getComputedStyle(document.body).backgroundColor") != dark
        view.get_by_label("Compare with").select_option(label="tiles")
        assert view.locator("#trees .tree").count() == 2
        view.get_by_role("tab", name="Lowered code").click()
        view.locator("#code .split pre").nth(1).wait_for()
        view.locator(f'#dag [data-func="{across}"]').click()
        assert "tiles: each value" in view.locator("#details").inner_text()
        assert messages == []
