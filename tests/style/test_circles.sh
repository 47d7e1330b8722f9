#!/bin/sh
# Files that use each other's functions form a circle; none has more than five. A file is understood
# with those that it needs, so a circle has to be read as a whole.
set -eu
if [ "$ANAX_UNITY" = ON ]; then
    echo "skipped: the network is one object in this build"
    exit 0
fi
xargs nm -A <"$ANAX_BINARY/objects.txt" | awk -v most=5 '
    # .../router.c.o:0000 T router_head, or ...: U router_head
    NF < 3 { next }
    {
        match($1, /[a-z0-9_]+\.c\.o:/)
        file = substr($1, RSTART, RLENGTH - 5)
        symbol = $NF
        type = $(NF - 1)
        if (type == "U") needs[file, symbol] = 1
        else if (type ~ /^[TDRBVW]$/) owner[symbol] = file
        files[file] = 1
    }
    END {
        for (pair in needs) {
            split(pair, part, SUBSEP)
            if (!(part[2] in owner) || owner[part[2]] == part[1] || (part[1], owner[part[2]]) in known) continue
            known[part[1], owner[part[2]]] = 1
            uses[part[1]] = uses[part[1]] " " owner[part[2]]
        }
        for (file in files) reach(file)
        for (file in files) {
            count = 0
            list = ""
            for (other in files)
                if (((file, other) in reached) && ((other, file) in reached)) {
                    count++
                    list = list " " other
                }
            if (count > most && !(list in told)) {
                told[list] = 1
                printf "a circle of %d files:%s\n", count, list
                wrong = 1
            }
        }
        for (file in files) seen++
        if (seen < 100) { print "only", seen, "objects were found"; wrong = 1 }
        exit wrong
    }
    function reach(from,    queue, head, tail, others, count, i) {
        queue[tail = 1] = from
        for (head = 1; head <= tail; head++) {
            count = split(uses[queue[head]], others, " ")
            for (i = 1; i <= count; i++)
                if (!((from, others[i]) in reached)) {
                    reached[from, others[i]] = 1
                    queue[++tail] = others[i]
                }
        }
    }'
