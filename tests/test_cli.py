"""The command line."""

import json

from pipec.cli import main
from pipec.target import get_host_target


def test_info_tells_the_target_as_json(capsys):
    assert main(["info", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["target"] == str(get_host_target())


def test_cache_can_be_cleared(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("PIPEC_CACHE_DIR", str(tmp_path))
    (tmp_path / "a.obj").write_bytes(b"x" * 10)
    assert main(["cache", "clear"]) == 0
    assert "1 objects" in capsys.readouterr().out
    assert not list(tmp_path.iterdir())
