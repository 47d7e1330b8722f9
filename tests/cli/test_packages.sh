#!/bin/sh
# The source archive builds without a network; of it become packages for Debian that lintian accepts, that
# are installed into a root of their own, work there, and are removed without trace; and `uninstall` removes
# what `cmake --install` wrote.
. "$ANAX_SOURCE/tests/support/script/command.sh"
if [ "$ANAX_PLAIN_OBJECTS" != 1 ]; then
    echo "skipped: sanitizers and coverage are not packaged"
    exit 0
fi
for tool in cpack ninja dpkg dpkg-deb dpkg-shlibdeps gzip lintian; do
    command -v "$tool" >/dev/null || { echo "skipped: $tool is not installed" && exit 0; }
done
offline=
unshare -rn true 2>/dev/null && offline="unshare -rn"
[ -n "$offline" ] || echo "no name spaces here: the network is not taken away"

# step WHAT COMMAND...
step() {
    last=$1 code=0
    shift
    "$@" >out 2>err || code=$?
    expect_code 0
    [ "$code" -eq 0 ] || finish
}
left() { # FOLDER: what is in it, but folders that all packages share
    find "$1" \( ! -type d -o -name '*anax*' \) ! -path '*/var/lib/dpkg/*'
}

step "cpack of the sources" cpack --config "$ANAX_BINARY/CPackSourceConfig.cmake" -B "$work/source"
step "tar" tar -xzf source/anax-*.tar.gz
sources=$(find "$work" -maxdepth 1 -type d -name 'anax-[0-9]*')
expect "nothing built is in the archive" [ -z "$(find "$sources" -name '*.o' -o -name '.git' -o -name 'build*' -type d)" ]
# What is tested here does not depend on how fast the program is.
step "cmake" $offline cmake -S "$sources" -B build -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_COMPILER="$ANAX_COMPILER" -DCMAKE_C_FLAGS_RELEASE=-O0 -DCMAKE_INSTALL_PREFIX=/usr \
    -DANAX_PYTHON_FOLDER=lib/python3/dist-packages -DANAX_SOURCE_MACHINES=OFF -DBUILD_TESTING=OFF
step "cmake --build" $offline cmake --build build -j 2

step "cpack" cpack --config build/CPackConfig.cmake -B "$work/packages"
expect "there are four packages" [ "$(find packages -maxdepth 1 -name '*.deb' | wc -l)" -eq 4 ]
for name in 'libanax[0-9]*' libanax-dev anax python3-anax; do
    expect "there is one package $name" [ "$(find packages -maxdepth 1 -name "${name}_*.deb" | wc -l)" -eq 1 ]
done
step "lintian" lintian --allow-root --fail-on error,warning packages/*.deb
expect "lintian says nothing" empty out

root=$work/root
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/triggers"
touch "$root/var/lib/dpkg/status"
in_root() { dpkg --root="$root" --log="$work/log" --force-depends --force-not-root --force-bad-path "$@"; }
step "dpkg --install" in_root --install packages/*.deb
library=$(dirname "$(find "$root" -name 'libanax.so.*' | head -1)")
last="the installed program" code=0
LD_LIBRARY_PATH=$library ANAX_MACHINES=$root/usr/share/anax/machines "$root/usr/bin/anax" replay \
    examples/gromacs/traces.otf2 -m kim-72 --json >out 2>err || code=$?
cp out installed.json
expect_code 0
run_ok replay examples/gromacs/traces.otf2 -m kim-72 --json
expect "the installed command gives the same result" [ "$(value installed.json digest)" = "$(value out digest)" ]
for file in bin/anax share/man/man1/anax-replay.1.gz share/man/man5/anax-json.5.gz include/anax/anax.h \
    lib/python3/dist-packages/anax/__init__.py share/bash-completion/completions/anax \
    share/zsh/site-functions/_anax share/fish/vendor_completions.d/anax.fish; do
    expect "the packages install $file" [ -s "$root/usr/$file" ]
done
if has_program python3; then
    last="the installed Python package" code=0
    LD_LIBRARY_PATH=$library PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$root/usr/lib/python3/dist-packages \
        python3 -c 'import anax; print(anax.__version__)' >out 2>err || code=$?
    expect "the Python package finds the library" [ "$code" -eq 0 ]
    expect "the installed package has the version of the build" grep -qx "$("$ANAX" --version | sed 's/[^0-9]*//')" out
fi
# shellcheck disable=SC2046 # names of packages
step "dpkg --purge" in_root --purge $(for file in packages/*.deb; do dpkg-deb -f "$file" Package; done)
expect "removing the packages leaves no file" [ -z "$(left "$root")" ]

step "cmake --install" env DESTDIR="$work/dest" cmake --install build
expect "the installation has more than 50 files" [ "$(left dest | wc -l)" -gt 50 ]
step "uninstall" env DESTDIR="$work/dest" cmake --build build --target uninstall
left dest >out
expect "uninstalling leaves no file" empty out
finish
