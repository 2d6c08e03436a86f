"""Folders that machine code may be loaded from: whatever lets another user put files there is a problem."""

from __future__ import annotations

import os

import pytest

from pipec.jit.objects.private_folder import UNWRITABLE, create_folder, folder_problem, read_own_file, tighten

STRANGER = 4321  # a user number that nobody has


@pytest.fixture
def give_away(monkeypatch):
    """Gives a file to another user: really where root runs the tests, else by what the system says of it."""
    strangers = {}

    def give(path):
        if os.geteuid() == 0:
            os.chown(path, STRANGER, -1, follow_symlinks=False)
        else:
            strangers[os.lstat(path).st_ino] = STRANGER

    def disguised(function):
        def stat(*args, **keywords):
            status = function(*args, **keywords)
            owner = strangers.get(status.st_ino, status.st_uid)
            return os.stat_result((*status[:4], owner, *status[5:]))

        return stat

    for name in ("stat", "lstat", "fstat"):
        monkeypatch.setattr(os, name, disguised(getattr(os, name)))
    return give


def test_a_folder_of_this_user_alone_is_fine(tmp_path):
    folder = tmp_path / "a" / "b"
    create_folder(folder)
    assert folder_problem(folder) == ""
    assert (folder.stat().st_mode & 0o777, folder.parent.stat().st_mode & 0o777) == (0o700, 0o700)


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o720, 0o702, 0o755, 0o710, 0o1777])
def test_others_may_not_enter_the_folder(tmp_path, mode):
    tmp_path.chmod(mode)
    problem = folder_problem(tmp_path)
    assert f"(mode {mode:04o})" in problem and f"run: chmod 700 {tmp_path}" in problem


@pytest.mark.parametrize("mode", [0o777, 0o720, 0o702])
def test_others_may_not_write_to_folders_of_other_programs(tmp_path, mode):
    tmp_path.chmod(0o755)
    assert folder_problem(tmp_path, UNWRITABLE) == ""
    tmp_path.chmod(mode)
    assert f"other users may write to {tmp_path}" in folder_problem(tmp_path, UNWRITABLE)


def test_the_folder_belongs_to_this_user(tmp_path, give_away):
    folder = tmp_path / "theirs"
    create_folder(folder)
    give_away(folder)
    assert f"{folder} belongs to user number {STRANGER}, not to you" in folder_problem(folder)


def test_no_folder_on_the_way_can_be_replaced_by_all(tmp_path):
    folder = tmp_path / "open" / "mine"
    create_folder(folder)
    folder.parent.chmod(0o777)
    assert f"all users may replace what is in {folder.parent}" in folder_problem(folder)
    assert f"all users may replace what is in {folder.parent}" in folder_problem(folder.parent / "missing" / "folder")
    folder.parent.chmod(0o1777)  # as /tmp
    assert folder_problem(folder) == ""


def test_own_symbolic_links_are_followed_to_what_they_name(tmp_path):
    folder, link = tmp_path / "real", tmp_path / "link"
    create_folder(folder)
    link.symlink_to(folder)
    assert folder_problem(link) == "" == folder_problem(tmp_path / "link" / ".." / "real")
    folder.chmod(0o777)
    assert f"other users may write to {folder}" in folder_problem(link)


def test_relative_symbolic_links_begin_where_they_are(tmp_path):
    create_folder(tmp_path / "a" / "real")
    (tmp_path / "a" / "link").symlink_to("../a/real")
    assert folder_problem(tmp_path / "a" / "link") == ""
    (tmp_path / "a").chmod(0o777)
    assert "all users may replace" in folder_problem(tmp_path / "a" / "link")


def test_symbolic_links_of_others_are_not_followed(tmp_path, give_away):
    folder, link = tmp_path / "real", tmp_path / "link"
    create_folder(folder)
    link.symlink_to(folder)
    give_away(link)
    assert f"the symbolic link {link} belongs to user number {STRANGER}" in folder_problem(link)
    assert "the symbolic link" in folder_problem(link / "below")


def test_circles_of_symbolic_links_end(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    assert "circle of symbolic links" in folder_problem(tmp_path / "a")


def test_files_are_no_folders(tmp_path):
    (tmp_path / "file").write_text("")
    assert folder_problem(tmp_path / "file") == f"{tmp_path / 'file'} is no folder"
    assert folder_problem(tmp_path / "file" / "below") == f"{tmp_path / 'file'} is no folder"


def test_read_access_is_taken_away_where_nobody_could_write(tmp_path):
    for before, after in ((0o755, 0o700), (0o775, 0o775), (0o700, 0o700)):
        tmp_path.chmod(before)
        tighten(tmp_path)
        assert tmp_path.stat().st_mode & 0o777 == after


def test_only_own_regular_files_are_read(tmp_path, give_away):
    good, open_to_all, theirs = [tmp_path / name for name in ("good", "open", "theirs")]
    for path in (good, open_to_all, theirs):
        path.write_bytes(b"code")
    open_to_all.chmod(0o666)
    give_away(theirs)
    (tmp_path / "link").symlink_to(good)
    os.mkfifo(tmp_path / "pipe")
    assert read_own_file(good) == b"code"
    for name in ("open", "theirs", "link", "pipe", "missing", "."):
        assert read_own_file(tmp_path / name) is None
