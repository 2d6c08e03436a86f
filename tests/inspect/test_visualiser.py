"""The execution visualiser: its steps, states, pictures and page."""

import numpy as np
import pytest
from PIL import Image

import pipec as hl
from pipec.errors import ArgumentError
from pipec.inspect.visualiser import BEGIN, FREED, LOAD, RECOMPUTED, STORE, VALUE, PointStates, visualize
from tests.inspect.browser import chromium, opened

x, y, xi, yi = hl.vars("x y xi yi")


@pytest.fixture(scope="module")
def animation():
    """Two tiles of a vertical sum: the rows where they overlap are computed twice."""
    source = hl.ImageParam(hl.Float(32), 2, "source_v")
    before, after = hl.Func("before_v"), hl.Func("after_v")
    before[x, y] = source[x, y] * 2
    after[x, y] = before[x, y] + before[x, y + 1]
    after.split(y, y, yi, 4).vectorize(x, 4)
    before.compute_at(after, y)
    return visualize([after.function], sizes=[8, 8])


def names(animation):
    return [panel.name for panel in animation.panels]


def test_panels_are_the_boxes_that_a_run_touches_producers_left(animation):
    assert names(animation) == ["source_v", "before_v", "after_v"]
    assert [panel.box for panel in animation.panels] == [((0, 8), (0, 9)), ((0, 8), (0, 9)), ((0, 8), (0, 8))]
    assert animation.edges == ((0, 1), (1, 2))
    lefts = [panel.left for panel in animation.panels]
    assert lefts == sorted(lefts) and animation.inputs == {0}


def test_steps_are_the_loads_and_stores_of_the_run(animation):
    stores = [step for step in animation.steps if step.kind == STORE]
    assert sum(len(step.cells) for step in stores if step.panel == 1) == 2 * 8 * 5
    assert {len(step.cells) for step in stores if step.panel == 2} == {4}
    assert sum(step.kind == BEGIN and step.panel == 1 for step in animation.steps) == 2
    assert any(step.kind == LOAD and step.panel == 0 for step in animation.steps)


def test_values_are_freed_with_their_storage_and_computed_again(animation):
    state = PointStates(animation)
    second = [k for k, step in enumerate(animation.steps) if step.kind == BEGIN and step.panel == 1][1]
    state.advance(second + 1)
    rows = state.cells[1].reshape(9, 8)
    assert (rows[:5] == FREED).all() and (state.cells[2].reshape(8, 8)[:4] == VALUE).all()
    last = max(k for k, step in enumerate(animation.steps) if step.kind == STORE and step.panel == 1)
    state.advance(last + 1)
    rows = state.cells[1].reshape(9, 8)
    assert (rows[4] == RECOMPUTED).all() and (rows[5:] == VALUE).all()


def test_animations_are_written_as_pictures(animation, tmp_path):
    for name in ("walk.gif", "walk.apng"):
        picture = Image.open(animation.save(tmp_path / name))
        assert picture.n_frames > 20 and picture.size[0] >= animation.size[0]
    first, *_, last = animation.frames(10)
    assert first.shape == last.shape and (first != last).any() and first.dtype == np.uint8
    with pytest.raises(ArgumentError, match=r"\.apng"):
        animation.save(tmp_path / "walk.bmp")


def test_an_animation_is_written_as_a_video(animation, tmp_path):
    frames = list(hl.read_video(animation.save(tmp_path / "walk.mp4")))
    pictures = list(animation.frames(len(frames)))
    height, width, _ = pictures[0].shape
    assert len(frames) > 20 and frames[0].shape == (3, height + height % 2, width + width % 2)
    away = frames[-1][:, :height, :width].transpose(1, 2, 0) - pictures[-1].astype(float)
    assert np.abs(away).mean() < 8  # of 255: what the codec loses


def test_runs_with_too_many_steps_are_refused(monkeypatch):
    monkeypatch.setattr("pipec.inspect.visualiser.MAX_STEPS", 100)
    f = hl.Func("large")
    f[x, y] = x + y
    with pytest.raises(ArgumentError, match="smaller"):
        visualize([f.function], sizes=[64, 64])


def test_the_page_has_a_slider_and_keys(animation, tmp_path):
    path = animation.save(tmp_path / "walk.html")
    with chromium() as browser:
        view, messages = opened(browser, path, "dark")
        moment = view.locator("#moment")
        view.keyboard.press("End")
        assert moment.inner_text().startswith(f"{len(animation.steps)} of")
        before = view.evaluate("document.querySelector('canvas').toDataURL()")
        view.keyboard.press("Home")
        assert (
            moment.inner_text().startswith("0 of")
            and view.evaluate("document.querySelector('canvas').toDataURL()") != before
        )
        view.keyboard.press("ArrowRight")
        view.locator("#slider").evaluate("node => { node.value = 30; node.dispatchEvent(new Event('input')); }")
        assert moment.inner_text().startswith("30 of")
        view.locator("#play").click()
        view.wait_for_function("done > 30")
        assert messages == []
