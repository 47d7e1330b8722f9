#!/bin/sh
# Holds the network against the papers: runs their experiments, writes docs/fidelity.md and
# docs/fidelity/*.svg. About half an hour on two cores; interrupted, it goes on where it was.
#
#     bench/fidelity.sh [--quick] [--only TEXT] [--out FOLDER]
#
# --quick: small machines, in seconds, into build/fidelity/quick. --only: run only experiments whose
# name contains TEXT. BUILD names another build folder than build.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
[ -e "$build/CMakeCache.txt" ] || cmake --preset release >/dev/null
cmake --build "$build" --target anax run_fidelity -j 2 >/dev/null
exec "$build/bench/run_fidelity" "$@" "$build"
