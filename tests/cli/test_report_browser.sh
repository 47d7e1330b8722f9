#!/bin/sh
# Reports in a browser, if there is one: the rules of tests/support/page/rules.js hold of every kind of page, narrow
# and wide; scripts make no difference; pictures look as they did.
. "$ANAX_SOURCE/tests/support/script/command.sh"
. "$ANAX_SOURCE/tests/support/page/pages.sh"
. "$ANAX_SOURCE/tests/support/page/browser.sh"
if [ -z "$browser" ]; then finish; fi

# A page of each kind; the first two are as large as people look at.
results huge rows over parts differs sorts many
run_ok generate uniform-random --ranks 1056 --iterations 8 -o large.anax
run_ok replay large.anax -m kim-1k -p random --explain --matrix rank --per-iteration iteration \
    --links 0-1,0-2,0-3,1-2,1-3,2-3,n0-0,n1-0,n2-0,n3-0 --set noise.kind=exponential \
    --set noise.share=30% --report large.html
for name in huge shared over differs sorts many priced curves; do
    run_ok report $name.json --report $name.html --figures $name
done
run_ok report parts.json --report known.html --figures known
run_ok generate alltoall --ranks 4 -o few.anax
run_ok replay few.anax -m kim-72 --explain --per-iteration iteration --links hottest:2 --report parts.html
run_ok generate alltoall --ranks 16 -o alltoall.anax
run_ok generate halo3d --ranks 72 --iterations 2 --size 32KiB -o '<script>&x.anax'
run_ok replay alltoall.anax '<script>&x.anax' -m kim-1k --report jobs.html
run_ok generate halo2d --ranks 16 --iterations 2 --size 16KiB --compute 1us -o halo2d.anax
run_ok search halo2d.anax -m kim-72 -r minimal,valiant --vary network.groups=3,5,9 --seeds 2 --report search.html
run_ok place alltoall.anax -m kim-72 --report place.html
run_ok topology kim-1k kim-72 --report topology.html
run_ok topology dragonfly-262k --report floors.html
run_ok bisection -a 3 -h 3 --arrangement helix,relative --report bisection.html
if [ "$failures" -gt 0 ]; then finish; fi

set -- large.html huge.html shared.html over.html known.html parts.html jobs.html differs.html many.html priced.html curves.html search.html \
    place.html topology.html floors.html bisection.html
