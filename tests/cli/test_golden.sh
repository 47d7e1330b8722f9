#!/bin/sh
# Digests that every compiler, optimisation level and number of threads must give. A change of the
# model changes them on purpose: ANAX_UPDATE_GOLDEN=1 writes the file anew (see CONTRIBUTING.md).
. "$ANAX_SOURCE/tests/support/script/command.sh"
golden=$ANAX_SOURCE/tests/data/golden/digests.txt

while read -r line; do
    arguments=${line#*  }
    # shellcheck disable=SC2086 # words are arguments
    run_ok $arguments --json
    echo "$(value out digest)  $arguments" >>present
done <"$golden"
if [ "${ANAX_UPDATE_GOLDEN:-0}" = 1 ]; then
    cp present "$golden"
    echo "written: $golden"
fi
if ! diff "$golden" present; then
    echo "digests differ from $golden (left: there; right: now)"
    failures=$((failures + 1))
fi
finish
