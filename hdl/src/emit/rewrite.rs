//! Turns Rust-HDL's modules into Verilog that a person would write, without changing what they do.
//!
//! Rust-HDL emits a module for every flip-flop and for every instance, drives clocks through combinational blocks, and holds
//! each register by an assignment to itself. Here flip-flops become `always @(posedge clk)` in the module that owns them,
//! plain connections replace the nets between, stores that are always overwritten go, and modules that are alike are
//! shared. The lockstep of the emitted text against the cycle model, and of Rust-HDL's own simulator against both, is the
//! check that nothing else changed.

use super::EmitError;
use super::dissolve::dissolve;
use super::module::{Instance, Module, Register, Statement};
use super::prune::prune;
use regex::{Captures, Regex};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// An identifier, or the tail of a based literal (which begins with a quote and is left alone).
static WORD: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"'[bdh][0-9a-fA-F_xz]+|[A-Za-z_][A-Za-z0-9_$]*").unwrap());

/// The identifiers of an expression or of a piece of Verilog.
pub fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    WORD.find_iter(text)
        .map(|found| found.as_str())
        .filter(|word| !word.starts_with('\''))
}

/// Renames every identifier.
pub fn rename(text: &str, new_name: impl Fn(&str) -> String) -> String {
    WORD.replace_all(text, |found: &Captures| {
        let word = &found[0];
        if word.starts_with('\'') {
            word.to_string()
        } else {
            new_name(word)
        }
    })
    .into_owned()
}

impl Statement {
    /// Renames in every expression and target.
    fn rename(&mut self, new_name: &dyn Fn(&str) -> String) {
        match self {
            Statement::Assign { target, value } => {
                *target = rename(target, new_name);
                *value = rename(value, new_name);
            }
            Statement::If {
                test,
                then,
                otherwise,
            } => {
                *test = rename(test, new_name);
                for statement in then.iter_mut().chain(otherwise) {
                    statement.rename(new_name);
                }
            }
        }
    }

    /// The targets that the statement may write.
    pub fn targets(&self) -> BTreeSet<&str> {
        match self {
            Statement::Assign { target, .. } => BTreeSet::from([target.as_str()]),
            Statement::If {
                then, otherwise, ..
            } => then
                .iter()
                .chain(otherwise)
                .flat_map(|s| s.targets())
                .collect(),
        }
    }

    /// Whether the statement writes the target on every path.
    fn always_writes(&self, name: &str) -> bool {
        let block = |block: &[Statement]| block.iter().any(|s| s.always_writes(name));
        match self {
            Statement::Assign { target, .. } => target == name,
            Statement::If {
                then, otherwise, ..
            } => block(then) && block(otherwise),
        }
    }

    /// Calls `visit` with every expression that the statement reads.
    pub fn reads<'a>(&'a self, visit: &mut dyn FnMut(&'a str)) {
        match self {
            Statement::Assign { value, .. } => visit(value),
            Statement::If {
                test,
                then,
                otherwise,
            } => {
                visit(test);
                then.iter().chain(otherwise).for_each(|s| s.reads(visit));
            }
        }
    }
}

/// The modules that the top needs, rewritten; the top is first.
pub fn rewrite(modules: Vec<Module>) -> Result<Vec<Module>, EmitError> {
    let (flip_flops, mut modules): (Vec<_>, Vec<_>) = modules
        .into_iter()
        .partition(|module| initial_value(module).is_some());
    let initial: BTreeMap<String, String> = flip_flops
        .iter()
        .filter_map(|module| Some((module.name.clone(), initial_value(module)?)))
        .collect();
    for module in &mut modules {
        fold_flip_flops(module, &initial)?;
        drop_dead_stores(&mut module.statements);
        connect_directly(module);
        narrow_literals(module);
    }
    prune(&mut modules);
    while dissolve(&mut modules) {
        prune(&mut modules);
    }
    modules.iter_mut().for_each(name_unread_nets);
    Ok(share(modules))
}

/// The power-up value, if the module is Rust-HDL's DFF.
fn initial_value(module: &Module) -> Option<String> {
    let body = module.custom.as_ref()?;
    let lines: Vec<&str> = body.lines().collect();
    match lines.as_slice() {
        [
            "initial begin",
            initial,
            "end",
            "always @(posedge clock) begin",
            "q <= d;",
            "end",
        ] => {
            let value = initial.strip_prefix("q = ")?.strip_suffix(';')?;
            Some(value.to_string())
        }
        _ => None,
    }
}

