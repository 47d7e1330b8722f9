#!/bin/bash
# Runs a command whose temporary files the system may not keep in memory, and says what it took.
#
#     bench/speed/small_cache.sh LIMIT COMMAND…          LIMIT in MiB
#
# A limit of memory (control group) counts a process's own memory and what the system keeps of its
# files. Where no such limit can be set, this script does nearly the same: ten times a second it adds
# up the command's own memory and what is in memory of its files without a name, and if that is more
# than LIMIT, what is not in use goes to the disk. The last line on the standard error has the
# elapsed time, the processor time, the largest memory of the process (mapped files included), the
# largest sum, how often it was more than LIMIT, the largest size of the files, and the bytes read
# from the disk and written. Needs fincore (util-linux) and GNU dd.
set -u
limit=$(($1 << 20))
shift
notes=$(mktemp -d)
trap 'rm -rf "$notes"' EXIT
begin=$(date +%s)
"$@" &
process=$!
most=0 files=0 times=0
while [ -e "/proc/$process/io" ]; do
    kept=0 size=0 names=()
    for file in "/proc/$process/fd/"*; do
        [[ $(readlink "$file" 2>/dev/null) == *"(deleted)" ]] || continue
        read -r in_memory bytes < <(fincore -b -n -r -o RES,SIZE "$file" 2>/dev/null)
        kept=$((kept + ${in_memory:-0})) size=$((size + ${bytes:-0}))
        names+=("$file")
    done
    own=$(awk '/^RssAnon/ { print $2 * 1024 }' "/proc/$process/status" 2>/dev/null)
    all=$((kept + ${own:-0}))
    [ "$all" -gt "$most" ] && most=$all
    [ "$size" -gt "$files" ] && files=$size
    if [ "$all" -gt "$limit" ]; then
        times=$((times + 1))
        for file in "${names[@]}"; do
            dd of="$file" oflag=nocache conv=notrunc,fdatasync count=0 status=none 2>/dev/null
        done
    fi
    for note in io status stat; do
        cat "/proc/$process/$note" >"$notes/new" 2>/dev/null && [ -s "$notes/new" ] &&
            mv "$notes/new" "$notes/$note"
    done
    sleep 0.1
done
wait "$process"
code=$?
touch "$notes/io" "$notes/status" "$notes/stat"
awk -v seconds=$(($(date +%s) - begin)) -v most="$most" -v files="$files" -v times="$times" \
    -v ticks="$(getconf CLK_TCK)" '
    FILENAME ~ /stat$/ { user = $14 / ticks; kernel = $15 / ticks }
    /^VmHWM/ { resident = $2 / 1024 }
    /^read_bytes/ { got = $2 / 2 ^ 20 }
    /^write_bytes/ { put = $2 / 2 ^ 20 }
    END { printf "%d s (%.0f s user, %.0f s system), resident %.0f MiB, memory and cache %.0f MiB, " \
                 "%d times above; files %.0f MiB, read %.0f MiB, written %.0f MiB\n",
                 seconds, user, kernel, resident, most / 2 ^ 20, times, files / 2 ^ 20, got, put
    }' "$notes/stat" "$notes/status" "$notes/io" >&2
exit $code
