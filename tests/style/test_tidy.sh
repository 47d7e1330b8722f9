#!/bin/sh
# The sources keep the house rules; and each rule finds the offence it is there for.
set -eu
tidy=$ANAX_SOURCE/tests/style/tidy.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

status=0
offences=$(sh "$tidy" "$ANAX_SOURCE")
if [ -n "$offences" ]; then
    echo "$offences"
    status=1
fi

# into KIND NAME FILE CONTENT: writes FILE into the first tree of the kind that has none of this name, and remembers
# that it is not tidy, and NAME says why. Most trees have several such files.
into() {
    number=0
    while [ -e "$work/$1-$number/$3" ]; do number=$((number + 1)); done
    [ -d "$work/$1-$number" ] || "begin_$1" "$work/$1-$number"
    mkdir -p "$work/$1-$number/${3%/*}"
    printf '%s\n' "$4" >"$work/$1-$number/$3"
    echo "^$3.*$2" >>"$work/$1-$number.offences"
}

# found KIND: all offences in the trees of the kind are found.
found() {
    for tree in "$work/$1"-*.offences; do
        tree=${tree%.offences}
        sh "$tidy" "$tree" >"$tree.said" || true
        while read -r offence; do
            grep -q "$offence" "$tree.said" && continue
            echo "the rule was not found broken: $offence"
            status=1
        done <"$tree.offences"
    done
}

canary() { into tree "$@"; } # NAME FILE CONTENT
begin_tree() { mkdir "$1"; }
canary "goes on below its text" include/anax/a.h '/* x
 *  - an item
 * that goes on
 */'
canary "which network may not know" network/a.c '/* x */
#include "traces/program/program.h"'
for text in '#define SIZE 1' 'struct place {' 'enum { FIRST, LAST };' 'typedef enum kind { NETWORK_A } kind;' \
    'typedef int (*visit)(void);'; do
    canary "has no prefix" network/network.h "/* x */