rules "$@"
expect "the body of each page has four parts at both widths" [ "$(grep -c '|4' out)" -eq $(($# * 2)) ]
expect "no rule is broken" sh -c "! grep '|4|' out"
expect_not_in err "Refused to"
# Faults are found.
sed -e 's/<html lang="en"/<html/; s/<h2>/<h4>/; s/<\/h2>/<\/h4>/; s/color: *#[0-9a-f]*/color: #bbb/' differs.html |
    sed "s/<text x='[0-9.]*' y='[0-9.]*'/<text x='-20' y='9'/" >bad.html
rules bad.html
for fault in "has no language" "skips a level" "has a contrast of" "is cut off in" "lies on"; do
    expect_in out "$fault"
done
# With scripts, and where a policy blocks them, as artefact viewers do.
frame() { # BLOCKED
    echo "<!DOCTYPE html><iframe $1 src=\"over.html\" width=\"900\" height=\"2900\"></iframe>" >framed.html
    # A frame in a process of its own may not be painted yet when the picture is taken.
    browse --disable-features=IsolateSandboxedIframes --window-size=1000,3000 --screenshot="framed$1.png" \
        "file://$work/framed.html" >out
}
frame ""
frame sandbox
last="screenshots"
expect "the page looks the same without scripts" cmp framed.png framedsandbox.png
cp over.html whole.html
sed -i "s/script-src '[^']*'/script-src 'none'/" over.html
frame " "
expect "the page looks the same with scripts that the policy blocks" cmp framed.png "framed .png"
browse --dump-dom "file://$work/over.html" >out
expect "the policy blocks it" holds err "violates the following Content Security Policy directive"
expect "no script of the page has run" holds_not out 'class="scripts"'
mv whole.html over.html
expect "titles for browsers" holds over.html '<title>rank 0&#10;send&#10;simulated time (us): 0 to 0.5</title>'
browse --dump-dom "file://$work/over.html" >out
expect_in out 'class="scripts"'
expect "scripts change no picture by themselves" [ "$(grep -c '<title>' out)" -eq "$(grep -c '<title>' over.html)" ]
# A reader with a mouse and a keyboard: see tests/support/page/acts.js.
acts over.html <<'JS'
read(() => {
tell("rank 2", hover("timeline", 62 + 682 * 3.5 / 8, 22 + 96 * 2.5 / 4));
tell("rank 0", hover("timeline", 62 + 682 * 3.5 / 8, 22 + 96 * 0.5 / 4));
tell("bytes", hover("matrix", 46 + 290 * 3.5 / 4, 24 + 290 * 0.5 / 4));
tell("white", hover("matrix", 46 + 290 * 1.5 / 4, 24 + 290 * 0.5 / 4));
tell("busy", hover("congestion", 46 + 310 * 3.5 / 5, 24 + 60 * 0.75));
tell("beside", hover("congestion", 5, 5));
tell("titles", box_of("timeline").querySelectorAll("title").length, box_of("timeline").querySelector("svg").getAttribute("aria-label"));
tell("step", press(box_of("path-steps"), "ArrowRight"));
const frame = box_of("timeline").querySelector(".frame");
drag("timeline", 62 + 682 * 2.5 / 8, 22 + 96 * 1.5 / 4, 62 + 682 * 3.5 / 8, 22 + 96 * 2.5 / 4);
tell("zoomed", frame.firstElementChild.getAttribute("transform"), ticks("timeline", "x"), ticks("timeline", "y"));
tell("in it", hover("timeline", 62 + 682 * 0.75, 22 + 96 * 0.75));
press(box_of("timeline"), "Escape");
tell("whole", frame.classList.contains("zoomed"), ticks("timeline", "x"), ticks("timeline", "y"));
hover("timeline", 62 + 682 * 3.5 / 8, 22 + 96 * 2.5 / 4);
press(box_of("timeline"), "Enter");
tell("a row", ticks("timeline", "x"), ticks("timeline", "y"), hover("timeline", 62 + 682 * 3.5 / 8, 22 + 96 * 0.1));
press(box_of("timeline"), "Escape", "+", "+", "+", "+");
tell("nearest", ticks("timeline", "y"));
press(box_of("timeline"), "-", "-", "-", "-");
tell("back", ticks("timeline", "y"));
tell("keys", press(box_of("matrix"), "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight"));
const views = [...box_of("matrix").parentNode.querySelectorAll(".views button")];
views[1].click();
tell("views", views.map((one) => one.textContent), box_of("matrix").querySelector("svg").getAttribute("viewBox"),
    hover("matrix", 46 + 290 * 3.5 / 4, 24 + 290 * 0.5 / 4));
views[0].click();
tell("all", box_of("matrix").querySelector("svg").getAttribute("viewBox"));
});
JS
told "rank 2|Ranks; rank: 2; simulated time (us): 3 to 4; late sender: 100 %"
told "rank 0|Ranks; rank: 0; simulated time (us): 3 to 4; computation: 100 %"
told "bytes|Bytes; from rank: 0; to rank: 3; 3 KiB"
told "white|Bytes; from rank: 0; to rank: 1; nothing"
told "busy|Global channels: busy; group: 1; simulated time (us): 3 to 4; 50 % of the time"
told "beside|nothing shown"
told "titles|0|What ranks do over time, and the load of the network"
told "keys|Bytes; from rank: 0; to rank: 3; 3 KiB"
told "step|rank 0; send; simulated time (us): 0 to 0.5"
told "zoomed|translate(-868 -70) scale(4 2)|2,2.5,3,3.5,4|1,2"
told "in it|Ranks; rank: 2; simulated time (us): 3 to 4; late sender: 100 %"
told "whole|false|0,1,2,3,4,5,6,7,8|0,1,2,3"
told "a row|0,1,2,3,4,5,6,7,8|2|Ranks; rank: 2; simulated time (us): 3 to 4; late sender: 100 %"
told "nearest|2"
told "back|0,1,2,3"
told "views|all,Bytes,Messages|-15 0 380 392|Bytes; from rank: 0; to rank: 3; 3 KiB"
told "all|0 0 760 392"
acts sorts.html <<'JS'
read(() => {
const name = head("calls", "call"), time = head("calls", "second"), before = column(name);
tell("before", before, time.getAttribute("aria-sort"));
time.click();
tell("largest first", column(name), time.getAttribute("aria-sort"));
press(time, "Enter");
tell("least first", column(name), time.getAttribute("aria-sort"));
press(name, " ");
tell("by name", column(name), time.getAttribute("aria-sort"), name.getAttribute("aria-sort"));
});
JS
hostile='&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;'
told "before|c10,c9,c2,c1,$hostile|"
told "largest first|c9,c10,c2,c1,$hostile|descending"
told "least first|$hostile,c2,c1,c10,c9|ascending"
told "by name|$hostile,c1,c2,c9,c10||ascending"
# Pictures of results whose numbers are in this script, at fixed places: they do not move with fonts.
gallery() { # SHOT
    echo '<!DOCTYPE html><body style="margin:0;background:#fff">' >gallery.html
    top=0
    for picture in over/timeline over/matrix over/path-steps over/congestion known/sensitivity known/iterations \
        known/regions known/waits differs/causes differs/breakdown priced/costs-1; do
        echo "<img src=\"$picture.svg\" style=\"position:absolute;left:0;top:${top}px\">"
        top=$((top + $(sed -n "s/.* height='\([0-9]*\).*/\1/p;q" $picture.svg) + 20))
    done >>gallery.html
    browse --window-size=760,$top --screenshot="$1" "file://$work/gallery.html" >out
}
looks() { # SHOT REFERENCE
    code=0 last="compare_pictures.py $1"
    python3 "$ANAX_SOURCE/tests/support/page/compare_pictures.py" "$1" "$ANAX_SOURCE/tests/data/golden/$2" \
        ${3:+"$3"} >out 2>err || code=$?
}
as_before() { # SHOT REFERENCE
    [ -z "${ANAX_UPDATE_GOLDEN:-}" ] || looks "$1" "$2" --update
    looks "$1" "$2"
}
gallery gallery.png
as_before gallery.png pictures.txt
expect "pictures look as they did" [ "$code" -eq 0 ]
# Whole pages, narrow and wide, half as large. Where lines break depends on the font.
pages() { # SHOT
    echo '<!DOCTYPE html><body style="margin:0;background:#fff">' >pages.html
    left=0
    for shown in over known differs many curves; do
        for width in 390 900; do
            echo "<iframe src=\"$shown.html\" width=\"$width\" height=\"3000\" style=\"border:0;position:absolute;top:0;left:${left}px\"></iframe>"
            left=$((left + width))
        done
    done >>pages.html
    browse --force-device-scale-factor=0.5 --window-size="$left,3000" --screenshot="$1" "file://$work/pages.html" >out
}
if fc-match 'DejaVu Sans' 2>/dev/null | grep -q DejaVu; then
    pages pages.png
    as_before pages.png pages.txt
    expect "pages look as they did" [ "$code" -eq 0 ]
    sed -i 's/max-width:54rem/max-width:30rem/' known.html
    pages wrong.png
    looks wrong.png pages.txt
    expect "another layout is found" [ "$code" -eq 1 ]
else
    echo "the font DejaVu Sans is not installed: layouts of pages are not compared"
fi
sed -i "s/#d55e00/#56b4e9/g" differs/causes.svg known/waits.svg
gallery wrong.png
looks wrong.png pictures.txt
expect "another colour is found" [ "$code" -eq 1 ]
finish