/// Replaces every DFF instance `x` by a register `x`, whose next value is written as `x$d`.
fn fold_flip_flops(
    module: &mut Module,
    initial: &BTreeMap<String, String>,
) -> Result<(), EmitError> {
    let (flip_flops, instances): (Vec<Instance>, Vec<Instance>) = module
        .instances
        .drain(..)
        .partition(|instance| initial.contains_key(&instance.module));
    module.instances = instances;
    for flip_flop in flip_flops {
        let name = flip_flop.name.clone();
        let clock_net = format!("{name}$clock");
        let clock = take_assignment(&mut module.statements, &clock_net)
            .ok_or_else(|| EmitError::unknown(&format!("register {name} without a clock")))?;
        let output = format!("{name}$q");
        let mut net = module
            .nets
            .iter()
            .find(|net| net.name == output)
            .cloned()
            .ok_or_else(|| EmitError::unknown(&format!("register {name} without an output")))?;
        net.name = name.clone();
        module.nets.retain(|net| {
            net.name != output && net.name != clock_net && net.name != format!("{name}$d")
        });
        module.registers.push(Register {
            net,
            clock,
            initial: initial[&flip_flop.module].clone(),
        });
    }
    let outputs: BTreeMap<String, String> = module
        .registers
        .iter()
        .map(|register| {
            (
                format!("{}$q", register.net.name),
                register.net.name.clone(),
            )
        })
        .collect();
    let new_name = |word: &str| outputs.get(word).cloned().unwrap_or(word.to_string());
    for statement in &mut module.statements {
        statement.rename(&new_name);
    }
    for (_, net) in module.instances.iter_mut().flat_map(|i| &mut i.connections) {
        *net = rename(net, new_name);
    }
    Ok(())
}

/// Takes the one plain assignment of a net out of a block.
fn take_assignment(statements: &mut Vec<Statement>, net: &str) -> Option<String> {
    let mut found = statements
        .iter()
        .enumerate()
        .filter(|(_, statement)| statement.targets().contains(net));
    let (index, statement) = found.next()?;
    if found.next().is_some() {
        return None;
    }
    let Statement::Assign { value, .. } = statement.clone() else {
        return None;
    };
    statements.remove(index);
    Some(value)
}

/// Drops assignments that a later statement of the block overwrites before anything reads them.
fn drop_dead_stores(statements: &mut Vec<Statement>) {
    let is_dead = |index: usize| {
        let Statement::Assign { target, .. } = &statements[index] else {
            return false;
        };
        for later in &statements[index + 1..] {
            let mut read = false;
            later.reads(&mut |text| read |= identifiers(text).any(|word| word == target));
            if read {
                return false;
            }
            if later.always_writes(target) {
                return true;
            }
        }
        false
    };
    let keep: Vec<bool> = (0..statements.len()).map(|index| !is_dead(index)).collect();
    let mut keep = keep.into_iter();
    statements.retain(|_| keep.next().unwrap_or(true));
}

/// Connects instance inputs to what drives them where that is a plain name, and drops the net between.
fn connect_directly(module: &mut Module) {
    for instance in &mut module.instances {
        for (_, net) in &mut instance.connections {
            let plain = module.statements.iter().any(|statement| {
                matches!(statement, Statement::Assign { target, value }
                    if target == net && identifiers(value).next() == Some(value.as_str()))
            });
            if plain && let Some(value) = take_assignment(&mut module.statements, net) {
                module.nets.retain(|declared| declared.name != *net);
                *net = value;
            }
        }
    }
}

/// Calls the outputs of instances that nothing reads `unused_...`, which lint tools take for a reason.
fn name_unread_nets(module: &mut Module) {
    let mut read: BTreeSet<&str> = BTreeSet::new();
    for statement in &module.statements {
        statement.reads(&mut |text| read.extend(identifiers(text)));
    }
    let written: BTreeSet<&str> = module.statements.iter().flat_map(|s| s.targets()).collect();
    let mut connections: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, net) in module
        .instances
        .iter()
        .flat_map(|instance| &instance.connections)
    {
        *connections.entry(net).or_default() += 1;
    }
    let unread: BTreeSet<String> = module
        .nets
        .iter()
        .map(|net| net.name.as_str())
        .filter(|net| {
            !read.contains(net) && !written.contains(net) && connections.get(net) == Some(&1)
        })
        .map(str::to_string)
        .collect();
    let names = (module.nets.iter_mut().map(|net| &mut net.name)).chain(
        (module.instances.iter_mut()).flat_map(|i| i.connections.iter_mut().map(|(_, net)| net)),
    );
    for name in names {
        if unread.contains(name) {
            *name = format!("unused_{name}");
        }
    }
}

