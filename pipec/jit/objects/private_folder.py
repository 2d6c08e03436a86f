"""Whether machine code in a folder is the user's own: the one check of every folder that code is loaded from."""

from __future__ import annotations

import contextlib
import os
import stat

Name = str | os.PathLike[str]
PRIVATE = 0o077
"""What group and others may not have: any access. Our own folders are made so."""
UNWRITABLE = 0o022
"""What group and others may not have: write access. Enough for the folders of other programs."""
MAX_SYMLINKS = 40  # as many as Linux follows


def folder_problem(folder: Name, forbidden: int = PRIVATE) -> str:
    """Returns why another user could have put files into a folder, and how to mend it; empty when nobody could.

    `forbidden`: the bits of the mode that the folder may not have. The folders that lead to it may be those of any
    user, but if all users may write to one it must be sticky, and symbolic links must be the user's own or root's.
    A folder that does not exist has the problems of those that lead to it. Systems without POSIX owners have none.
    """
    if os.name != "posix":
        return ""
    try:
        return _walk(os.path.join(os.getcwd(), folder), forbidden)
    except OSError as error:
        return f"{folder} cannot be examined ({error.strerror})"


def create_folder(folder: Name) -> None:
    """Creates a folder, and those missing on the way to it, for this user alone (mode 0700)."""
    parent = os.path.dirname(os.path.abspath(folder))
    if not os.path.isdir(parent):
        create_folder(parent)
    if not os.path.isdir(folder):
        with contextlib.suppress(FileExistsError):  # another process created it
            os.mkdir(folder, 0o700)


def tighten(folder: Name) -> None:
    """Takes read access to a folder of this user, to which nobody else could write, from other users."""
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):
        status = os.lstat(folder)
        if stat.S_ISDIR(status.st_mode) and not _shared(status, UNWRITABLE) and status.st_mode & PRIVATE:
            os.chmod(folder, 0o700)


def read_own_file(path: Name) -> bytes | None:
    """Returns the bytes of a regular file of this user that no other user may write; None where there is none."""
    try:
        # A pipe that somebody put there must not make this wait.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return None
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or _shared(status, UNWRITABLE):
            return None
        with os.fdopen(handle, "rb", closefd=False) as file:
            return file.read()
    except OSError:
        return None
    finally:
        os.close(handle)


def _shared(status: os.stat_result, forbidden: int) -> bool:
    return os.name == "posix" and (status.st_uid != os.geteuid() or bool(status.st_mode & forbidden))


def _walk(path: str, forbidden: int) -> str:
    """The first problem on the way from the root to `path`, symbolic links followed one by one."""
    place, names, links = "/", _names(path), 0
    status = os.lstat(place)
    while names:
        problem = _parent_problem(place, status)
        if problem:
            return problem
        name = names.pop()
        if name == "..":
            place = os.path.dirname(place)
            status = os.lstat(place)
            continue
        step = os.path.join(place, name)
        try:
            status = os.lstat(step)
        except FileNotFoundError:
            return ""
        if not stat.S_ISLNK(status.st_mode):
            place = step
            continue
        links += 1
        if links > MAX_SYMLINKS:
            return f"{path} leads through a circle of symbolic links"
        if status.st_uid not in (0, os.geteuid()):
            return f"the symbolic link {step} belongs to {_owner(status)}; delete it, or choose another folder"
        target = os.readlink(step)
        names += _names(target)
        if target.startswith("/"):
            place = "/"
        status = os.lstat(place)
    return _folder_problem(place, status, forbidden)


def _names(path: str) -> list[str]:
    """The parts of a path, the first one last."""
    return [name for name in reversed(path.split("/")) if name not in ("", ".")]


def _parent_problem(place: str, status: os.stat_result) -> str:
    if not stat.S_ISDIR(status.st_mode):
        return f"{place} is no folder"
    if status.st_mode & stat.S_IWOTH and not status.st_mode & stat.S_ISVTX:
        return f"all users may replace what is in {place} (mode {_mode(status)}); run: chmod o-w {place}"
    return ""


def _folder_problem(place: str, status: os.stat_result, forbidden: int) -> str:
    if not stat.S_ISDIR(status.st_mode):
        return f"{place} is no folder"
    if status.st_uid != os.geteuid():
        return f"{place} belongs to {_owner(status)}, not to you; choose a folder of your own"
    if status.st_mode & forbidden:
        access = "write to" if status.st_mode & UNWRITABLE else "read"
        mend = "700" if forbidden == PRIVATE else "go-w"
        return f"other users may {access} {place} (mode {_mode(status)}); run: chmod {mend} {place}"
    return ""


def _mode(status: os.stat_result) -> str:
    return f"{stat.S_IMODE(status.st_mode):04o}"


def _owner(status: os.stat_result) -> str:
    import pwd

    try:
        return f"user {pwd.getpwuid(status.st_uid).pw_name}"
    except KeyError:
        return f"user number {status.st_uid}"
