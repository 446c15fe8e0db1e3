//! Commands and options: what there is, and what `--help` says of it.

use std::fmt::Write as _;

/// A subcommand.
pub(crate) struct Command {
    name: &'static str,
    /// What follows the name.
    operands: &'static str,
    does: &'static str,
    /// Its options beside those of [`JUDGING`].
    options: &'static [&'static str],
    /// Whether release, gates and behavior change its answer.
    judges: bool,
    /// Words after its name.
    example: &'static str,
}

impl Command {
    /// Whether it looks at an option.
    pub(crate) fn takes(&self, option: &str) -> bool {
        self.options.contains(&option) || self.judges && JUDGING.contains(&option)
    }
}

const JUDGING: [&str; 3] = ["--kubernetes", "--feature-gates", "--behavior"];

static COMMANDS: [Command; 8] = [
    Command {
        name: "run",
        operands: "FILE ...",
        does: "Pods, claims, balances and reasons",
        options: &["--output", "--step"],
        judges: true,
        example: "--step 2 --kubernetes 1.36.2 scenario.yaml",
    },
    Command {
        name: "test",
        operands: "FILE ...",
        does: "check the expectations of scenario files; a file or folder without any is wrong use",
        options: &["--output"],
        judges: true,
        example: "examples/*.yaml",
    },
    Command {
        name: "check",
        operands: "FILE ...",
        does: "what is wrong or odd in the objects; of a folder its files, with the counts",
        options: &["--output"],
        judges: true,
        example: "--output github manifests.yaml",
    },
    Command {
        name: "explain",
        operands: "FILE ...",
        does: "every device of one claim, with --claim",
        options: &["--claim", "--node", "--step", "--output"],
        judges: true,
        example: "--claim team-a/gpu --node node-1 scenario.yaml",
    },
    Command {
        name: "cel",
        operands: "EXPRESSION",
        does: "check and evaluate a selector, with --device",
        options: &["--device", "--step", "--output"],
        judges: true,
        example: "'device.driver == \"gpu.example.com\"' --device slices.yaml#gpu-0",
    },
    Command {
        name: "vectors",
        operands: "FILE ...",
        does: "compare with recorded answers of the real code",
        options: &[],
        judges: false,
        example: "alloc-1.37.jsonl",
    },
    Command {
        name: "link",
        operands: "FILE",
        does: "a link that carries the file; without --base only its fragment",
        options: &["--base", "--step"],
        judges: true,
        example: "--base https://example.com/playground/ scenario.yaml",
    },
    Command {
        name: "docs",
        operands: "[CODE]",
        does: "what a diagnostic or reason means",
        options: &["--language"],
        judges: false,
        example: "class-without-selectors",
    },
];

/// Options that take a value: name, value and meaning.
const OPTIONS: [(&str, &str, &str); 10] = [
    ("--output", "FORMAT", "text, json, yaml; check also has github"),
    ("--kubernetes", "VERSION", "e.g. 1.36.2"),
    ("--feature-gates", "LIST", "e.g. DRAConsumableCapacity=true,DRADeviceTaints=false"),
    ("--behavior", "KIND", "asReleased, or fixed: without the known bugs of the release"),
    ("--step", "N", "the cluster after that step; 0 is before the first one"),
    ("--claim", "NAME", "the claim, or NAMESPACE/NAME"),
    ("--node", "NODE", "only the attempt on that node"),
    ("--device", "FILE#DEVICE", "DEVICE may be DRIVER/POOL/DEVICE"),
    ("--language", "TAG", "language of a page: en or zh-TW"),
    ("--base", "URL", "address of the page, for links: http or https, without `#`"),
];

const ENDING: &str = "
A file named - is the standard input.

exit codes
  0  fine: no error in the objects, every expectation holds, the selector compiles and evaluates
  1  findings: an error in the objects, an expectation that fails, a recorded answer that differs
  2  wrong use: an unknown command, option, file, release, gate, step, claim, node or device;
     or the output cannot be written";

/// The command of that name.
pub(crate) fn command(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name == name)
}

/// Whether some command has that option.
pub(crate) fn is_option(name: &str) -> bool {
    OPTIONS.iter().any(|(option, ..)| *option == name)
}

/// Help about a command, or about the whole program without one.
pub(crate) fn about(name: &str) -> Result<String, String> {
    let mut out = String::new();
    if name.is_empty() || name == "version" {
        out.push_str("dra-playground: see how Kubernetes allocates devices\n\n");
        out.push_str("usage: dra-playground COMMAND [OPTION ...] [FILE ...]\n\ncommands\n");
        for Command { name, operands, does, .. } in &COMMANDS {
            let _ = writeln!(out, "  {:<18}  {does}", format!("{name} {operands}"));
        }
        options(&mut out, |_| true);
        out.push_str("  -h, --help               of a command, after its name\n  --version\n");
        return Ok(out + ENDING);
    }
    let Some(known) = command(name) else {
        return Err(format!("unknown command `{name}`\n\n{}", about("")?));
    };
    let Command { operands, does, example, .. } = known;
    let some = if known.judges { "[OPTION ...] " } else { "" };
    let _ = writeln!(out, "usage: dra-playground {name} {some}{operands}\n\n{does}");
    options(&mut out, |option| known.takes(option));
    let _ = write!(out, "\nexample\n  dra-playground {name} {example}");
    Ok(out)
}

fn options(out: &mut String, is_told: impl Fn(&str) -> bool) {
    let told: Vec<_> = OPTIONS.iter().filter(|(name, ..)| is_told(name)).collect();
    if !told.is_empty() {
        out.push_str("\noptions\n");
    }
    for (name, value, meaning) in told {
        let _ = writeln!(out, "  {:<23}  {meaning}", format!("{name} {value}"));
    }
}