$text"
done
canary "has no prefix" network/engine/parts.h '/* x */
struct packet {'
canary "function packet_free has no prefix" network/engine/parts.h '/* x */
void packet_free(struct network *network);'
canary "function packet_next has no prefix" network/engine/parts.h '/* x */
static inline int packet_next(void) {'
canary "which core may not know" core/a.c '/* x */
#include "replay/replay.h"'
canary "which is private to network" api/a.c '/* x */
#include "network/engine/state/state.h"'
canary "which is private to api" cli/a.c '/* x */
#include "api/api.h"'
canary "which cli may not know" cli/a.c '/* x */
#include "core/settings/settings.h"'
canary "which support may not know" api/command_support.h '/* x */
#include "core/settings/settings.h"'
canary "which plugins may not know" plugins/a.c '/* x */
#include "network/network.h"'
canary "which plugins may not know" plugins/record/a.c '/* x */
#include "core/base/status.h"'
canary "which replay may not know" replay/a.c '/* x */
#include <anax/anax.h>'
canary "only traces/otf2/otf2_reader" replay/a.c '/* x */
#include <otf2/otf2.h>'
canary "only core/settings/yaml_stream.c" api/a.c '/* x */
#include <libfyaml.h>'
canary "only plugins/ may" core/transport_mpi.c '/* x */
#include <mpi.h>'
canary "only api/" core/a.c '/* x */
#include <json-c/json.h>'
canary "in a circle of headers" core/round/a.h '/* x */
#include "core/round/b.h"'
canary "in a circle of headers" core/round/b.h '/* x */
#include "core/round/a.h"'
canary "in a circle of headers" include/anax/b.h '/* x */
#include <anax/c.h>'
canary "in a circle of headers" include/anax/c.h '/* x */
#include <anax/b.h>'
canary "at most 600" core/a.c "/* x */$(seq 600 | sed 's/^/\n/')
$(seq 600)"
canary "opens without a comment" core/a.c 'int x;'
canary "opens without a comment" tests/support/a.c 'int x;'
canary "tab or blank" core/a.c '/* x */ '
canary "never prints" replay/a.c '/* x */
void f(void) { printf("x"); }'
canary "never prints" replay/a.c '/* x */
void f(FILE *file) { if (file == stderr) return; }'
canary "floating point" network/a.c '/* x */
double x(void);'
canary "a header of network/engine" tests/network/a.c '/* x */
#include "network/engine/state/state.h"'
canary "a header of network/engine" tests/api/a.c '/* x */
#include "network/engine/state/state.h"'
canary "state inside the network" tests/support/a.h '/* x */
static void f(struct network *network) { network->rail_groups[0].now_ps = 0; }'
canary "state inside the network" tests/network/b.c '/* x */
static int f(const struct rail_group *rail_group) { return rail_group->now_ps == 0; }'
canary "sets a constant of the network" tests/network/c.c '/* x */
static void f(struct network *network) { network->config.groups = 1; }'

found tree

# layer_canary WHY FILE CONTENT: the same in a tree with two layers, of which `high` may use `low`.
layer_canary() { into layered "$@"; }
begin_layered() {
    mkdir -p "$1/network/low" "$1/network/high" "$1/network/aside"
    mkdir -p "$1/docs"
    cat >"$1/docs/layers.md" <<'END'
Layers of `network/`, lowest first:

| layer | files | may use |
|---|---|---|
| low | `low/` | |
| | `high/lowest.*` | |
| high | `high/` | all above |
| aside | `aside/` | low |
END
    printf '/* x */\nint low_one(void);\n' >"$1/network/low/one.h"
    printf '/* x */\n#include "network/low/one.h"\nint low_one(void) {\n    return 1;\n}\n' \
        >"$1/network/low/one.c"
    printf '/* x */\nint high_two(void) {\n    return low_one();\n}\n' \
        >"$1/network/high/two.c"
    printf '/* x */\nint low_three(void);\n' >"$1/network/high/lowest.h"
    printf '/* x */\nstruct x {\n    int high_two; /* high_two() */\n};\n' \
        >"$1/network/aside/x.h"
}
begin_layered "$work/order"
if [ -n "$(sh "$tidy" "$work/order")" ]; then
    sh "$tidy" "$work/order"
    echo "a tree in order was not found to be"
    status=1
fi
layer_canary "includes network/high/two.h, which is network/high" network/low/a.c '/* x */
#include "network/high/two.h"'
layer_canary "includes network/high/two.h, which is network/high" network/high/lowest.c '/* x */
#include "network/high/two.h"'
layer_canary "uses high_two of network/high/two.c" network/low/a.c '/* x */
int low_a(void) {
    return high_two();
}'
layer_canary "uses high_two of network/high/two.c" network/low/a.c '/* x */
static int (*const table[])(void) = {high_two};'
layer_canary "uses high_two of network/high/two.c" network/low/b.h '/* x */
static inline int low_b(void) {
    return high_two();
}'
layer_canary "uses high_two of network/high/two.c" network/aside/a.c '/* x */
int aside_a(void) {
    return high_two();
}'
layer_canary "is in no layer" network/a.c '/* x */'
found layered

# Headers of the table are public, and those of `all`; others are private.
headers_canary() { into headers "$@"; }
begin_headers() {
    mkdir -p "$1/core" "$1/network/open" "$1/api"
    mkdir -p "$1/docs"
    cat >"$1/docs/layers.md" <<'END'
## Public headers

| room | header | what it declares |
|---|---|---|
| `core/` | all | tools |
| `network/` | `network.h` | messages |
| | `open/` | all else |

## Other headers

| `network/` | `private.h` | nothing |
END
    for header in core/a.h network/network.h network/open/b.h network/private.h; do
        echo '/* x */' >"$1/$header"
    done
    printf '/* x */\n#include "core/a.h"\n#include "network/network.h"\n#include "network/open/b.h"\n' \
        >"$1/api/c.c"
}
begin_headers "$work/public"
if [ -n "$(sh "$tidy" "$work/public")" ]; then
    sh "$tidy" "$work/public"
    echo "a public header was not found to be public"
    status=1
fi
headers_canary "which is private to network" api/a.c '/* x */
#include "network/private.h"'
found headers
rm "$work/public/network/network.h" "$work/public/api/c.c"
if ! sh "$tidy" "$work/public" | grep -q 'there is no public header network/network.h'; then
    echo "the rule was not found broken: there is no public header"
    status=1
fi

# What only looks like an offence is none; two files of one name are one.
mkdir -p "$work/good/core" "$work/good/api"
printf '/* printf(x) double */\nconst char *f(void) { return "exit(1) float"; }\n' >"$work/good/core/a.c"
if [ -n "$(sh "$tidy" "$work/good")" ]; then
    echo "comments or texts were taken for code"
    status=1
fi
cp "$work/good/core/a.c" "$work/good/api/a.c"
if ! sh "$tidy" "$work/good" | grep -q '^a.c: more than one file'; then
    echo "the rule was not found broken: more than one file"
    status=1
fi
exit $status
