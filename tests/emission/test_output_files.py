"""Files are written whole or not at all."""

import os
import subprocess
import sys

import pytest

import pipec as hl

x = hl.Var("x")

FULL_DISK = """
import os, resource, sys
import pipec as hl
x = hl.Var("x")
f = hl.Func("f")
f[x] = x * 2
for name in ("f.o", "f.c", "f.json", "f.hlpipe"):
    open(name, "w").write("old")
result = hl.Pipeline(f).autoschedule(sizes=[64], verify=False)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
actions = (
    lambda: f.compile_to_object("f.o", [], "f"),
    lambda: f.compile_to_c("f.c", [], "f"),
    lambda: hl.serialize_pipeline(hl.Pipeline(f), "f.hlpipe"),
    lambda: f.compile_to_object("new.o", [], "f"),
)
for action in actions:
    try:
        action()
    except OSError as error:
        print(error.errno)
print(sorted(os.listdir(".")), {open(name).read() for name in ("f.o", "f.c", "f.hlpipe")})
"""


@pytest.mark.skipif(os.name != "posix", reason="needs RLIMIT_FSIZE")
def test_a_full_disk_leaves_old_files_and_no_parts_of_new_ones(tmp_path):
    paths = os.pathsep.join([os.getcwd(), os.environ.get("PYTHONPATH", "")])
    # The limit holds for compiled modules of Python, too.
    environment = {**os.environ, "PYTHONPATH": paths, "PIPEC_CACHE": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    *errors, files = done.stdout.splitlines()
    assert len(errors) == 4 and len(set(errors)) == 1
    assert files == "['f.c', 'f.hlpipe', 'f.json', 'f.o'] {'old'}"


def test_devices_and_links_are_written_to(tmp_path):
    f = hl.Func("f")
    f[x] = x * 2
    f.compile_to_c("/dev/null", [], "f")
    (tmp_path / "link.c").symlink_to(tmp_path / "target.c")
    f.compile_to_c(str(tmp_path / "link.c"), [], "f")
    assert (tmp_path / "link.c").is_symlink() and "int f(" in (tmp_path / "target.c").read_text()
