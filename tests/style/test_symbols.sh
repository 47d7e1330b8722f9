#!/bin/sh
# Both libraries export what begins with anax_ and nothing else, the shared one with the version that
# its soname has; and no room keeps mutable globals.
set -eu
status=0

# MAJOR.MINOR before 1.0, MAJOR from then on.
number() { sed -n "s/^#define ANAX_VERSION_$1 //p" "$ANAX_SOURCE/include/anax/anax.h"; }
version=$(number MAJOR)
[ "$version" != 0 ] || version=0.$(number MINOR)
soname=$(objdump -p "$ANAX_BINARY/libanax.so" | awk '$1 == "SONAME" { print $2 }')
if [ "$soname" != "libanax.so.$version" ]; then
    echo "the soname is $soname, and should be libanax.so.$version"
    status=1
fi
exported=$(nm -D --defined-only "$ANAX_BINARY/libanax.so" | awk '{ print $NF }')
others=$(echo "$exported" |
    grep -v -x -e "anax_[a-z0-9_]*@@ANAX_$version" -e "ANAX_$version" || true)
if [ -n "$others" ]; then
    printf 'exported without being public, or without the version:\n%s\n' "$others"
    status=1
fi
for name in $(sed -n 's/^ANAX_API .*[ *]\(anax_[a-z0-9_]*\)(.*/\1/p' "$ANAX_SOURCE"/include/anax/*.h); do
    case "
$exported" in *"
$name@@"*) ;; *)
        echo "declared in the public header, but not exported: $name"
        status=1
        ;;
    esac
done

# A struct that callers allocate begins with its size, has a macro that sets it, and has no padding at
# its end; the comment of any other struct says that only the library makes it. anax_sum is a number.
structs=$(cat "$ANAX_SOURCE"/include/anax/*.h | awk '
    /^\/\*/ { comment = "" }
    { comment = comment $0 }
    /^typedef struct anax_[a-z_]* \{$/ { name = $3; made = comment ~ /Only[ *]*the[ *]*library[ *]*makes/; next }
    name != "" { print name, ($1 == "size_t" && $2 == "size;") ? "sized" : made ? "made" : "other"; name = "" }')
[ "$(echo "$structs" | grep -c ' sized$')" -ge 7 ] || { echo "too few structs were found: $structs"; status=1; }
for name in $(echo "$structs" | awk '$2 == "other" && $1 != "anax_sum" { print $1 }'); do
    echo "$name can grow neither by its size nor because only the library makes it"
    status=1
done
for name in $(echo "$structs" | awk '$2 == "sized" { print $1 }'); do
    macro=$(echo "${name}_INIT" | tr a-z A-Z)
    grep -q "^#define $macro " "$ANAX_SOURCE"/include/anax/*.h || { echo "$name has no macro $macro"; status=1; }
    grep -q "^CALLER_STRUCT_ENDS_WITH($name, " "$ANAX_SOURCE/api/caller_struct.c" ||
        { echo "$name is not checked for padding in api/caller_struct.c"; status=1; }
done

# The static library has no other global symbol either.
others=$(nm --defined-only --extern-only "$ANAX_BINARY/libanax.a" | awk 'NF == 3 && $3 !~ /^anax_/ { print $3 }')
if [ -n "$others" ]; then
    printf 'global in the static library without being public:\n%s\n' "$others"
    status=1
fi

# Data that is not read-only (after relocation) is a mutable global. Sanitizers add their own. Two are
# allowed, for other libraries' own globals: `silenced`, which makes OTF2's error callback be set
# once, and `metis_turn`, in which METIS uses the C library's rand().
if [ "$ANAX_PLAIN_OBJECTS" = 1 ]; then
    globals=$(objdump -t "$ANAX_BINARY/libanax.a" |
        awk '($4 == ".data" || $4 == ".bss" || $4 == ".tdata" || $4 == ".tbss" ||
              $3 == ".data" || $3 == ".bss" || $3 == ".tdata" || $3 == ".tbss" || $3 == "*COM*") &&
             $NF !~ /^\./ && $NF !~ /(^|\.)(silenced|metis_turn)(\.|$)/ { print $NF }')
    if [ -n "$globals" ]; then
        printf 'mutable globals:\n%s\n' "$globals"
        status=1
    fi
fi
exit $status
