#!/usr/bin/env bash
# Packs the workspace's crates as `cargo publish` would, and shows that each is whole: cargo warns of nothing but what is known, every file
# that a crate's source includes is in its package, and each crate compiles from its package.
#
#   scripts/crates.sh               all of it: minutes
#   scripts/crates.sh --no-verify   without compiling
#
# Exit codes: 0 done, 1 a crate is not whole.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

CRATES=(runegate-golden runegate-hdl-macros runegate-hdl runegate-sim runegate)
KNOWN=(
    # The project has no address to state yet.
    "warning: manifest has no documentation, homepage or repository"
    # Rust-HDL needs this version of svg; no crate of the project uses it.
    "warning: the following packages contain code that will be rejected by a future version of Rust: svg v0.10.0"
)

fail() { echo "crates: $*" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
target=$(cargo metadata --format-version 1 --no-deps --locked | python3 -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])')
rm -rf "$target/package"
cargo package --workspace --locked "$@" 2>&1 | tee "$work/said" || fail "cargo package failed"
! grep -E '^warning: ' "$work/said" | grep -vxFf <(printf '%s\n' "${KNOWN[@]}") || fail "cargo package warns"

included=0
for crate in "${CRATES[@]}"; do
    packed=("$target"/package/"$crate"-[0-9]*.crate)
    [[ ${#packed[@]} -eq 1 && -f ${packed[0]} ]] || fail "there is no package of $crate"
    tar -xzf "${packed[0]}" -C "$work"
    folder=$work/$(basename "${packed[0]}" .crate)
    for file in Cargo.toml README.md src; do
        [[ -e $folder/$file ]] || fail "$crate has no $file"
    done
    # A unit test may read the repository's pages; whoever uses the crate does not compile it.
    while IFS=: read -r source text; do
        path=${text#*\"} path=${path%\"*}
        [[ -f $(dirname "$source")/$path ]] || fail "$crate: $source includes $path, which is not packed"
        included=$((included + 1))
    done < <(find "$folder/src" -name '*.rs' -not -path '*/tests/*' -exec grep -HoE 'include_(str|bytes)!\(\s*"[^"]*"' {} +)
done
((included > 20)) || fail "only $included included files were found"
echo "crates: ${#CRATES[@]} packages, $(du -ch "$target"/package/*.crate | sed -n '$s/\t.*//p'), $included included files${*:+, }${*:-, each compiles from its package}"
