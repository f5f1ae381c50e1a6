"""Fetches the packages of captures.toml with the ordinary clients of their registries, and holds every digest against the list.

What is there with the right digest is not fetched again. Nothing of a package is run.
"""

import hashlib
import json
import os
import shutil
import subprocess
import tarfile
from pathlib import Path


class Refused(Exception):
    """Something is not as the list says, or cannot be had: exit code 2."""


def start(arguments, **options):
    """A program that has ended, with what it wrote."""
    try:
        return subprocess.run(arguments, capture_output=True, text=True, check=False, **options)
    except FileNotFoundError as error:
        raise Refused(f"{arguments[0]} is missing") from error


def run(arguments, **options):
    """The standard output of a program that must not fail."""
    done = start(arguments, **options)
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()[-5:]
        raise Refused("\n  ".join([f"{' '.join(arguments[:2])} failed with exit code {done.returncode}:", *lines]))
    return done.stdout


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def from_crates(package, place):
    """The archive that cargo keeps of a crate, for a package that does nothing but depend on it."""
    name, version = package["name"], package["version"]
    (place / "src").mkdir(parents=True, exist_ok=True)
    (place / "src/lib.rs").write_text("")
    (place / "Cargo.toml").write_text(
        '[package]\nname = "captures"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n'
        f'[dependencies]\n{name} = "={version}"\n'
    )
    run(["cargo", "fetch", "--manifest-path", str(place / "Cargo.toml")])
    arguments = ["cargo", "metadata", "--format-version", "1", "--offline", "--manifest-path", str(place / "Cargo.toml")]
    found = [p for p in json.loads(run(arguments))["packages"] if (p["name"], p["version"]) == (name, version)]
    # registry/src/INDEX/NAME-VERSION/Cargo.toml, and registry/cache/INDEX/NAME-VERSION.crate
    folder = Path(found[0]["manifest_path"]).parent
    return folder.parents[2] / "cache" / folder.parent.name / f"{folder.name}.crate"


def from_debian(package, place):
    """The archive of a source package, of the releases that this machine takes its packages from. Needs no root."""
    targets = run(["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages"])
    place.mkdir(parents=True, exist_ok=True)
    sources = place / "sources.list"
    sources.write_text("".join(sorted({f"deb-src {line}\n" for line in targets.splitlines()})))
    for folder in ["lists/partial", "cache/archives/partial"]:
        (place / folder).mkdir(parents=True, exist_ok=True)
    settings = {
        "Dir::Etc::SourceList": sources,
        "Dir::Etc::SourceParts": "/dev/null",
        "Dir::State::Lists": place / "lists",
        "Dir::Cache": place / "cache",
        # Whoever runs this owns the folder; apt's own user may be unable to enter it.
        "APT::Sandbox::User": "root",
    }
    apt = ["apt-get", "-q", *(f"-o{key}={value}" for key, value in settings.items())]
    run([*apt, "update"])
    wanted = f"{package['name']}={package['version']}"
    run([*apt, "source", "--download-only", "--only-source", "--tar-only", wanted], cwd=place)
    upstream = package["version"].rsplit("-", 1)[0]
    archives = sorted(place.glob(f"{package['name']}_{upstream}.orig.tar.*"))
    archives = [path for path in archives if path.suffix != ".asc"]
    if not archives:
        raise Refused(f"apt-get source left no archive of {wanted} in {place}")
    return archives[0]


CLIENTS = {"crate": from_crates, "debian": from_debian}


def archive(package, target):
    """The package's archive in the folder of captures, with the digest of the list."""
    path = target / f"{package['name']}-{package['version']}.archive"
    if not path.exists():
        print(f"captures: fetching {package['name']} {package['version']} ({package['kind']})", flush=True)
        fetched = CLIENTS[package["kind"]](package, target / package["kind"])
        partial = path.with_suffix(".partial")
        shutil.copyfile(fetched, partial)
        os.replace(partial, path)
    digest = sha256(path.read_bytes())
    if digest != package["archive"]:
        raise Refused(
            f"{path} has the SHA-256 {digest}, but the list has {package['archive']}; "
            "remove the file to fetch it again"
        )
    return path


def unpack(package, path, folder):
    """The captures of an archive, without the folder that it names after itself."""
    partial = folder.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    with tarfile.open(path) as tar:
        for member in tar:
            name = member.name.partition("/")[2]
            inside, _, base = name.rpartition("/")
            if member.isfile() and inside == package["folder"] and base.endswith(tuple(package["endings"])):
                (partial / base).write_bytes(tar.extractfile(member).read())
    os.replace(partial, folder)


def captures(package, target):
    """The paths of a package's captures, sorted, after their digests have been compared."""
    folder = target / f"{package['name']}-{package['version']}"
    path = archive(package, target)
    if not folder.exists():
        unpack(package, path, folder)
    # In the order of the names' bytes, as LC_ALL=C sorts.
    paths = sorted(folder.iterdir(), key=lambda path: os.fsencode(path.name))
    lines = "".join(f"{sha256(path.read_bytes())}  {path.name}\n" for path in paths)
    digest = sha256(lines.encode())
    if (len(paths), digest) != (package["files"], package["digest"]):
        raise Refused(
            f"{folder} has {len(paths)} captures with the digest {digest}, but the list has {package['files']} with "
            f"{package['digest']}; remove the folder to unpack it again"
        )
    return paths
