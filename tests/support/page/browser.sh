# For tests of pages, to be sourced after command.sh: shows them in headless Chromium, if there is one.
#
#     $browser                 its name; empty if there is none
#     browse OPTION... FILE    shows a page
#     rules PAGE...            what is wrong with pages, by rules.js, in out
#     acts PAGE <SCRIPT        acts as a reader does, by acts.js and the script; what it is told in out
#     told TEXT                expects it
# shellcheck shell=sh
browser=
for name in chromium-headless-shell chromium; do
    if [ -z "$browser" ] && command -v "$name" >/dev/null; then browser=$name; fi
done
# A browser executes no line of anax.
[ "$ANAX_COVERAGE" != ON ] || browser=
browse() { # OPTION... FILE
    timeout -s KILL 60 "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars \
        --allow-file-access-from-files --enable-logging=stderr "$@" 2>err
}
if [ -n "$browser" ] && ! browse --dump-dom about:blank | grep -q '<body>'; then
    echo "$browser does not run here: $(tail -n 1 err)"
    browser=
fi
[ -n "$browser" ] || echo "pages in a browser are not tested: that needs chromium"

# Shows pages in frames of all widths, and says what is wrong with them.
rules() { # PAGE...
    {
        echo "<!DOCTYPE html><script src=\"$ANAX_SOURCE/tests/support/page/rules.js\"></script>"
        for shown in "$@"; do
            for width in 390 1280; do echo "<iframe src=\"$shown\" width=\"$width\" height=\"900\" style=\"border:0\"></iframe>"; done
        done
        cat <<'HTML'
<script>addEventListener("load", () => { for (const frame of document.querySelectorAll("iframe"))
    document.body.append("\n" + [frame.getAttribute("src"), frame.width, frame.contentDocument.body.children.length,
        ...faults(frame.contentDocument)].join("|")); });</script>
HTML
    } >frames.html
    last="$browser $*"
    browse --dump-dom "file://$work/frames.html" | sed -n 's/<\/body>.*//; /^[a-z]*\.html|/p' >out
}

acts() { # PAGE, and a script
    cat >script.js
    python3 "$ANAX_SOURCE/tests/support/page/with_script.py" "$1" "$ANAX_SOURCE/tests/support/page/acts.js" script.js >acted.html
    last="acts on $1"
    browse --window-size=1000,900 --dump-dom "file://$work/acted.html" | grep -a '^told|' >out || true
    expect_not_in out "told|error"
    expect_not_in err "Refused to"
}
told() { expect "$1" grep -qxF "told|$1" out; }
