# Constants and types of a header: each name begins with the header's room, one of its folders, a word
# of the header's name, or anax. Reads files of code without comments, their lines as "NUMBER:text", named by the
# headers' paths with % for /.
function is_allowed(name,    lower, i) {
    if (name == "RETURN_ERROR_IF" || name == "FORWARD_IF_ERROR") return 1 # statements of their own
    lower = tolower(name)
    for (i = 1; i <= count; i++)
        if (lower == prefix[i] || index(lower, prefix[i] "_") == 1) return 1
    return 0
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
