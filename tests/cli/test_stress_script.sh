#!/bin/sh
# tests/stress.sh finds what it is there for: run for some seconds with an anax that misbehaves in each
# way, it reports all of them; and damage is the same for the same seed.
. "$ANAX_SOURCE/tests/support/script/command.sh"
mutate=$ANAX_BINARY/tests/mutate
last=stress code=0
: >out
: >err

# A build folder in which anax does its work while cases are prepared, and each fault of its own in a
# case's folder.
mkdir build build/tests
ln -s "$mutate" "$ANAX_BINARY/tests/check_json" build/tests
echo "ANAX_SANITIZE:STRING=address" >build/CMakeCache.txt
"$ANAX" place examples/gromacs -m kim-72 --json >place.json
cat >build/anax <<FAULTY
#!/bin/sh
case \$PWD in */case) ;; *) exec $ANAX "\$@" ;; esac
case \$1 in
place) exec cat $work/place.json ;;
replay) echo '{"schema":"anax.replay/2","version":"1","completed":true}' ;;
traffic) echo "anax: it cannot be" >&2; : >left-over; exit 2 ;;
topology) echo "anax: : because" >&2; exit 2 ;;
info | export) kill -SEGV \$\$ ;;
convert) exit 9 ;;
bisection) while :; do :; done ;;
generate) echo "x.c:1:2: runtime error: none" >&2 ;;
compare) cat $work/place.json ;;
esac
FAULTY
chmod +x build/anax
# The first 27 cases of this seed have all kinds of runs.
sh "$ANAX_SOURCE/tests/stress.sh" --seed 10 --cases 27 --jobs 2 --limit 1 --out found build >out 2>err
code=$?
expect_code 1
for class in crash sanitizer hang broken reason left point; do
    expect "a case of the class $class is printed" grep -q "^$class, case" out
    expect "its case is kept" sh -c "ls found/$class-*/why"
done
expect "the summary has all five kinds of cases" sh -c '[ "$(grep -c "^[a-z]*  *[1-9]" found/summary)" -eq 5 ]'

# One of them again, alone.
number=$(sed -n 's/^broken, case \([0-9]*\): .*/\1/p' out | head -n 1)
sh "$ANAX_SOURCE/tests/stress.sh" --seed 10 --case "$number" --out again build >out 2>err
code=$?
expect_code 1
expect "the case runs again and fails again" grep -q "^broken, case $number" out

# The same seed does the same damage, another one another.
for seed in 1 1 2; do
    rm -rf archive
    "$mutate" archive $seed "$ANAX_SOURCE/tests/data/otf2/sp_order_8" archive >note
    { cat note && find archive -type f -exec cksum {} + | sort; } >"archive-$seed-$([ -e archive-$seed-a ] && echo b || echo a)"
done
expect "the same seed damages an archive in the same way" cmp archive-1-a archive-1-b
expect "another seed damages the archive in another way" sh -c '! cmp -s archive-1-a archive-2-a'
finish
