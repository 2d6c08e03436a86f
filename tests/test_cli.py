"""The command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import imageio.v3 as imageio
import numpy as np
import pytest

from apps.registry import APPS
from pipec.cli import main, parser
from pipec.cli.completion import commands_of, completion
from pipec.cli.console import has_colour
from pipec.target import get_host_target

PROGRAM = """
import pipec as hl
x, y = hl.vars("x y")
image, gain = hl.ImageParam(hl.UInt(8), 2, "image"), hl.Param(hl.Int(32), "gain", 2)
double = hl.Func("double")
double[x, y] = hl.u8_sat(hl.i32(image[x, y]) * gain)
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    file = tmp_path / "program.py"
    file.write_text(PROGRAM)
    return str(file)


def json_of(capsys: Any, *arguments: str) -> Any:
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_info_tells_the_target_as_json(capsys):
    assert json_of(capsys, "info")["target"] == str(get_host_target())


def test_cache_can_be_cleared(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("PIPEC_CACHE_DIR", str(tmp_path))
    (tmp_path / "a.obj").write_bytes(b"x" * 10)
    assert main(["cache", "clear"]) == 0
    said = capsys.readouterr().out
    assert "1 objects" in said and "not used" not in said
    assert not list(tmp_path.iterdir())


def test_cache_says_why_a_folder_is_not_used(capsys, monkeypatch, tmp_path):
    tmp_path.chmod(0o777)
    monkeypatch.setenv("PIPEC_CACHE_DIR", str(tmp_path))
    assert main(["cache"]) == 0
    said = capsys.readouterr().out
    assert "It is not used" in said and f"other users may write to {tmp_path} (mode 0777)" in said


def test_run_reads_images_and_numbers_and_writes_the_output(capsys, program, tmp_path):
    image = np.arange(12, dtype=np.uint8).reshape(3, 4)
    np.save(tmp_path / "in.npy", image)
    out = tmp_path / "out.npy"
    facts = json_of(
        capsys, "run", program, "--input", f"{tmp_path}/in.npy", "--set", "gain=30", "--size", "4x3", "-o", str(out)
    )
    assert np.array_equal(np.load(out), np.minimum(image.astype(int) * 30, 255))
    assert facts["outputs"] == [{"type": "uint8", "extents": "4x3", "min": 0, "max": 255}]


def test_a_program_without_inputs_runs_on_random_ones(capsys, program):
    assert json_of(capsys, "bench", f"{program}:double", "--size", "64x8", "--seconds", "0.001")["runs"] >= 5


def test_schedules_are_searched_saved_and_used(capsys, program, tmp_path):
    file = tmp_path / "schedule.json"
    result = json_of(capsys, "schedule", program, "--size", "640x480", "-o", str(file))
    assert result["predicted_ms"] > 0 and file.exists()
    assert main(["run", program, "--schedule", str(file), "--size", "64x8"]) == 0


def test_compile_writes_a_header_beside_the_object(capsys, program, tmp_path):
    facts = json_of(capsys, "compile", program, "-o", str(tmp_path / "double_it.c"))
    assert [Path(path).name for path in facts["written"]] == ["double_it.c", "double_it.h"]
    assert "int double_it(" in (tmp_path / "double_it.h").read_text()


def test_trace_prints_a_line_for_each_event(capsys, program):
    assert main(["trace", program, "--size", "2x1", "--json"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    stores = [(event["coordinates"], event["value"]) for event in events if event["event"] == "store"]
    assert [coordinates for coordinates, _ in stores] == [[0, 0], [1, 0]]
    assert all(isinstance(value, int) for _, value in stores)


def test_trace_ends_the_run_after_so_many_events(capsys, program):
    assert main(["trace", program, "--size", "4000x1000", "--limit", "4"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 4


def test_an_application_filters_a_picture(capsys, tmp_path):
    picture = np.arange(48 * 64 * 3, dtype=np.uint8).reshape(48, 64, 3)
    imageio.imwrite(tmp_path / "in.png", picture)
    facts = json_of(capsys, "run", "blur", "--input", f"{tmp_path}/in.png", "-o", f"{tmp_path}/out.png")
    app = APPS["blur"]
    expected = app.picture(app.reference(app.inputs(picture), app.settings))
    assert np.array_equal(imageio.imread(tmp_path / "out.png"), expected)
    assert facts["outputs"][0]["extents"] == "64x48"


def test_values_that_are_not_numbers_are_counted(capsys, tmp_path):
    (tmp_path / "zero.py").write_text("import pipec as hl\nx = hl.Var('x')\nf = hl.Func('f')\nf[x] = hl.f32(x) / x\n")
    (output,) = json_of(capsys, "run", f"{tmp_path}/zero.py", "--size", "3")["outputs"]
    assert output == {"type": "float32", "extents": "3", "min": 1, "max": 1, "nans": 1}


def test_a_pipeline_is_profiled_diagnosed_and_explored(capsys, program, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    small = ["--size", "64x48"]
    assert json_of(capsys, "profile", program, *small, "--seconds", "0.01")["runs"] > 1
    assert "findings" in json_of(capsys, "diagnose", program, *small)
    page = json_of(capsys, "explore", program, *small)
    assert page == {"written": "double.html", "bytes": (tmp_path / "double.html").stat().st_size}


def test_a_reader_that_goes_away_ends_the_command_quietly(program):
    command = f"{sys.executable} -m pipec trace {program} --size 4000x10 --limit 0 | head -n 1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (141, "")
    assert len(done.stdout.splitlines()) == 1


@pytest.mark.parametrize(("text", "seconds"), [("3", 3), ("0.5", 0.5), ("2 min", 120)])
def test_a_budget_is_seconds_or_a_text(text, seconds):
    assert parser().parse_args(["tune", "program", "--budget", text]).budget == seconds


def test_doctor_checks_the_compiler(capsys):
    assert json_of(capsys, "doctor")["compiler"]["state"] == "ok"


def test_examples_are_copied_and_applications_looked_up_by_name(capsys, tmp_path):
    json_of(capsys, "examples", str(tmp_path / "examples"))
    assert (tmp_path / "examples" / "lessons" / "lesson_01_basics.py").exists()
    assert (tmp_path / "examples" / "apps" / "blur.py").exists()
    assert json_of(capsys, "run", "blur", "--size", "64x32")["pipeline"] == "blur"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["run", "nothing_of_this_name"], "neither a file, a module nor an application"),
        (["run", "PROGRAM", "--set", "gain=high"], "takes a number of int32"),
        (["run", "PROGRAM", "--input", "other=a.png"], "the pipeline has image"),
        (["compile", "PROGRAM", "-o", "a.docx"], "must end in .o"),
        (["run", "no_file.py"], "There is no file no_file.py"),
        (["run", "a-b"], "neither a file, a module nor an application"),
        (["run", "os.path"], "there is none"),
        (["run", "PROGRAM", "--size", "4"], "requesting a realization with 1 dimensions"),
        (["run", "PROGRAM", "--input", "no_file.png"], "no_file.png"),
        (["export", "blur:nothing", "folder"], "names no Pipeline"),
    ],
)
def test_errors_are_one_line_and_status_1(capsys, program, arguments, message):
    assert main([program if word == "PROGRAM" else word for word in arguments]) == 1
    captured = capsys.readouterr()
    assert message in captured.err and not captured.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "required: command"),
        (["nothing"], "invalid choice"),
        (["run"], "required: program"),
        (["run", "program", "--size", "wide"], "is no size"),
        (["tune", "program", "--budget", "never"], "is no time"),
        (["bench", "program", "--seconds", "-1"], "is no time"),
        (["completion", "tcsh"], "invalid choice"),
    ],
)
def test_wrong_arguments_are_status_2(capsys, arguments, message):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2 and message in capsys.readouterr().err


