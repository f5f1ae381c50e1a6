#!/usr/bin/env bash
# Makes what is handed out, in target/dist, and tries it as a newcomer does:
#
#   runegate-VERSION-...whl          the tool for pip
#   runegate-VERSION-linux-ARCH      the same program by itself
#   cores-VERSION.tar.gz             Verilog, JSON and data sheets of twenty usual configurations
#   SHA256SUMS                       their checksums, and the oldest glibc that the program runs with
#
# It also shows that the crates can be packed (scripts/crates.sh). The same commit gives the same bytes, made by the same tools in the same
# folder. Exit codes: 0 done, 1 it does not work, 2 files that are not committed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

[[ -z $(git status --porcelain) ]] || { echo "dist: commit first: what is handed out is of a commit" >&2; exit 2; }

CORES=(
    "" "--form free" "--signature strip" "--lanes 4" "--lanes 8" "--lanes 8 --form free" "--lanes 16" "--lanes 64 --form free"
    "--dense --lanes 8" "--dense --lanes 16" "--dense --lanes 64"
    "--core validate" "--core validate --lanes 8" "--core validate --lanes 16 --csr" "--core validate --lanes 64 --csr"
    "--core validate --lanes 64 --form free" "--core validate --mode pass --lanes 8" "--core validate --mode pass --lanes 64"
    "--core validate --lanes 8 --flows 256" "--core validate --lanes 64 --flows 1024 --csr"
)

SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
out=$PWD/target/dist
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf "$out"
mkdir -p "$out"

python3 -m venv "$work/tools"
maturin=$(sed -n 's/^requires = \["\(maturin==[^"]*\)"\]$/\1/p' pyproject.toml)
"$work/tools/bin/pip" install --quiet --disable-pip-version-check "$maturin"
"$work/tools/bin/maturin" build --quiet --release --locked --out "$out"
wheel=$(echo "$out"/*.whl)

python3 -m zipfile -e "$wheel" "$work/wheel"
program=$(find "$work/wheel" -name runegate -type f)
chmod 755 "$program"
version=$("$program" --version | cut -d' ' -f2)
cp "$program" "$out/runegate-$version-linux-$(uname -m)"

for core in "${CORES[@]}"; do
    # shellcheck disable=SC2086 # the options are words
    "$program" emit --quiet $core --package "$work/package"
    name=$(basename "$work"/package/*.core .core)
    mkdir -p "$work/cores-$version/$name"
    cp "$work"/package/rtl/* "$work/package/README.md" "$work/package/timing.svg" "$work/cores-$version/$name"
    rm -rf "$work/package"
done
tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
    -C "$work" -cf - "cores-$version" | gzip -n9 >"$out/cores-$version.tar.gz"

bash scripts/crates.sh --no-verify

glibc=$(objdump -T "$program" | grep -o 'GLIBC_[0-9.]*' | sort -uV | tail -n 1)
(cd "$out" && sha256sum ./runegate-* ./cores-* >"$work/sums")
{ echo "# the program needs ${glibc/_/ } or newer"; cat "$work/sums"; } >"$out/SHA256SUMS"

bash scripts/newcomer.sh "$wheel"
cat "$out/SHA256SUMS"
