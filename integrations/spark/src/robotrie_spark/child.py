"""A `robotrie stream` process, kept between the tasks of a Python worker."""

from __future__ import annotations

import atexit
import os
import struct
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from .command import robotrie_command
from .errors import RobotrieError

try:
    from fcntl import F_SETPIPE_SZ, fcntl
except ImportError:
    # Before Python 3.10, and on systems other than Linux.
    fcntl = None  # type: ignore[assignment]

#: Bytes that the pipe to the process holds. A frame has about three times as many. With the usual 64 KiB, the two processes wait for
#: each other twelve times in a frame.
PIPE_SIZE = 256 * 1024

#: Seconds in which a process takes a frame or replies to one; ROBOTRIE_TIME_LIMIT sets another number. A frame is judged in milliseconds,
#: and the largest shard is loaded in less than a minute: whatever takes longer hangs, or was stopped.
TIME_LIMIT = 300.0

#: Bytes of stderr that an error shows, the last ones.
SHOWN = 2000


class Child:
    """The process. A frame that has a reply is followed by reading it, so that no pipe fills up on both sides."""

    def __init__(self, args: tuple[str, ...]) -> None:
        self.args = args
        self._greeted = False
        self._limit = _time_limit()
        self._is_stuck = False
        #: When the exchange under way began; None between exchanges.
        self._since: float | None = None
        self._is_closed = threading.Event()
        command = [*robotrie_command(), "stream", *args]
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except OSError as error:
            raise RobotrieError(f"robotrie cannot be started on this executor: {command[0]}: {error.strerror}") from None
        assert self._process.stdin is not None
        if fcntl is not None:
            # All pipes of a user together may hold so much only. Then it stays as it is.
            with suppress(OSError):
                fcntl(self._process.stdin, F_SETPIPE_SZ, PIPE_SIZE)
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        """Kills the process when an exchange takes too long: whoever waits for it then sees the end of a pipe."""
        while not self._is_closed.wait(self._limit / 4):
            since = self._since
            if since is not None and time.monotonic() - since > self._limit:
                self._is_stuck = True
                self._process.kill()
                return

    @property
    def pid(self) -> int:
        return self._process.pid

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def send(self, kind: bytes, *parts: Any) -> None:
        """Writes a frame, whose payload is that of buffers."""
        length = sum(memoryview(part).nbytes for part in parts)
        pipe = self._process.stdin
        assert pipe is not None
        self._since = time.monotonic()
        try:
            pipe.write(kind + struct.pack("<I", length))
            for part in parts:
                pipe.write(part)
            pipe.flush()
        except OSError:
            raise self._ended() from None
        self._since = None

    def reply(self, kind: bytes) -> bytes:
        """The payload of the next reply. :raises RobotrieError: If it is an error, or the process ends before it."""
        if not self._greeted:
            # The first frame says what verdicts are given; whoever started the process has said it.
            self._greeted = True
            self.reply(b"V")
        header = self._read(5)
        payload = self._read(int.from_bytes(header[1:], "little"))
        if header[:1] == b"E":
            raise RobotrieError(f"robotrie stream: {payload.decode()}")
        if header[:1] != kind:
            raise RobotrieError(f"robotrie stream replied {header[:1]!r} where {kind!r} was due; is it another version?")
        return payload

    def _read(self, size: int) -> bytes:
        pipe = self._process.stdout
        assert pipe is not None
        self._since = time.monotonic()
        found = pipe.read(size)
        if len(found) < size:
            raise self._ended()
        self._since = None
        return found

    def close(self) -> None:
        """Ends the process."""
        self._is_closed.set()
        process = self._process
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            assert pipe is not None
            try:
                pipe.close()
            except OSError:
                # What was not written yet has no reader any more.
                pass

    def _ended(self) -> RobotrieError:
        process = self._process
        assert process.stderr is not None
        said = process.stderr.read()[-SHOWN:].decode(errors="replace").strip()
        code = process.wait()
        how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        if self._is_stuck:
            how = f"did not reply for {self._limit:g} s and was ended (ROBOTRIE_TIME_LIMIT)"
        return RobotrieError(f"robotrie stream {how}: {said or 'it wrote nothing to stderr'}")


def _time_limit() -> float:
    text = os.environ.get("ROBOTRIE_TIME_LIMIT", "")
    if text == "":
        return TIME_LIMIT
    with suppress(ValueError):
        if 0 < float(text) <= 86_400:
            return float(text)
    raise RobotrieError(f"ROBOTRIE_TIME_LIMIT is a number of seconds, at most 86400, not {text}")


_kept: Child | None = None


@contextmanager
def borrowed(args: tuple[str, ...]) -> Iterator[Child]:
    """The worker's process with these arguments. It is kept for the next task, but not after an error, when replies may be due."""
    global _kept
    child, _kept = _kept, None
    if child and not (child.args == args and child.is_alive()):
        child.close()
        child = None
    child = child or Child(args)
    try:
        yield child
    except BaseException:
        child.close()
        raise
    _kept = child


@atexit.register
def _end() -> None:
    if _kept:
        _kept.close()
