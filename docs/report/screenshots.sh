#!/bin/sh
# docs/report/screenshots.sh BUILD [FOLDER]: makes the screenshots of docs/report.md anew, in FOLDER (default: beside
# this script), with headless Chromium, and quantises them to 64 colours with Pillow ($PYTHON: python3), or fewer, so
# that each is smaller than 60 kB. The huge results take about ten minutes and 3 GB. To be looked at before each
# release: alignment, overlaps, clipped labels, empty pictures, units.
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
ANAX_SOURCE=$(cd "$folder/../.." && pwd)
build=$(cd "${1:-build}" && pwd)
folder=${2:-$folder}
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work"
ANAX_COVERAGE=OFF
# shellcheck source=tests/support/page/browser.sh
. "$ANAX_SOURCE/tests/support/page/browser.sh"
[ -n "$browser" ] || exit 2
anax() { "$build/anax" "$@" >/dev/null 2>&1; }
width=860
python=${PYTHON:-python3}

# shot NAME PAGE SECTION...: those sections of a page; header stands for what is above the first one, and SECTION/FIGURE
# for one figure of a section.
mkdir shown
wanted() { # SECTION/FIGURE...: the captions of these figures
    for part in "$@"; do
        case $part in */*) echo "#${part%/*}-${part#*/}-c" ;; esac
    done | paste -sd ,
}
shot() {
    name=$1 page=$2
    shift 2
    shown='' figures=''
    hidden="body>header,body>nav,"
    for section in "$@"; do
        [ "$section" != header ] || { hidden= && continue; }
        case $section in
        */*) figures="$figures#${section%/*}>details,#${section%/*}>figure:not(:has(${wanted:=$(wanted "$@")})){display:none}" ;;
        esac
        shown="$shown#${section%/*},"
    done
    # The first section has no line above it.
    style="${hidden}footer,section{display:none}${shown%,}{display:block}$figures"
    [ -z "$hidden" ] || style="$style#${1%/*} h2{margin-top:0;border:0}"
    wanted=
    sed "s|</style>|$style</style>|" "$page" >"shown/$name.html"
    echo "$name" >>shots
}

anax generate halo3d --ranks 64 --iterations 3 --size 8KiB --compute 10us -o halo3d.anax
anax generate alltoall --ranks 32 --iterations 2 --size 16KiB -o alltoall.anax
anax generate uniform-random --ranks 1056 --iterations 8 -o uniform.anax
anax replay halo3d.anax --machine kim-1k --placement random --explain --per-iteration iteration --links hottest:3 \
    --matrix rank --report replay.html --json
"$build/anax" replay halo3d.anax --machine kim-1k --placement random --explain --json >random.json 2>err
"$build/anax" replay halo3d.anax --machine kim-1k --explain --json >block.json 2>err
anax replay uniform.anax --machine kim-1k --placement random --explain --report large.html
anax compare alltoall.anax --machine kim-72 --routing minimal,ugal-l,par --placement block,random --seeds 5 \
    --report compare.html
anax diff block.json random.json --report diff.html
anax search alltoall.anax --machine kim-72 --routing minimal,valiant --vary network.groups=3,5,9 --seeds 2 \
    --report search.html
anax traffic --machine kim-72 --routing minimal,valiant,ugal-l --pattern worst-case --loads 0.05:0.6:0.05 \
    --report traffic.html
anax place halo3d.anax --machine kim-1k --placement random --report place.html
anax topology kim-72 --report small.html
anax topology kim-1k --report topology.html
anax topology dragonfly-262k --report huge.html
anax bisection -a 3 -h 3 --arrangement helix,relative --report bisection.html

# Huge: 65,536 ranks, 513 groups of 512 nodes.
anax generate halo3d --ranks 65536 --iterations 2 --size 8KiB --compute 10us -o halo65k.anax
anax replay halo65k.anax --machine dragonfly-262k --placement random --explain --report huge-replay.html
anax place halo65k.anax --machine dragonfly-262k --placement random --report huge-place.html
anax compare alltoall.anax --machine dragonfly-262k --routing minimal,valiant,ugal-l,ugal-g,par \
    --placement block,random --seeds 3 --report huge-compare.html
anax search alltoall.anax --machine dragonfly-262k --routing minimal,ugal-l,par --placement block,random \
    --vary network.groups=65,129,257,513 --seeds 2 --report huge-search.html
anax traffic --machine dragonfly-262k --routing minimal,ugal-l --pattern uniform --loads 0.02,0.06,0.1 \
    --set traffic.warmup=3us --set traffic.measure=1us --report huge-traffic.html
anax bisection -a 32 -h 16 --arrangement helix,relative --report huge-bisection.html

shot replay-top replay.html header verdict breakdown efficiency
shot replay-steps replay.html critical-path sensitivity
shot replay-time replay.html timeline
shot replay-efficiency replay.html regions iterations
shot replay-network replay.html groups
shot replay-flows replay.html flows
shot replay-large large.html groups congestion
shot compare compare.html header trace-1
shot diff diff.html header breakdown causes ranks
shot search search.html header front
shot traffic traffic.html header latency accepted
shot place place.html header distances links placement
shot topology topology.html header machine-1/drawn
shot topology-floor topology.html machine-1/floor
shot topology-small small.html machine-1/floor
shot topology-huge huge.html header machine-1/drawn
shot topology-huge-floor huge.html machine-1/floor
shot bisection bisection.html header bisection
shot replay-huge huge-replay.html header verdict timeline
shot replay-huge-network huge-replay.html groups placement
shot place-huge huge-place.html header links placement
shot compare-huge huge-compare.html header trace-1
shot search-huge huge-search.html header front
shot traffic-huge huge-traffic.html header latency accepted
shot bisection-huge huge-bisection.html header bisection

# A page with a script that acts as a reader does.
cat >zoom.js <<'JS'
read(() => {
    drag("timeline", 62 + 682 * 0.3, 22 + 96 * 0.25, 62 + 682 * 0.6, 22 + 96 * 0.75);
    hover("timeline", 62 + 682 * 0.5, 22 + 96 * 0.5);
});
JS
"$python" "$ANAX_SOURCE/tests/support/page/with_script.py" shown/replay-time.html "$ANAX_SOURCE/tests/support/page/acts.js" \
    zoom.js >shown/replay-zoom.html
echo replay-zoom >>shots

# How high they are.
{
    echo "<!DOCTYPE html>"
    while read -r name; do
        echo "<iframe src=\"shown/$name.html\" width=\"$width\" height=\"100\" style=\"border:0\"></iframe>"
    done <shots
    cat <<'HTML'
<script>addEventListener("load", () => { for (const frame of document.querySelectorAll("iframe"))
    document.body.append("\n" + ["height", frame.getAttribute("src").slice(6, -5),
        frame.contentDocument.documentElement.scrollHeight].join("|")); });</script>
HTML
} >heights.html
browse --window-size=1000,900 --dump-dom "file://$work/heights.html" | sed -n 's/<\/body>.*//; s/^height|//p' >heights

while IFS='|' read -r name height; do
    browse --window-size="$width,$height" --screenshot="$name.png" "file://$work/shown/$name.html"
    "$python" -c "import os, sys; from PIL import Image
for colours, method in ((64, Image.MEDIANCUT), (48, Image.MAXCOVERAGE), (32, Image.MAXCOVERAGE)):
    Image.open(sys.argv[1]).convert('RGB').quantize(colours, method, dither=0).save(sys.argv[2], optimize=True)
    if os.path.getsize(sys.argv[2]) < 60000: break" \
        "$name.png" "$folder/$name.png"
    echo "$name.png: $width x $height"
done <heights