/// Rust-HDL writes every literal as `32'h..`, which Verilator takes for a width mismatch; without a size it is none.
fn narrow_literals(module: &mut Module) {
    static WIDE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\b32'h").unwrap());
    fn narrow(text: &mut String) {
        *text = WIDE.replace_all(text, "'h").into_owned();
    }
    fn visit(statement: &mut Statement) {
        match statement {
            Statement::Assign { value, .. } => narrow(value),
            Statement::If {
                test,
                then,
                otherwise,
            } => {
                narrow(test);
                then.iter_mut().chain(otherwise).for_each(visit);
            }
        }
    }
    module.statements.iter_mut().for_each(visit);
}

/// Keeps one of each set of modules that are alike, and names it after what its instances have in common.
fn share(mut modules: Vec<Module>) -> Vec<Module> {
    let top = modules[0].name.clone();
    // Children come before their parents, so that parents which differ only in their children's names become alike.
    modules.sort_by_key(|module| std::cmp::Reverse(module.name.matches('$').count()));
    let mut kept: Vec<Module> = Vec::new();
    let mut alike: BTreeMap<String, usize> = BTreeMap::new();
    let mut instance_names: Vec<Vec<String>> = Vec::new();
    for mut module in modules {
        let path = std::mem::take(&mut module.name);
        for instance in &mut module.instances {
            instance.module = format!("{}", alike[&instance.module]);
        }
        let index = kept
            .iter()
            .position(|other| *other == module)
            .unwrap_or_else(|| {
                kept.push(module);
                instance_names.push(Vec::new());
                kept.len() - 1
            });
        instance_names[index].push(
            path.rsplit('$')
                .find(|part| !is_index(part))
                .unwrap_or_default()
                .to_string(),
        );
        alike.insert(path, index);
    }
    let mut names: Vec<String> = Vec::new();
    for instances in &instance_names {
        let stem = common_stem(instances);
        let name = |suffix: String| format!("{top}_{stem}{suffix}");
        let unique = (1..)
            .map(|n| {
                name(if n == 1 {
                    String::new()
                } else {
                    format!("_{n}")
                })
            })
            .find(|name| !names.contains(name));
        names.extend(unique);
    }
    let top_index = alike[&top];
    names[top_index] = top;
    for (index, module) in kept.iter_mut().enumerate() {
        module.name = names[index].clone();
        for instance in &mut module.instances {
            let shared: usize = instance.module.parse().unwrap_or_default();
            instance.module = names[shared].clone();
        }
    }
    kept.reverse();
    kept
}

fn is_index(part: &str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_digit())
}

/// The leading words that all names share, or the first name where they share none.
fn common_stem(names: &[String]) -> String {
    let mut stem: Vec<&str> = names[0].split('_').collect();
    for name in names {
        let shared = stem
            .iter()
            .zip(name.split('_'))
            .take_while(|(a, b)| *a == b)
            .count();
        stem.truncate(shared);
    }
    if stem.is_empty() {
        names[0].clone()
    } else {
        stem.join("_")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assign(target: &str, value: &str) -> Statement {
        Statement::Assign {
            target: target.to_string(),
            value: value.to_string(),
        }
    }

    #[test]
    fn literals_are_no_identifiers() {
        let words: Vec<&str> = identifiers("a$b & 8'hff | ~c_1[3] + 'h1").collect();
        assert_eq!(words, ["a$b", "c_1"]);
        assert_eq!(
            rename("a + 4'hb", |word| format!("{word}{word}")),
            "aa + 4'hb"
        );
    }

    #[test]
    fn a_store_is_dead_only_if_overwritten_before_it_is_read() {
        let test = |then: Vec<Statement>, otherwise: Vec<Statement>| Statement::If {
            test: "t".to_string(),
            then,
            otherwise,
        };
        let mut overwritten = vec![assign("x", "a"), assign("x", "b")];
        drop_dead_stores(&mut overwritten);
        assert_eq!(overwritten, [assign("x", "b")]);
        let mut in_both = vec![
            assign("x", "a"),
            test(vec![assign("x", "b")], vec![assign("x", "c")]),
        ];
        drop_dead_stores(&mut in_both);
        assert_eq!(in_both.len(), 1);
        for kept in [
            vec![assign("x", "a"), test(vec![assign("x", "b")], vec![])],
            vec![assign("x", "a"), assign("y", "x"), assign("x", "b")],
            vec![assign("x", "a"), assign("x", "~x")],
        ] {
            let mut block = kept.clone();
            drop_dead_stores(&mut block);
            assert_eq!(block, kept);
        }
    }

    #[test]
    fn shared_modules_are_named_after_what_their_instances_share() {
        let names = |all: &[&str]| all.iter().map(|name| name.to_string()).collect::<Vec<_>>();
        assert_eq!(
            common_stem(&names(&["lag_bb", "lag_ef", "lag_ef_2"])),
            "lag"
        );
        assert_eq!(common_stem(&names(&["shift"])), "shift");
        assert_eq!(common_stem(&names(&["alpha", "beta"])), "alpha");
    }
}
