//! The command line: one subcommand, files, and options that all of them share.

use std::collections::BTreeMap;

use dra_playground_core::workspace::check_options;
use dra_playground_core::workspace::report::{Behavior, Options};

use crate::help;

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
    /// `--language`.
    pub(crate) language: Option<String>,
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
                    if !help::is_option(&name) {
                        return Err(format!("unknown option `{name}`"));
                    }
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
        let Some(known) = help::command(command) else { return Ok(()) };
        if let Some(name) = self.given.iter().find(|name| !known.takes(name)) {
            return Err(format!("`{command}` has no option {name}"));
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
            "--language" => self.language = Some(value),
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
