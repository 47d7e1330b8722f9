#!/bin/sh
# The documentation site is built without a warning, from the documents, the manual pages and the public
# headers; it refers to nothing outside; and where a program is missing, it says which package has it.
. "$ANAX_SOURCE/tests/support/script/command.sh"
needs_manual_pages
export PYTHONDONTWRITEBYTECODE=1
python=$(python3 -c 'import sys; print(sys.executable)') || { echo "skipped: python3 is not installed" && exit 0; }
build() { "$python" "$ANAX_SOURCE/docs/site/build.py" --manuals "$ANAX_BINARY/man" --output site >out 2>err; }

# Without the other programs.
mkdir none
PATH=none build
code=$? last="build.py without doxygen and mandoc"
expect "it ends with exit code 2" [ "$code" -eq 2 ]
expect "it names the packages" grep -q 'needs these packages of Debian: .*doxygen mandoc' err
expect "it writes nothing" [ ! -e site ]

build
code=$? last="build.py"
if [ "$code" -eq 2 ] && holds err 'needs these packages of Debian'; then
    echo "skipped: $(head -1 err)"
    finish
fi
expect_code 0
expect "without a warning" empty err
for page in index.html search.html docs/glossary.html docs/validation.html docs/fidelity.html \
    docs/tutorials/placement.html manual/anax-replay.1.html manual/anax-json.5.html reference/anax-h.html; do
    expect "the site has the page $page" [ -s "site/html/$page" ]
done
for document in $(cd "$ANAX_SOURCE" && find docs -name '*.md'); do
    expect "there is a page of $document" [ -s "site/html/${document%.md}.html" ]
done
expect "equations are set" grep -q '<i>B</i><sub>max</sub>' site/html/docs/model/02-router.html
expect "no equation is left as text" [ "$(cat site/html/docs/model/*.html | grep -c 'highlight-none')" -eq 0 ]
expect "subscripts of the text are set, too" grep -q 'B</em><sub>max</sub>' site/html/docs/model/02-router.html
expect "also where no equation is" grep -q 'B</em><sub>max</sub>' site/html/docs/model/00-symbols.html
expect "functions have their comments" grep -q 'Opens an OTF2 archive' site/html/reference/trace-h.html
sections=$(grep -o 'breathe-sectiondef-title[^>]*>[A-Z][a-z]* [a-z]*' site/html/reference/trace-h.html | sed 's/.*>//' | head -3 | tr '\n' ',')
expect "sections stand in the order of the header" [ "$sections" = "Opening and,What a,Writing a," ]
expect "the reference has the comments of members" grep -q 'time from the first to the last time stamp' site/html/reference/trace-h.html
expect "manual pages have their options" grep -q -e '--ranks-per-node' site/html/manual/anax-replay.1.html
expect "the search knows words of the text" grep -q 'rendezv' site/html/searchindex.js
cat >links.py <<'PYTHON'
import html, os, re, urllib.parse
pages = {}
for folder, _, files in os.walk("site/html"):
    for name in files:
        path = os.path.join(folder, name)
        pages[path] = open(path, encoding="utf-8").read() if name.endswith(".html") else ""
for path, text in pages.items():
    for link in set(re.findall(r'(?:href|src)="([^"]+)"', text)):
        if re.match("https?:|data:", link):
            continue
        target, _, part = urllib.parse.unquote(html.unescape(link)).partition("#")
        target = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
        if target not in pages or (part and pages[target] and f'id="{part}"' not in pages[target]):
            print(f"{path}: {link}")
PYTHON
last="links between pages"
"$python" links.py >out 2>err
expect "each leads to a page or a part of one" empty out
expect "all links of the site were read" empty err
last="scripts, styles and pictures from elsewhere"
expect "no page loads anything from elsewhere" [ -z "$(find site/html -name '*.html' -exec grep -hE '(src|<link[^>]*href)="(https?:)?//' {} +)" ]

# Equations, and what is none and refused.
cat >set.py <<'PYTHON'
import sys
sys.path.insert(0, sys.argv[1])
import equations
for line in sys.stdin:
    text, wanted = line.rstrip("\n").split("|")
    try:
        found = equations.table(text)
    except equations.Unreadable:
        found = "refused"
    if (found != wanted) if wanted == "refused" else (wanted not in found):
        print(f"equation {text}: {found}, not {wanted}")
print("all")
PYTHON
cat >texts <<'END'
a^2 <= √b|<i>a</i><sup>2</sup> ≤ √<span class="root"><i>b</i></span>
x · (y + 1) / 2|<span><i>x</i> · <span class="group">(<i>y</i> + 1)</span></span><span class="slash"> / </span><span>2</span>
floor(s_{j−1}') in [0, 1)|⌊<i>s</i><sub><i>j</i>−1</sub>′⌋ in <span class="group">[0, 1)</span>
when a packet is there   r_i|<td>when a packet is there</td><td><i>r</i><sub><i>i</i></sub></td>
a = (b|refused
a) = b|refused
a = _b|refused
END
last="equations"
for interpreter in "$python" /usr/bin/python3; do
    "$interpreter" set.py "$ANAX_SOURCE/docs/site" <texts >out 2>err
    code=$?
    grep -q ModuleNotFoundError err || break
done
expect "they are set, or refused" [ "$(cat out)" = all ]
finish
