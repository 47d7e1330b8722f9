# The layers of rooms: no file includes a header of a later layer of its room, or uses a function
# that a later layer defines. The layers stand in docs/layers.md.
#
#     awk -f layers.awk docs/layers.md FILE...     prints one line per offence
#
# A table after a line "Layers of `ROOM/`, lowest first:" has a row for each layer. Its columns: the
# layer's name; its files, as seen from the room; and whom it may use, which is "all above" or names
# of layers above. Files are `FOLDER/`, `NAME.*` for a source file and its header, or one file. A
# file belongs to the layer with the longest of these that fits it. A row without a name has more files of
# the layer above.

FNR == 1 { inside_comment = 0; number_of_file++; files[number_of_file] = FILENAME }

# The tables.
number_of_file == 1 {
    if ($0 ~ /^Layers of `[a-z]+\/`/) {
        split($0, part, "`")
        room = part[2]
        rank = 0
        rooms[room] = 1
    } else if ($0 ~ /^#/) {
        room = ""
    } else if (room != "" && $0 ~ /^\| / && $0 !~ /^\| layer /) {
        read_layer($0)
    }
    next
}

{
    where = room_of(FILENAME)
    if (where == "") next
    if ($0 ~ /^[ \t]*#[ \t]*include[ \t]*"/) {
        split($0, part, "\"")
        check_include(FILENAME, where, part[2])
    }
    code = code_of($0)
    if (FILENAME ~ /\.c$/) note_definition(FILENAME, code)
    note_uses(FILENAME, code)
}

END {
    for (i = 2; i <= number_of_file; i++) {
        file = files[i]
        if (room_of(file) != "" && layer_of(file) == "") print file ": is in no layer of docs/layers.md"
    }
    for (pattern in layer_at)
        if (!(pattern in fits) && number_of_file > 1)
            print "docs/layers.md: the layer " layer_at[pattern] " has no file " pattern
    for (use in uses) {
        split(use, part, SUBSEP)
        owner = defined_in[part[2]]
        if (owner == "" || owner == part[1] || room_of(owner) != room_of(part[1])) continue
        if (!may_use(layer_of(part[1]), layer_of(owner)))
            print part[1] ":" uses[use] ": uses " part[2] " of " owner ", which is " \
                layer_of(owner) "; " layer_of(part[1]) " may not"
    }
}

function trimmed(text) {
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return text
}

function read_layer(row,    cell, count, name, i, word) {
    split(row, cell, "|")
    name = room trimmed(cell[2])
    if (name == room) name = row_above
    else rank_of[name] = ++rank
    count = split(cell[3], word, "`")
    for (i = 2; i <= count; i += 2) {
        sub(/\*$/, "", word[i])
        layer_at[room word[i]] = name
    }
    if (name == row_above) return
    row_above = name
    restricted[name] = trimmed(cell[4]) != "all above"
    count = split(cell[4], word, ",")
    for (i = 1; i <= count; i++)
        allowed[name, room trimmed(word[i])] = 1
}

function room_of(file,    name) {
    for (name in rooms)
        if (index(file, name) == 1) return name
    return ""
}

function layer_of(file,    pattern, best) {
    if (file in known) return known[file]
    best = ""
    for (pattern in layer_at)
        if (index(file, pattern) == 1 && length(pattern) > length(best) &&
            (pattern ~ /[\/.]$/ || pattern == file)) best = pattern
    if (best != "") fits[best] = 1
    return known[file] = best == "" ? "" : layer_at[best]
}

function may_use(layer, other) {
    if (layer == other || layer == "" || other == "") return 1
    if (restricted[layer]) return (layer, other) in allowed
    return rank_of[other] < rank_of[layer]
}

function check_include(file, where, header) {
    if (room_of(header) == where && !may_use(layer_of(file), layer_of(header)))
        print file ":" FNR ": includes " header ", which is " layer_of(header) "; " \
            layer_of(file) " may not"
}

# The line without comments and texts.
function code_of(line,    out, end) {
    out = ""
    while (length(line) > 0) {
        if (inside_comment) {
            end = index(line, "*/")
            if (end == 0) return out
            line = substr(line, end + 2)
            inside_comment = 0
        } else if (match(line, /\/\*|"([^"\\]|\\.)*"/)) {
            out = out substr(line, 1, RSTART - 1)
            inside_comment = substr(line, RSTART, 1) == "/"
            line = substr(line, RSTART + RLENGTH)
        } else {
            return out line
        }
    }
    return out
}

# A function that other files see: its name stands on a line that begins in the first column.
function note_definition(file, code,    name) {
    if (code !~ /^[a-z]/ || code ~ /^(static|typedef|struct [a-z_]+ \{|enum|extern)/ ||
        code ~ /;[ \t]*$/ || code ~ /=/) return
    gsub(/__attribute__\(\([^)]*\)\)/, "", code)
    if (code ~ /(^| )static /) return
    if (!match(code, /[a-z][a-z0-9_]*\(/)) return
    name = substr(code, RSTART, RLENGTH - 1)
    defined_in[name] = file
}

# In a source file, every word that is not a member; in a header, indented calls alone: what stands
# in the first column declares.
function note_uses(file, code,    name, before, call) {
    if (code ~ /^[ \t]*#/) return
    if (file ~ /\.h$/ && code !~ /^[ \t]/) return
    while (match(code, /[A-Za-z_][A-Za-z0-9_]*/)) {
        name = substr(code, RSTART, RLENGTH)
        before = RSTART > 1 ? substr(code, RSTART - 1, 1) : ""
        code = substr(code, RSTART + RLENGTH)
        call = code ~ /^\(/
        if (before == "." || before == ">") continue
        if ((file ~ /\.c$/ || call) && !((file, name) in uses)) uses[file, name] = FNR
    }
}
