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
    said = capsys.readouterr().out
    assert "1 objects" in said and "not used" not in said
    assert not list(tmp_path.iterdir())


def test_cache_says_why_a_folder_is_not_used(capsys, monkeypatch, tmp_path):
    tmp_path.chmod(0o777)
    monkeypatch.setenv("PIPEC_CACHE_DIR", str(tmp_path))
    assert main(["cache"]) == 0
    said = capsys.readouterr().out
    assert "It is not used" in said and f"other users may write to {tmp_path} (mode 0777)" in said
