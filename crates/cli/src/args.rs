//! The command line: one subcommand, files, and options that all of them share.

use std::collections::BTreeMap;

use dra_playground_core::workspace::check_options;
use dra_playground_core::workspace::report::{Behavior, Options};

/// What the program can do.
pub(crate) const USAGE: &str = "\
dra-playground: see how Kubernetes allocates devices

usage: dra-playground COMMAND [OPTION ...] [FILE ...]

commands
  run FILE ...        Pods, claims, balances and reasons
  test FILE ...       check the expectations of scenario files; a file without any is wrong use
  check FILE ...      what is wrong or odd in the objects
  explain FILE ...    every device of one claim, with --claim
  cel EXPRESSION      check and evaluate a selector, with --device
  vectors FILE ...    compare with recorded answers of the real code
  link FILE           a link that carries the file; without --base only its fragment
  docs [CODE]         what a diagnostic means

options
  --output FORMAT         text, json, yaml; check also has github
  --kubernetes VERSION    e.g. 1.36.2
  --feature-gates LIST    e.g. DRAConsumableCapacity=true,DRADeviceTaints=false
  --behavior KIND         asReleased, or fixed: without the known bugs of the release
  --step N                the cluster after that step; 0 is before the first one
  --claim [NAMESPACE/]NAME
  --node NODE
  --device FILE#DEVICE    DEVICE may be DRIVER/POOL/DEVICE
  --base URL              address of the page, for links
  -h, --help
  --version

A file named - is the standard input.

exit codes
  0  fine: no error in the objects, every expectation holds, the selector compiles and evaluates
  1  findings: an error in the objects, an expectation that fails, a recorded answer that differs
  2  wrong use: an unknown command, option, file, release, gate, step, claim, node or device
";

/// The options that each command has beside release, gates and behavior.
const OPTIONS: [(&str, &[&str]); 8] = [
    ("run", &["--output", "--step"]),
    ("test", &["--output"]),
    ("check", &["--output"]),
    ("explain", &["--output", "--step", "--claim", "--node"]),
    ("cel", &["--output", "--step", "--device"]),
    ("vectors", &[]),
    ("link", &["--step", "--base"]),
    ("docs", &[]),
];

/// How results are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Format {
    /// For people.
    #[default]
    Text,
    /// JSON.
    Json,
    /// YAML.
    Yaml,
    /// Annotations of GitHub workflows.
    Github,
}

/// A command line, read.
#[derive(Debug, Default)]
pub(crate) struct Args {
    /// The subcommand.
    pub(crate) command: String,
    /// Everything that is no option.
    pub(crate) operands: Vec<String>,
    /// `--output`.
    pub(crate) format: Format,
    /// Release, gates, behavior and step.
    pub(crate) options: Options,
    /// `--claim`.
    pub(crate) claim: Option<String>,
    /// `--node`.
    pub(crate) node: Option<String>,
    /// `--device`.
    pub(crate) device: Option<String>,
    /// `--base`.
    pub(crate) base: Option<String>,
    /// `--help`.
    pub(crate) help: bool,
    /// Names of the options that were given.
    given: Vec<String>,
}

impl Args {
    /// Reads the words after the program's name.
    pub(crate) fn parse(words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut args = Self::default();
        let mut words = words.peekable();
        let mut options_end = false;
        while let Some(word) = words.next() {
            if word == "-h" && !options_end {
                args.help = true;
                continue;
            }
            if options_end || !word.starts_with("--") {
                if args.command.is_empty() {
                    args.command = word;
                } else {
                    args.operands.push(word);
                }
                continue;
            }
            let (name, inline) = match word.split_once('=') {
                Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
                None => (word, None),
            };
            match name.as_str() {
                "--" => options_end = true,
                "--help" => args.help = true,
                "--version" => "version".clone_into(&mut args.command),
                _ => {
                    let value = match inline {
                        Some(value) => value,
                        None => words.next().ok_or_else(|| format!("{name} needs a value"))?,
                    };
                    args.set(&name, value)?;
                    args.given.push(name);
                }
            }
        }
        if !args.help {
            args.check()?;
        }
        Ok(args)
    }

    /// Refuses options that the command would not look at, and values that do not exist.
    fn check(&self) -> Result<(), String> {
        let command = self.command.as_str();
        let Some((_, own)) = OPTIONS.iter().find(|(name, _)| *name == command) else {
            return Ok(());
        };
        let shared = ["--kubernetes", "--feature-gates", "--behavior"];
        let judges = !matches!(command, "vectors" | "docs");
        for name in self.given.iter().map(String::as_str) {
            let known = own.contains(&name) || judges && shared.contains(&name);
            if !known {
                return Err(format!("`{command}` has no option {name}"));
            }
        }
        if self.format == Format::Github && command != "check" {
            return Err(format!("`{command}` has no output `github`, only text, json and yaml"));
        }
        check_options(&self.options)
    }

    fn set(&mut self, name: &str, value: String) -> Result<(), String> {
        match name {
            "--output" => {
                self.format = match value.as_str() {
                    "text" => Format::Text,
                    "json" => Format::Json,
                    "yaml" => Format::Yaml,
                    "github" => Format::Github,
                    other => return Err(format!("unknown output `{other}`")),
                }
            }
            "--kubernetes" => self.options.kubernetes_version = Some(value),
            "--feature-gates" => self.options.feature_gates = gates(&value)?,
            "--behavior" => {
                self.options.behavior = Some(match value.as_str() {
                    "asReleased" => Behavior::AsReleased,
                    "fixed" => Behavior::Fixed,
                    other => return Err(format!("unknown behavior `{other}`")),
                });
            }
            "--step" => {
                let step =
                    value.parse().map_err(|_| format!("`{value}` is no number of a step"))?;
                self.options.step = Some(step);
            }
            "--claim" => self.claim = Some(value),
            "--node" => self.node = Some(value),
            "--device" => self.device = Some(value),
            "--base" => self.base = Some(value),
            other => return Err(format!("unknown option `{other}`")),
        }
        Ok(())
    }
}

fn gates(list: &str) -> Result<BTreeMap<String, bool>, String> {
    let mut gates = BTreeMap::new();
    for part in list.split(',').filter(|part| !part.is_empty()) {
        let (name, value) = part
            .split_once('=')
            .ok_or_else(|| format!("`{part}` is not GATE=true or GATE=false"))?;
        let value = value.parse().map_err(|_| format!("`{part}`: expected true or false"))?;
        gates.insert(name.to_owned(), value);
    }
    Ok(gates)
}
