# Looks at the links of Markdown documents: the files that they name exist, and the headings too.
#
#     awk -f links.awk FILE...     prints one line per offence, and the line "page FILE" for each document
#                                  that another one refers to
#
# A heading's name in a link is that of GitHub and MyST: lower case, blanks as "-", without punctuation.
function join(folder, path,    parts, n, i, out, kept) {
    n = split(folder "/" path, parts, "/")
    for (i = 1; i <= n; i++) {
        if (parts[i] == "" || parts[i] == ".") continue
        if (parts[i] == ".." && kept > 0 && out[kept] != "..") { kept--; continue }
        out[++kept] = parts[i]
    }
    path = ""
    for (i = 1; i <= kept; i++) path = path (i > 1 ? "/" : "") out[i]
    return path
}

function name_of(heading) {
    heading = tolower(heading)
    gsub(/[]!-,.\/:-@[\\^`{-~]/, "", heading)
    gsub(/ /, "-", heading)
    return heading
}

function exists(path,    line, answer) {
    if (path in known) return known[path]
    answer = system("test -e '" path "'") == 0
    return known[path] = answer
}

FNR == 1 {
    fenced = 0
    folder = FILENAME
    if (!sub(/\/[^\/]*$/, "", folder)) folder = "."
    seen[FILENAME] = 1
}
/^ *```/ { fenced = !fenced; next }
fenced || /^    / { next }
/^#+ / {
    heading = $0
    sub(/^#+ /, "", heading)
    named = FILENAME "#" name_of(heading)
    if (named in headings) headings[named "-" headings[named]++] = 1
    else headings[named] = 1
}
{
    line = $0
    gsub(/`[^`]*`/, "code", line)
    while (match(line, /\]\([^() ]*\)/)) {
        target = substr(line, RSTART + 2, RLENGTH - 3)
        line = substr(line, RSTART + RLENGTH)
        if (target ~ /^(https?|mailto):/) continue
        links++
        path = target
        sub(/#.*/, "", path)
        path = path == "" ? FILENAME : join(folder, path)
        if (!exists(path)) { print FILENAME ":" FNR ": link to " target ", which does not exist"; continue }
        if (path != FILENAME && !(path in told)) { told[path] = 1; print "page " path }
        if (target ~ /#/) {
            sub(/^[^#]*/, "", target)
            wanted[FILENAME ":" FNR] = path target
        }
    }
}
END {
    for (place in wanted) {
        path = wanted[place]
        sub(/#.*/, "", path)
        if (path in seen && !(wanted[place] in headings)) print place ": no heading " wanted[place]
    }
    print "links " links + 0
}
