#!/bin/sh
# bench/studies/arrangement_study.sh on one ratio and policy, without recordings: tables with figures in all
# cells, and the same when it runs again over what it wrote.
. "$ANAX_SOURCE/tests/support/script/command.sh"
mkdir traces

study() {
    ANAX_STUDY_ALPHAS=1=25GB/s ANAX_STUDY_ROUTING=minimal \
        "$ANAX_SOURCE/bench/studies/arrangement_study.sh" "$ANAX" traces study 2 >out 2>err
    code=$?
    last="arrangement_study.sh"
}

study
expect "the study ends with 0" [ "$code" -eq 0 ]
expect "it says what is left out" holds err "sp_fft3d_16: not there"
expect "a row for each placement" [ "$(grep -c '^| 1 | \(block\|random\) | minimal | [1-9]' study/tables.md)" -eq 4 ]
expect_in study/tables.md \
    "| alpha | placement | routing | absolute (us) | relative | circulant | nautilus | helix |"
expect "the paper's bandwidths" holds study/tables.md "| 1 | 20 | 20 | 20 | 20 | 20 |"
expect "no figure is lost" sh -c "! grep -qE 'nan|inf' study/tables.md"
cp study/tables.md first.md
study
expect "it runs again over what it wrote" [ "$code" -eq 0 ]
expect "a second run writes the same tables" cmp first.md study/tables.md
finish
