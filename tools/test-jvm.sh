#!/usr/bin/env bash
# Tests integrations/jvm: builds the native library and the package by Maven, runs its tests on the default JDK and on each other one that
# JDKS names, and the benchmark at a small size. Where something is missing that cannot be installed, it says so and returns 77.
set -uo pipefail
cd "$(dirname "$0")/.."

skip() {
	echo "skipped: jvm: $1"
	exit 77
}

command -v mvn >/dev/null || skip "Maven is not installed"
command -v javac >/dev/null || skip "there is no JDK"
command -v python3 >/dev/null || skip "there is no python3, which makes C of the modules"
python3 -c 'import tarfile; tarfile.data_filter' 2>/dev/null || skip "the build needs Python 3.11.4"
command -v c++ >/dev/null || skip "there is no C++ compiler"
home=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
[ -e "$home/include/jni.h" ] || skip "$home has no jni.h"
npm run --silent build || exit 1
cd integrations/jvm
mvn --quiet --batch-mode package || exit 1
for jdk in ${JDKS:-}; do
	echo "== $jdk"
	JAVA_HOME=$jdk mvn --quiet --batch-mode surefire:test || exit 1
done
mvn --quiet --batch-mode exec:java -Dexec.mainClass=robotrie.Bench -Dexec.classpathScope=test -Dexec.args="20 3"