def test_an_error_in_a_program_shows_its_line_only(capsys, tmp_path):
    (tmp_path / "wrong.py").write_text("import pipec as hl\nx = hl.Var('x')\n1 / 0\n")
    assert main(["run", f"{tmp_path}/wrong.py"]) == 1
    said = capsys.readouterr().err
    assert "line 3" in said and "ZeroDivisionError" in said and said.count("File ") == 1


def test_a_program_imports_what_lies_beside_it(capsys, program, tmp_path):
    Path(program).rename(tmp_path / "lies_beside.py")
    (tmp_path / "imports.py").write_text("from lies_beside import double\n")
    assert json_of(capsys, "run", f"{tmp_path}/imports.py", "--size", "8x4")["pipeline"] == "double"


def test_there_is_no_colour_outside_of_terminals():
    assert not has_colour()


def test_shells_complete_every_command():
    script = completion(parser(), "bash")
    assert all(f"    {name}) words=" in script for name in commands_of(parser()))
    call = f"{script}\nCOMP_WORDS=(pipec sch); COMP_CWORD=1; _pipec; echo ${{COMPREPLY[@]}}"
    assert subprocess.run(["bash", "-c", call], capture_output=True, text=True).stdout.strip() == "schedule"


def test_shells_complete_what_arguments_may_be():
    words = completion(parser(), "fish").splitlines()
    complete = "complete -c pipec -n '__fish_seen_subcommand_from"
    assert {f"{complete} cache' -a clear", f"{complete} run' -a blur", f"{complete} trace' -a loads"} <= set(words)
    assert f"{complete} run' -l size" in words and f"{complete} run' -s o" in words
