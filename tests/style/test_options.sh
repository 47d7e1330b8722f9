#!/bin/sh
# What is built in without optional libraries compiles too: builds of the tests have them all.
set -eu
"${CC:-cc}" -std=gnu11 -Wall -Wextra -Werror -I"$ANAX_SOURCE" -fsyntax-only "$ANAX_SOURCE/mapping/partition_split.c" || {
    echo "mapping/partition_split.c does not compile without METIS"
    exit 1
}
