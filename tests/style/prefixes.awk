# Constants and types of a header: each name begins with the header's room, one of its folders, a word
# of the header's name, or anax. A function begins with the first word of the header's name, with that of a source file
# beside the header, or with the room or one of its folders; the folder's name may be left out of the file's
# (`import_` in otf2/otf2_import.h). Reads files of code without comments, their lines as "NUMBER:text", named by the
# headers' paths with % for /.
#
#     awk -v folders="FOLDER..." -v sources="FILE..." -f prefixes.awk HEADER...
BEGIN {
    count_of_sources = split(sources, source, " ")
    for (s = 1; s <= count_of_sources; s++) {
        if (source[s] !~ /\.c$/) continue
        path = source[s]
        sub(/[^\/]*$/, "", path)
        name = source[s]
        sub(/.*\//, "", name); sub(/[_.].*/, "", name)
        begins[path, name] = 1
    }
    is_exempt["network/engine/state/state.h"] = 1 # belongs to all files of the engine
    is_exempt["core/checkpoint/saved_state.h"] = 1 # functions begin with what they do to a state
}
function is_allowed(name,    lower, i) {
    if (name == "RETURN_ERROR_IF" || name == "FORWARD_IF_ERROR") return 1 # statements of their own
    lower = tolower(name)
    for (i = 1; i <= count; i++)
        if (lower == prefix[i] || index(lower, prefix[i] "_") == 1) return 1
    return 0
}
function judge_function(name,    first, i) {
    first = name
    sub(/_.*/, "", first)
    if (file in is_exempt || first == "" || name ~ /^anax_/ || (where, first) in begins) return
    for (i = 1; i <= function_count; i++)
        if (first == function_prefix[i] || name == function_prefix[i] "s") return
    print file ":" number ": function " name " has no prefix of its file, folder or room"
}
function add_function(word) {
    if (word == "") return
    function_prefix[++function_count] = word
    if (sub(/s$/, "", word)) function_prefix[++function_count] = word
}
function judge(name) {
    if (name != "" && !is_allowed(name))
        print file ":" number ": " name " has no prefix of its room, folder or header"
}
function add(word) {
    prefix[++count] = word
    if (sub(/s$/, "", word)) prefix[++count] = word
}
FNR == 1 {
    file = FILENAME
    gsub("%", "/", file)
    goes_on = inside = 0
    count = split("anax " folders, prefix, " ")
    parts = split(file, part, "/")
    sub(/\.h$/, "", part[parts])
    for (p = 1; p <= parts; p++) add(part[p])
    words = split(part[parts], word, "_")
    where = file
    sub(/[^\/]*$/, "", where)
    function_count = 0
    add_function(word[1])
    add_function(part[parts])
    if (word[1] == part[parts - 1]) add_function(word[2])
    folder_count = split(folders " " part[1], folder, " ")
    for (f = 1; f <= folder_count; f++) add_function(folder[f])
    for (w = 1; w <= words; w++) add(word[w])
}
{
    number = $0; sub(/:.*/, "", number)
    line = $0; sub(/^[0-9]*:/, "", line)
    if (goes_on) { goes_on = line ~ /\\$/; next }
    if (line ~ /^#/) {
        if (split(line, token, /[ (]+/) > 1 && token[1] == "#define" && token[2] !~ /^ANAX_.*_H$/)
            judge(token[2])
        goes_on = line ~ /\\$/
        next
    }
    if (line ~ /^[a-z]/ && line !~ /^typedef/ && match(line, /[a-z_][a-z_0-9]*\(/) && line !~ /^static_assert/) {
        name = substr(line, RSTART, RLENGTH - 1)
        if (name != "__attribute__") judge_function(name)
    }
    if (line ~ /^[^(]*(struct|union|enum) [a-z_0-9]+ *\{/) {
        name = line; sub(/ *\{.*/, "", name); sub(/.*(struct|union|enum) /, "", name)
        judge(name)
    }
    if (line ~ /^typedef .*\(\*[a-z_0-9]+\)\(/) {
        name = line; sub(/^typedef [^(]*\(\*/, "", name); sub(/\).*/, "", name)
        judge(name)
    } else if (line ~ /^typedef [^{(]* [a-z_0-9]+;/ || line ~ /^(typedef .*)?\} [a-z_0-9]+;/) {
        name = line; sub(/;.*/, "", name); sub(/.* /, "", name)
        judge(name)
    }
    if (line ~ /(^|[^a-z_])enum( [a-z_0-9]+)? *\{/) { inside = 1; sub(/.*enum[^{]*\{/, "", line) }
    if (inside) {
        body = line; sub(/\}.*/, "", body)
        constants = split(body, constant, ",")
        for (c = 1; c <= constants; c++) {
            name = constant[c]; sub(/=.*/, "", name); gsub(/[^A-Za-z_0-9]/, "", name)
            if (name ~ /^[A-Z][A-Z_0-9]*$/ && constant[c] ~ /^ *[A-Z]/) judge(name)
        }
        if (line ~ /\}/) inside = 0
    }
}
