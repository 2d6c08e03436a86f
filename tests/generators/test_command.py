"""The command line of programs of generators: files written, mistakes reported."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import pipec as hl
from pipec.generators.command import run

ROOT = Path(__file__).parent.parent.parent


@hl.generator("emitted")
class Emitted:
    factor = hl.GeneratorParam(2)
    offset = hl.InputScalar(hl.Int(32))
    output = hl.OutputBuffer(hl.Int(32), 1)

    def generate(self):
        x = hl.Var("x")
        self.output[x] = x * self.factor + self.offset


def test_a_pipeline_file_is_written_and_runs(tmp_path):
    files = run(["-g", "emitted", "-o", str(tmp_path), "-e", "hlpipe", "-f", "name", "target=host", "factor=5"])
    assert files == [tmp_path / "name.hlpipe"]
    offset = hl.deserialize_parameters(files[0])["offset"]
    offset.set_scalar(3)
    result = hl.deserialize_pipeline(files[0], {"offset": offset}).realize([3])
    assert np.asarray(result).tolist() == [3, 8, 13]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ("-g nope -o . target=host", "Generator not found: nope"),
        ("-g emitted target=host", "-o <folder> must be specified"),
        ("-g emitted -o .", "target=<target> must be specified"),
        ("-g emitted -o . target=host -e zork", "Unrecognized emit option: zork is not one of"),
        ("-g emitted -o . target=host factor=x", "The value x cannot be parsed as a int"),
        ("-g emitted -o . target=host zork=1", r"has no GeneratorParam\(s\) named: \['zork'\]"),
        ("-g emitted -o . target=host word", "'word' is not of the form generator_param=value"),
        ("-g emitted -o . target=mars", "mars"),
    ],
)
def test_mistakes_are_reported(arguments, text):
    with pytest.raises(hl.HalideError, match=text):
        run(arguments.split())


def test_main_reads_the_command_line(tmp_path):
    program = (
        "import pipec as hl\n"
        "@hl.generator()\n"
        "class Ones:\n"
        "    output = hl.OutputBuffer(hl.Int(32), 1)\n"
        "    def generate(self): self.output[hl.Var('x')] = 1\n"
        "hl.main()\n"
    )
    for arguments, status, text in (
        (["-o", str(tmp_path), "-e", "hlpipe", "-v", "1", "target=host"], 0, "Ones.hlpipe"),
        (["-g", "Twos", "target=host"], 1, "Did you mean:\n    Ones"),
    ):
        command = [sys.executable, "-c", program, *arguments]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == status and text in done.stdout + done.stderr, done
    assert (tmp_path / "Ones.hlpipe").exists()


def test_files_for_linkers_and_people_are_written(tmp_path):
    common = ["-g", "emitted", "-o", str(tmp_path), "-n", "base", "target=host"]
    assert [file.name for file in run(common)] == ["base.h", "base.a"]
    assert "emitted(" in (tmp_path / "base.h").read_text()
    files = run([*common, "-e", "o,assembly,stmt,h", "-f", "other"])
    assert [file.name for file in files] == ["base.o", "base.s", "base.stmt", "base.h"]
    assert "other(" in (tmp_path / "base.h").read_text() and all(file.stat().st_size > 0 for file in files)


def test_code_for_several_targets_is_one_function(tmp_path):
    targets = "target=x86-64-linux-avx2-sse41,x86-64-linux"
    files = run(["-g", "emitted", "-o", str(tmp_path), "-e", "object,h", "-n", "base", "-f", "name", targets])
    names = ["base-x86-64-linux-avx2-sse41.o", "base-x86-64-linux.o", "base_wrapper.o", "base_runtime.o", "base.h"]
    assert [file.name for file in files] == names
    assert sorted(names) == sorted(file.name for file in tmp_path.iterdir())
    assert "int name(int32_t offset," in (tmp_path / "base.h").read_text()
    (library, _) = run(["-g", "emitted", "-o", str(tmp_path), "-e", "static_library,h", targets])
    assert library == tmp_path / "emitted.a"


def test_each_target_has_its_own_pipeline(tmp_path):
    built = []

    @hl.generator("own_form")
    class OwnForm:
        output = hl.OutputBuffer(hl.Int(32), 1)

        def generate(self):
            built.append(self.target().has_feature(hl.TargetFeature.AVX))
            self.output[hl.Var("x")] = self.natural_vector_size(hl.Float(32))

    run(["-g", "own_form", "-o", str(tmp_path), "-e", "object", "target=x86-64-linux-avx-sse41,x86-64-linux"])
    assert built[:2] == [True, False]


def test_several_targets_need_one_kind_of_code(tmp_path):
    for kinds in ("object,static_library", "stmt", "h", "object,stmt"):
        with pytest.raises(hl.HalideError, match="exactly one of object and static_library"):
            run(["-g", "emitted", "-o", str(tmp_path), "-e", kinds, "target=x86-64-linux-avx,x86-64-linux"])


@pytest.mark.parametrize(("kinds", "name"), [("object", "rt.o"), ("static_library,h", "rt.a")])
def test_a_runtime_alone_is_written(kinds, name, tmp_path):
    assert run(["-r", "rt", "-o", str(tmp_path), "-e", kinds, "target=host-no_runtime"]) == [tmp_path / name]
    assert (tmp_path / name).stat().st_size > 1000


def test_plug_ins_of_autoschedulers_are_named_as_elsewhere(tmp_path):
    @hl.generator("searched")
    class Searched:
        source = hl.InputBuffer(hl.Float(32), 1)
        output = hl.OutputBuffer(hl.Float(32), 1)

        def generate(self):
            self.output[hl.Var("x")] = self.source[hl.Var("x")] * 2
            self.source.set_estimates([(0, 1000)])
            self.output.set_estimates([(0, 1000)])

    options = ["-p", "/lib/libautoschedule_mullapudi2016.so", "-d", "0", "-e", "h,schedule", "target=host"]
    files = run(["-g", "searched", "-o", str(tmp_path), *options, "autoscheduler=Mullapudi2016"])
    assert "vectorize" in files[1].read_text()
    with pytest.raises(hl.HalideError, match="Failed to load"):
        run(["-g", "searched", "-o", str(tmp_path), "-p", "other.so", "target=host"])


def test_modules_of_gradients_are_not_built(tmp_path):
    with pytest.raises(hl.HalideError, match="-d 1 is not supported"):
        run(["-g", "emitted", "-o", str(tmp_path), "-d", "1", "target=host"])
