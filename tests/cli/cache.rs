//! The cache of verilated cores: broken, not usable, and used by several runs at once.

use crate::support::{
    self, BROKEN, Place, as_nobody, have_verilator, json, output, path_after, refused, stderr,
};
use sha2::{Digest, Sha256};
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

/// `runegate sim` on Verilator with a cache of its own.
fn with_cache(place: &Place, cache: &Path) -> Command {
    let arguments = format!("sim --json --engine verilator {BROKEN}");
    let mut command = place.runegate(arguments.split_whitespace());
    command.env("RUNEGATE_CACHE", cache);
    command
}

#[test]
fn a_broken_build_is_built_again() {
    if !have_verilator() {
        return;
    }
    let place = Place::new();
    let cache = place.path("cache");
    let verilate = || {
        let run = output(&mut with_cache(&place, &cache));
        assert_eq!(json(&run)["mismatches"], 0);
    };
    verilate();
    let built = place.files();
    // Beside it there is Verilator's own library, compiled.
    assert_eq!(built.len(), 7, "two entries of two files: {built:?}");
    let find = |end: &str| {
        let found = built.iter().find(|name| name.ends_with(end));
        place.path(found.expect("a build"))
    };
    let (library, digest) = (find("/core.so"), find("/core.so.digest"));
    let (whole, sum) = (read(&library), read(&digest));
    let repaired = |what: &str| {
        verilate();
        assert_eq!(place.files(), built, "{what}");
        assert!(read(&library).starts_with(b"\x7FELF"), "{what}");
        let size = read(&library).len();
        assert_eq!(size, whole.len(), "{what}");
        assert_ne!(read(&digest).len(), 0, "{what}");
    };

    write(&library, &whole[..whole.len() / 2]);
    repaired("half a build");
    write(&library, b"garbage");
    repaired("garbage");
    std::fs::remove_file(&library).expect("the build");
    repaired("no build");
    std::fs::remove_file(&digest).expect("the digest");
    repaired("no digest");
    // What is whole by its digest is not built again: it is loaded, and what no loader takes is.
    let stamp = modified(&library);
    verilate();
    assert_eq!(modified(&library), stamp);
    // Another entry's file, with the digest that was beside it: that of this entry is another.
    let (runtime, other) = (find("/runtime.o"), find("/runtime.o.digest"));
    write(&library, &read(&runtime));
    write(&digest, &read(&other));
    repaired("another build");
    assert_ne!(sum, read(&other));
}

/// A library that cannot be loaded although its digest is right, as one that another machine's compiler has made.
#[test]
fn a_build_that_cannot_be_loaded_is_built_again() {
    if !have_verilator() {
        return;
    }
    let place = Place::new();
    let cache = place.path("cache");
    let verilate = || json(&output(&mut with_cache(&place, &cache)))["mismatches"].clone();
    assert_eq!(verilate(), 0);
    let files = place.files();
    let library = files.iter().find(|name| name.ends_with("/core.so"));
    let library = place.path(library.expect("a build"));
    let entry = library.parent().expect("its folder");
    let key = entry.file_name().expect("its name").to_string_lossy();
    write(&library, b"no library");
    let digest = Sha256::digest([key.as_bytes(), b"no library"].concat());
    let digest: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    write(&entry.join("core.so.digest"), digest.as_bytes());
    assert_eq!(verilate(), 0);
    assert!(read(&library).starts_with(b"\x7FELF"));
}

