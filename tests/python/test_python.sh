#!/bin/sh
# The Python package: its tests, the installed package, the wheel, and the tutorial notebook. Parts
# that need packages which are not there are left out, and said so.
. "$ANAX_SOURCE/tests/support/script/command.sh"
if [ "$ANAX_PLAIN_OBJECTS" != 1 ]; then
    echo "skipped: Python does not load a library with sanitizers"
    exit 0
fi
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
python=
for one in /usr/bin/python3 python3; do
    command -v $one >/dev/null && [ -z "$python" ] && python=$one
    $one -c 'import pandas' 2>/dev/null && python=$one && break
done
if [ -z "$python" ]; then
    echo "skipped: there is no python3"
    exit 0
fi

# has MODULE PURPOSE: the module is there, else says what is not tested.
has() {
    $python -c "import $1" 2>/dev/null && return
    echo "python3-$1 is not installed: $2 not tested"
    return 1
}

has pandas "DataFrames are" || true
last="tests of the package"
PYTHONPATH=$ANAX_SOURCE/python ANAX_LIBRARY=$ANAX_BINARY/libanax.so.0.2 \
    $python "$ANAX_SOURCE/tests/python/test_package.py" >out 2>&1
code=$?
expect_code 0
[ "$code" -eq 0 ] || cat out

last="the blocks of docs/python.md"
awk '/^```python$/ { on = 1; next } /^```/ { on = 0 } on' "$ANAX_SOURCE/docs/python.md" >blocks.py
expect "there is one" [ -s blocks.py ]
$python -c 'import pandas' 2>/dev/null || sed -i '/frame(/d' blocks.py
(cd examples/gromacs &&
    PYTHONPATH=$ANAX_SOURCE/python ANAX_LIBRARY=$ANAX_BINARY/libanax.so.0.2 $python "$work/blocks.py") >out 2>&1
code=$?
expect_code 0

# prints DIGEST: a replay by the package that PYTHONPATH names.
predict='import anax; print(anax.replay("examples/gromacs/traces.otf2", "kim-72").digest)'
run_ok replay examples/gromacs/traces.otf2 -m kim-72 --json
digest=$(sed -n 's/.*"digest":"\([0-9a-f]*\)".*/\1/p' out)
last="the installed package"
cmake --install "$ANAX_BINARY" --prefix "$work/usr" >out 2>&1
folder=$(dirname "$(dirname "$(find "$work/usr" -path '*anax/__init__.py')")")
expect "the same digest" [ "$(PYTHONPATH=$folder $python -c "$predict" 2>&1)" = "$digest" ]

if has setuptools "the wheel is" && has wheel "the wheel is"; then
    last="the wheel"
    cp -r "$ANAX_SOURCE/python/anax" "$ANAX_SOURCE/machines" "$ANAX_SOURCE/LICENSE" .
    mv machines anax/
    cp "$ANAX_BINARY/libanax.so.0.2" anax/
    cp "$ANAX_BINARY/generated/pyproject.toml" .
    $python "$ANAX_SOURCE/python/build_wheel.py" "$work" >out 2>&1
    code=$?
    expect_code 0
    expect "one wheel" [ "$(find wheels -name 'anax-*-py3-none-*.whl' | wc -l)" = 1 ]
    $python -m zipfile -e wheels/*.whl unpacked
    expect "the same digest" [ "$(PYTHONPATH=unpacked ANAX_MACHINES='' $python -c "
import os; del os.environ['ANAX_MACHINES']
$predict" 2>&1)" = "$digest" ]
    rm -r anax
fi

if has nbconvert "the notebook is" && has ipykernel "the notebook is" && has pandas "the notebook is"; then
    last="the notebook"
    cp "$ANAX_SOURCE/examples/python/tutorial.ipynb" .
    mkdir notebook && mv tutorial.ipynb notebook && ln -s "$ANAX_SOURCE/examples/gromacs" gromacs
    PYTHONPATH=$folder JUPYTER_RUNTIME_DIR=$work HOME=$work $python -m nbconvert --to notebook --execute \
        --output done.ipynb notebook/tutorial.ipynb >out 2>&1
    code=$?
    expect_code 0
    [ "$code" -eq 0 ] || cat out
    expect "cells have outputs" grep -q "Predicted\|rank" notebook/done.ipynb
    expect "pictures" grep -q "<img alt=.*data:image/svg+xml;base64," notebook/done.ipynb
fi
finish
