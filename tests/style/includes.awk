# The include law, and that headers do not include each other in a circle. Reads lines, one kind after the other:
#
#     allowed ROOM ROOM...       headers of which rooms a room may include
#     public ROOM HEADER...      headers of a room, or their beginnings, that other rooms may include
#     narrow FOLDER HEADER...    the only headers of rooms that a folder outside the rooms may include
#     library HEADER FILE...     the files, or their beginnings, that may include a library's header
#     include FILE HEADER        what a file includes
function begins_one(word, list,    item, count, i) {
    count = split(list, item, " ")
    for (i = 1; i <= count; i++)
        if (item[i] == substr(word, 1, length(item[i]))) return 1
    return 0
}
function rest_after(fields,    line, i) {
    line = $0
    for (i = 1; i <= fields; i++) sub(/^[^ ]+ */, "", line)
    return line
}
$1 == "allowed" { allowed[$2] = " " rest_after(2) " "; next }
$1 == "public" { public[$2] = rest_after(2); next }
$1 == "narrow" { narrow[$2] = rest_after(2); next }
$1 == "library" { owners[$2] = rest_after(2); libraries[++library_count] = $2; next }
$1 == "include" {
    file = $2; header = $3
    if (file ~ /\.h$/) note(file, header ~ /^anax\// ? "include/" header : header)
    room = file; sub("/.*", "", room)
    if (file == "api/command_support.h") room = "support" # the command sees what this header includes
    first = header; sub("/.*", "", first)
    if (room in narrow) {
        if (first in allowed && !begins_one(header, narrow[room]))
            print file ": includes " header ", which " room " may not know"
    } else if (first != header && (first in allowed || first == "anax") && first != "support" && first != "include") {
        if (index(allowed[room], " " first " ") == 0)
            print file ": includes " header ", which " room " may not know"
        if (first != room && first != "anax" && !begins_one(header, public[first]))
            print file ": includes " header ", which is private to " first
    }
    for (i = 1; i <= library_count; i++) {
        library = libraries[i]
        if (library == substr(header, 1, length(library)) && !begins_one(file, owners[library]))
            print file ": includes " header "; " (owners[library] == "" ? "no file" : "only " owners[library]) " may"
    }
}
function note(file, header) {
    headers[file] = 1
    included[++pairs] = header
    includer[pairs] = file
}
# Leaves out, again and again, headers that include none of those left or that none of those left includes. What
# remains is on a circle, or between two.
END {
    do {
        dropped = 0
        split("", includes); split("", is_included)
        for (i = 1; i <= pairs; i++)
            if ((includer[i] in headers) && (included[i] in headers)) {
                includes[includer[i]] = 1
                is_included[included[i]] = 1
            }
        for (file in headers)
            if (!(file in includes) || !(file in is_included)) {
                delete headers[file]
                dropped = 1
            }
    } while (dropped)
    for (file in headers) print file ": is in a circle of headers that include each other"
}