/// Its folders are for its user alone, whatever the umask is; what others can write to is not loaded.
#[test]
fn a_cache_that_others_can_write_to_is_refused() {
    if !have_verilator() {
        return;
    }
    let place = Place::new();
    let cache = place.path("new/cache");
    let umask = ["sh", "-c", r#"umask 0; exec "$0" "$@""#];
    let mut open = through(&umask, &with_cache(&place, &cache));
    assert_eq!(json(&output(&mut open))["mismatches"], 0);
    let files = place.files();
    for name in &files {
        let mode = std::fs::metadata(place.path(name))
            .expect("it is there")
            .mode();
        let wanted = if place.path(name).is_dir() {
            0o700
        } else {
            0o600
        };
        assert_eq!(mode & 0o777, wanted, "{name}");
    }
    let find = |end: &str| {
        let found = files.iter().find(|name| name.ends_with(end));
        place.path(found.expect("a build"))
    };
    let library = find("/core.so");
    let entry = library.parent().expect("its folder").to_path_buf();
    for (path, bad, good) in [
        (&cache, 0o770, 0o700),
        (&cache, 0o702, 0o700),
        (&entry, 0o720, 0o700),
        (&library, 0o606, 0o600),
        (&find("/core.so.digest"), 0o620, 0o600),
    ] {
        support::set_mode(path, bad);
        let run = output(&mut with_cache(&place, &cache));
        let name = format!("{path:?}");
        let mode = format!("mode {bad:04o}");
        refused(
            &run,
            &[
                &name,
                "can be written by other users",
                &mode,
                "remove it",
                "RUNEGATE_CACHE",
            ],
        );
        assert_eq!(place.files(), files, "nothing is changed");
        support::set_mode(path, good);
    }
    assert_eq!(
        json(&output(&mut with_cache(&place, &cache)))["mismatches"],
        0
    );
    // To others it may be open, as long as they only read.
    support::set_mode(&cache, 0o755);
    assert_eq!(
        json(&output(&mut with_cache(&place, &cache)))["mismatches"],
        0
    );
}

/// Another user's folder is refused, whatever its mode is.
#[test]
fn another_users_cache_is_refused() {
    if !have_verilator() {
        return;
    }
    let place = Place::new();
    // It is root's; the tool is run by somebody else, even if root runs the test.
    let run = output(&mut as_nobody(&place, &with_cache(&place, Path::new("/"))));
    refused(
        &run,
        &[
            "\"/\"",
            "belongs to user 0",
            "RUNEGATE_CACHE",
            "a folder of your own",
        ],
    );
}

/// SIGINT and SIGTERM to the tool alone, while its compiler runs: compilers end with it, and the cache has nothing that is not complete.
#[test]
fn an_interrupted_build_leaves_nothing() {
    if !have_verilator() {
        return;
    }
    let place = Place::new();
    // It waits for ever, in a process of its own below the shell, and says where.
    let version = r#"[ "$1" = --version ] && echo 'g++ (fake) 12.2.0' && exit"#;
    let text =
        format!("{version}\necho $$ > \"$STARTED\"; sleep 1000 & echo $! >> \"$STARTED\"; wait");
    let waiting = place.script("waiting", "g++", &text);
    let cache = place.folder("cache");
    support::set_mode(&cache, 0o700);
    for signal in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let (name, number) = signal;
        let started = place.path("started");
        let mut command = with_cache(&place, &cache);
        command.args(["--trace", "run.vcd", "--events", "events"]);
        // In the background of a shell, SIGINT is ignored, and so it would be here.
        let mut command = through(&["env", "--default-signal"], &command);
        command
            .env("PATH", path_after(&waiting))
            .env("STARTED", &started);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let run = command.spawn().expect("the tool runs");
        let pids = wait_for(|| {
            let text = std::fs::read_to_string(&started).ok()?;
            (text.lines().count() == 2)
                .then(|| text.lines().map(str::to_string).collect::<Vec<_>>())
        });
        assert!(place.files().iter().any(|name| name.contains("building-")));
        let sent = Command::new("sh")
            .args(["-c", &format!("kill -{name} {}", run.id())])
            .status();
        assert!(sent.expect("a shell").success());
        let run = run.wait_with_output().expect("the tool ends");
        assert_eq!(run.status.signal(), Some(number), "it dies of the signal");
        assert_eq!((support::stdout(&run), stderr(&run)), ("", ""));
        for pid in pids {
            let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
            let lives = !status.is_empty() && !status.contains("State:\tZ");
            assert!(!lives, "SIG{name}: {status}");
        }
        std::fs::remove_file(&started).expect("it has started");
        let left = place.files();
        assert_eq!(left, ["cache", "waiting", "waiting/g++"], "SIG{name}");
    }
}

/// A command as the last arguments of another one.
fn through(before: &[&str], command: &Command) -> Command {
    let mut whole = Command::new(before[0]);
    whole
        .args(&before[1..])
        .arg(command.get_program())
        .args(command.get_args());
    whole.stdin(Stdio::null());
    if let Some(folder) = command.get_current_dir() {
        whole.current_dir(folder);
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => whole.env(name, value),
            None => whole.env_remove(name),
        };
    }
    whole
}

/// What a condition gives, once it does; there is half a minute for it.
fn wait_for<T>(mut condition: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(value) = condition() {
            return value;
        }
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "it does not come"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn read(path: &Path) -> Vec<u8> {
    std::fs::read(path).expect("a file")
}

fn write(path: &Path, content: &[u8]) {
    std::fs::write(path, content).expect("a file");
}

fn modified(path: &Path) -> SystemTime {
    let data = std::fs::metadata(path).expect("a file");
    data.modified().expect("a time")
}

#[test]
fn a_cache_that_cannot_be_used() {
    if !have_verilator() {
        return;
    }
    let place = Place::new();
    let file = place.write("file", "");
    let parts = [
        "build cache",
        "set RUNEGATE_CACHE to a folder that can be written",
    ];
    for cache in [&file, &file.join("below")] {
        let run = output(&mut with_cache(&place, cache));
        refused(&run, &parts);
        assert!(
            stderr(&run).contains(cache.to_str().expect("text")),
            "{}",
            stderr(&run)
        );
    }
    let mut nowhere = with_cache(&place, &file);
    nowhere
        .env_remove("RUNEGATE_CACHE")
        .env_remove("XDG_CACHE_HOME")
        .env_remove("HOME");
    refused(
        &output(&mut nowhere),
        &["neither XDG_CACHE_HOME nor HOME", parts[1]],
    );

    let closed = place.folder("closed");
    support::set_mode(&closed, 0o555);
    if support::is_root() {
        // It is to be the other user's own.
        chown(&closed, Some(65534), None).expect("root can give away");
    }
    let run = output(&mut as_nobody(&place, &with_cache(&place, &closed)));
    refused(&run, &["closed", "ermission denied", parts[0], parts[1]]);
    assert!(
        !stderr(&run).contains("building-"),
        "no name that the user did not give"
    );
}

#[test]
fn runs_at_once_share_an_empty_cache() {
    if !have_verilator() {
        return;
    }
    let place = Place::new();
    let cache = place.path("cache");
    let runs: Vec<_> = (0..3)
        .map(|_| {
            let mut command = with_cache(&place, &cache);
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            command.spawn().expect("the tool runs")
        })
        .collect();
    for run in runs {
        let run = run.wait_with_output().expect("the tool ends");
        assert_eq!(json(&run)["mismatches"], 0);
        assert_eq!(stderr(&run), "");
    }
    let entries: Vec<String> = place
        .files()
        .into_iter()
        .filter(|name| name.matches('/').count() == 1)
        .collect();
    assert_eq!(entries.len(), 2, "the core and the library: {entries:?}");
    for entry in entries {
        let key = entry.trim_start_matches("cache/");
        assert!(
            key.len() == 64 && key.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "{key}"
        );
    }
}
