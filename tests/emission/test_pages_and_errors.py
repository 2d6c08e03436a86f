"""The lowered program as text and as a page; what is said about calls that cannot be met."""

from html.parser import HTMLParser

import pytest
from c_programs import blur

import pipec as hl


class Nesting(HTMLParser):
    """Checks that every element is closed where it should be."""

    def __init__(self):
        super().__init__()
        self.open = []
        self.folds = 0

    def handle_starttag(self, tag, attrs):
        if tag != "meta":
            self.open.append(tag)
        self.folds += tag == "details"

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.mark.parametrize("method", ["compile_to_lowered_stmt", "compile_to_conceptual_stmt"])
def test_page_is_well_formed_and_small(tmp_path, method):
    func, image, gain = blur()
    getattr(func, method)(tmp_path / "f.html", [image, gain], hl.StmtOutputFormat.HTML)
    page = (tmp_path / "f.html").read_text()
    parser = Nesting()
    parser.feed(page)
    assert not parser.open and parser.folds > 5 and len(page) < 100_000
    assert ".s0.yo" in page


def test_text_of_the_lowered_program(tmp_path):
    func, image, gain = blur()
    func.compile_to_lowered_stmt(tmp_path / "f.stmt", [image, gain])
    func.compile_to_conceptual_stmt(tmp_path / "g.stmt", [image, gain])
    assert ".s0.yo from" in (tmp_path / "f.stmt").read_text()
    assert "produce blur_x" in (tmp_path / "g.stmt").read_text()


def test_an_argument_is_missing(tmp_path):
    func, image, gain = blur()
    with pytest.raises(hl.HalideError, match="refers to image parameter image, which was not found in the argument"):
        func.compile_to_object(tmp_path / "f.o", [gain])
    with pytest.raises(hl.HalideError, match="refers to parameter gain, which was not found in the argument"):
        func.compile_to_header(tmp_path / "f.h", [image])


def test_an_output_is_undefined(tmp_path):
    with pytest.raises(hl.HalideError, match="Can't compile Pipeline with undefined output Func: never_defined\\."):
        hl.Func("never_defined").compile_to_object(tmp_path / "f.o", [])


def test_names_and_targets_that_c_cannot_have(tmp_path):
    func, image, gain = blur()
    with pytest.raises(hl.HalideError, match="cannot be the name of a C function; 'a_b' can"):
        func.compile_to_object(tmp_path / "f.o", [image, gain], "a-b")
    with pytest.raises(hl.HalideError, match="pipec makes no code for hexagon"):
        func.compile_to_object(tmp_path / "f.o", [image, gain], "f", hl.Target("hexagon-32-qurt"))
    with pytest.raises(TypeError, match="incompatible function arguments"):
        func.compile_to_object(tmp_path / "f.o", [image, gain], 3)
    with pytest.raises(hl.HalideError, match="type hlpipe is not supported"):
        func.compile_to({hl.OutputFileType.hlpipe: tmp_path / "f"}, [image, gain], "f")


def test_a_module_writes_files(tmp_path):
    func, image, gain = blur()
    module = func.compile_to_module([image, gain], "blur", hl.Target("arm-64-linux"))
    module.compile({hl.OutputFileType.c_header: tmp_path / "f.h", hl.OutputFileType.stmt: tmp_path / "f.stmt"})
    assert (module.name(), str(module.target()), repr(module)) == ("blur", "arm-64-linux", "<halide.Module 'blur'>")
    assert (
        "int blur(struct halide_buffer_t *image, float gain, struct halide_buffer_t *blur_y);"
        in (tmp_path / "f.h").read_text()
    )


def test_operators_are_escaped_in_pages():
    from pipec.ir.expr import LT, variable
    from pipec.ir.printer import statement_page
    from pipec.ir.stmt import Evaluate

    page = statement_page(Evaluate(LT(variable("a"), variable("b"))), "a<b")
    assert "evaluate a &lt; b" in page and "<title>a&lt;b</title>" in page
