#!/usr/bin/env bash
# The full evidence: every proof, all windows, all mutants, coverage and long fuzzing. `make evidence` calls it.
#
#   scripts/evidence.sh           every part that is not done yet, then a table of all of them
#   scripts/evidence.sh PART...   only these
#   scripts/evidence.sh --list    the names of the parts
#
# What a part said is in target/evidence/REVISION/PART.log. A part that is done is not run again, and windows go on at the
# shard where they were interrupted. Exit codes: 0 all is shown, 1 something is not, 2 bad usage, files that
# are not committed, or another run at work.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

SHARDS=16

revision=$(git rev-parse --short=12 HEAD) || exit 2
folder=target/evidence/$revision
runegate=target/release/runegate

# ---------------------------------------------------------------- what the parts are

# windows CORE...: all 2^32 windows through a core, shard by shard.
windows() {
    local words=$* shard
    local shards=$folder/windows-${words// /}
    mkdir -p "$shards"
    for ((shard = 1; shard <= SHARDS; shard++)); do
        "$runegate" sim --stimulus windows --quiet --shard "$shard/$SHARDS" --report "$shards/$shard.json" "$@" || return
    done
    "$runegate" sim --merge "$shards"/*.json
}

# test_of NAME VARIABLE=VALUE...: one of the project's tests, with more of it than `make test` has.
test_of() {
    local name=$1
    shift
    env RUNEGATE_REQUIRE_TOOLS=1 RUNEGATE_EVIDENCE="$PWD/$folder" "$@" \
        bash scripts/test.sh "$name" --nocapture
}

declare -A command_of
parts=()
part() { parts+=("$1"); command_of[$1]=${*:2}; }

for lanes in 1 64; do
    part "windows-$lanes" windows --form free --lanes "$lanes"
    part "classes-$lanes" "$runegate" sim --stimulus classes --lanes "$lanes" --idle 0.1 --stall 0.2
done
# Of RFC 2279 there are windows of six and of seven classes.
for lanes in 1 64; do
    part "classes-rfc2279-$lanes" "$runegate" sim --stimulus classes --grammar rfc2279 --form free --lanes "$lanes"
done
part classes-rfc2279-validate-8 "$runegate" sim --stimulus classes --grammar rfc2279 --core validate --form free --lanes 8
part windows-utf16-1 windows --form free --to utf16le --lanes 1
part windows-utf16-64 windows --form free --to utf16be --lanes 64
part windows-sanitise-64 windows --core sanitise --replace ascii --form free --lanes 64
part windows-sanitise-16 windows --core sanitise --lanes 16
for lanes in 1 8; do
    for core in decode validate; do
        part "classes-$core-$lanes-min" "$runegate" sim --stimulus classes --core "$core" --lanes "$lanes" --depth min \
            --idle 0.1 --stall 0.2 --split ladder
    done
done
for name in alignment contract emission encode flows levels lockstep results rfc2279 sanitise undefined vectors verdicts; do
    part "$name" test_of "$name" RUNEGATE_TESTS=all
done
part mutants test_of mutants RUNEGATE_MUTANTS=all
part coverage test_of coverage RUNEGATE_COVERAGE=all
part fuzz test_of fuzz RUNEGATE_FUZZ=100
# From here on two at a time.
alone=${#parts[@]}
part grammar "$runegate" prove grammar
for lanes in 64 32 16 8 4 2 1; do
    for signature in keep flag strip; do
        # Of many lanes one signature is enough of a wait: it is the same branch beside the same lanes.
        [[ $lanes -gt 16 && $signature != strip ]] && continue
        part "decode-$lanes-$signature" "$runegate" prove decode --timeout 3600 --form free \
            --lanes "$lanes" --signature "$signature"
    done
    [[ $lanes -gt 16 ]] && continue
    part "validate-$lanes" "$runegate" prove validate --timeout 3600 --core validate --lanes "$lanes" \
        --counter-width 8
    [[ $lanes -gt 8 ]] && continue
    part "axis-$lanes" "$runegate" prove decode stream --timeout 3600 --lanes "$lanes"
done
part validate-32-bits "$runegate" prove validate --timeout 3600 --core validate
# Cores with a depth: the smallest and some between.
for depth in 3 4 6 8; do
    for lanes in 8 1; do
        part "decode-$lanes-depth-$depth" "$runegate" prove decode --timeout 3600 --form free --signature strip \
            --lanes "$lanes" --depth "$depth"
    done
done
# UTF-16: at the greatest depth, and at the smallest and one between.
for lanes in 16 8 2 1; do
    part "utf16-$lanes" "$runegate" prove decode --timeout 3600 --form free --to utf16le --signature strip --lanes "$lanes"
done
for lanes in 2 1; do
    part "utf16-axis-$lanes" "$runegate" prove decode stream --timeout 3600 --to utf16be --lanes "$lanes"
done
for depth in 3 6; do
    for lanes in 8 1; do
        part "utf16-$lanes-depth-$depth" "$runegate" prove decode --timeout 3600 --form free --to utf16le --lanes "$lanes" \
            --depth "$depth"
    done
done
# The packing of an encoder's bytes.
for lanes in 2 1; do
    part "packing-$lanes" "$runegate" prove packing --timeout 3600 --core encode --lanes "$lanes"
done
# Sanitisers: question marks in both forms, and U+FFFD with and without signatures.
for lanes in 8 4 2 1; do
    part "sanitise-ascii-$lanes" "$runegate" prove sanitise --timeout 3600 --core sanitise --replace ascii --form free --lanes "$lanes"
    for signature in keep strip; do
        part "sanitise-fffd-$lanes-$signature" "$runegate" prove sanitise --timeout 3600 --core sanitise \
            --lanes "$lanes" --signature "$signature"
    done
done
for lanes in 2 1; do
    part "sanitise-ascii-axis-$lanes" "$runegate" prove sanitise --timeout 3600 --core sanitise --replace ascii --lanes "$lanes"
done
for depth in 6 8 16; do
    part "validate-1-depth-$depth" "$runegate" prove validate --timeout 3600 --core validate --counter-width 8 \
        --depth "$depth"
    part "validate-1-32-bits-depth-$depth" "$runegate" prove validate --timeout 3600 --core validate --depth "$depth"
done
part validate-8-depth-6 "$runegate" prove validate --timeout 3600 --core validate --counter-width 8 --lanes 8 --depth 6
for lanes in 1 2 4; do
    part "policy-$lanes" "$runegate" prove policy --timeout 3600 --core validate --counter-width 8 --lanes "$lanes" \
        --forbid nul,control,c1,noncharacter,bidi,private,supplementary,from-0300
done
part registers "$runegate" prove registers --timeout 3600 --core validate --csr
# RFC 2279: the table, and of each core what fewer lanes show.
part grammar-rfc2279 "$runegate" prove grammar --grammar rfc2279
for lanes in 8 4 2 1; do
    part "rfc2279-decode-$lanes" "$runegate" prove decode --timeout 3600 --grammar rfc2279 --form free --signature strip \
        --lanes "$lanes"
    part "rfc2279-encode-$lanes" "$runegate" prove encode --timeout 3600 --grammar rfc2279 --core encode --lanes "$lanes"
done
for lanes in 4 2 1; do
    part "rfc2279-validate-$lanes" "$runegate" prove validate --timeout 3600 --grammar rfc2279 --core validate \
        --counter-width 8 --lanes "$lanes"
done
part rfc2279-axis "$runegate" prove decode stream --timeout 3600 --grammar rfc2279
part rfc2279-decode-min "$runegate" prove decode --timeout 3600 --grammar rfc2279 --lanes 2 --depth min
part rfc2279-validate-min "$runegate" prove validate --timeout 3600 --grammar rfc2279 --core validate --counter-width 8 \
    --depth min
part prove test_of prove RUNEGATE_PROOFS=all
part netlist test_of netlist RUNEGATE_TESTS=all
part joined test_of joined RUNEGATE_JOINED=100
part bender bash scripts/bender.sh "$runegate"
part vhdl test_of vhdl RUNEGATE_VHDL=all
part captures python3 -B tests/captures/judge.py --runegate "$runegate"
part captures-planted python3 -B tests/captures/planted.py --runegate "$runegate"
part nic bash scripts/nic.sh "$runegate"
part book bash scripts/book.sh
part crates bash scripts/crates.sh
part dist bash scripts/dist.sh

# ---------------------------------------------------------------- running them

# The files are those of the revision that the evidence is of.
is_the_revision() {
    [[ $(git rev-parse --short=12 HEAD) == "$revision" && -z $(git status --porcelain --untracked-files=no) ]]
}

# run PART: unless it is done; leaves PART.done with the seconds it took.
run() {
    local name=$1 start=$SECONDS
    [[ ! -e $folder/$name.done ]] || return 0
    echo "evidence: $name"
    # The words of a command have no spaces.
    # shellcheck disable=SC2086
    if ! ${command_of[$name]} >"$folder/$name.log" 2>&1; then
        echo "evidence: $name FAILED, see $folder/$name.log" >&2
    elif ! is_the_revision; then
        echo "evidence: $name does not count, for the files have changed meanwhile" >&2
    else
        echo "$((SECONDS - start))" >"$folder/$name.seconds" && mv "$folder/$name.seconds" "$folder/$name.done"
    fi
}

# showed PART: the lines that say what it showed.
showed() {
    grep -hE ': (proven|refuted|open|timed out|vacuous), |windows, .* mismatches|windows a second|^test result: |^ *[0-9]+ .* (decode|validate), lanes|^(bender|book|captures|crates|nic): ' \
        "$folder/$1.log" | sed 's/^ *//'
}

if [[ ${1:-} == --list ]]; then
    printf '%s\n' "${parts[@]}"
    exit 0
fi
if ! is_the_revision; then
    echo "evidence: there are changes that are not committed; commit or stash them, for evidence is of a revision" >&2
    exit 2
fi
mkdir -p "$folder"
# One run at a time, and what runs in the background ends with it.
exec 9>"$folder/lock"
if ! flock -n 9; then
    echo "evidence: another run is at work in $folder; wait for it" >&2
    exit 2
fi
trap 'trap - INT TERM; kill 0' INT TERM
wanted=("$@")
for name in "${wanted[@]}"; do
    if [[ -z ${command_of[$name]:-} ]]; then
        echo "evidence: there is no part $name; scripts/evidence.sh --list has them all" >&2
        exit 2
    fi
done
[[ $# -gt 0 ]] || wanted=("${parts[@]}")

cargo build --quiet --release --locked || exit 1
pending=" ${parts[*]:0:alone} "
for name in "${wanted[@]}"; do
    [[ $pending == *" $name "* ]] && run "$name"
done
for name in "${wanted[@]}"; do
    [[ $pending == *" $name "* ]] && continue
    while (($(jobs -rp | wc -l) >= 2)); do wait -n; done
    run "$name" &
done
wait

failed=0
for name in "${wanted[@]}"; do
    if [[ -e $folder/$name.done ]]; then
        printf '%-16s %6s s  %s\n' "$name" "$(<"$folder/$name.done")" "$(showed "$name" | sed '2,$s/^/                          /')"
    else
        printf '%-16s FAILED    see %s\n' "$name" "$folder/$name.log"
        failed=1
    fi
done
exit "$failed"
