//! `dra-playground-fuzz`: corpus files to folders, as libFuzzer wants them, and back.

use std::fs;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use dra_playground_fuzz::{TARGETS, corpus, pack};

/// The longest input that is kept, and how much of all, in bytes: changed copies of whole files
/// would bury the small inputs that make the difference.
const LONGEST: usize = 1024;
const MOST: usize = 96 << 10;

const HELP: &str = "\
dra-playground-fuzz targets               the names of the targets
dra-playground-fuzz unpack FILE FOLDER    a corpus file to a folder of inputs
dra-playground-fuzz seeds DOCS FOLDER     the examples of the pages in a folder, one input each
dra-playground-fuzz pack FOLDER FILE      the smallest inputs of a folder to a corpus file";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args[..] {
        ["targets"] => Ok(TARGETS.map(|target| target.name).join("\n")),
        ["unpack", file, folder] => unpack(Path::new(file), Path::new(folder)),
        ["seeds", docs, folder] => seeds(Path::new(docs), Path::new(folder)),
        ["pack", folder, file] => pack_folder(Path::new(folder), Path::new(file)),
        _ => Err(io::Error::other(HELP)),
    };
    match done {
        Ok(text) => say(&text, ExitCode::SUCCESS),
        Err(error) => say(&error.to_string(), ExitCode::FAILURE),
    }
}

#[expect(clippy::print_stdout, reason = "a program for people")]
fn say(text: &str, code: ExitCode) -> ExitCode {
    println!("{text}");
    code
}

fn unpack(file: &Path, folder: &Path) -> io::Result<String> {
    let inputs = corpus(&fs::read_to_string(file)?).map_err(io::Error::other)?;
    fs::create_dir_all(folder)?;
    for (index, input) in inputs.iter().enumerate() {
        fs::write(folder.join(format!("kept-{index}")), input)?;
    }
    Ok(format!("{} inputs", inputs.len()))
}

fn seeds(docs: &Path, folder: &Path) -> io::Result<String> {
    let mut count = 0;
    for entry in fs::read_dir(docs)? {
        let page = fs::read_to_string(entry?.path())?;
        for block in page.split("```yaml").skip(1) {
            let (_, example) = block.split_once('\n').unwrap_or_default();
            let example = example.split("```").next().unwrap_or_default();
            fs::write(folder.join(format!("seed-{count}")), example)?;
            count += 1;
        }
    }
    Ok(format!("{count} inputs"))
}

fn pack_folder(folder: &Path, file: &Path) -> io::Result<String> {
    let mut inputs = Vec::new();
    for entry in fs::read_dir(folder)? {
        let bytes = fs::read(entry?.path())?;
        inputs.push(String::from_utf8_lossy(&bytes).into_owned());
    }
    inputs.retain(|input| input.len() <= LONGEST);
    inputs.sort_by_key(String::len);
    let mut left = MOST;
    inputs.retain(|input| {
        let fits = input.len() <= left;
        left = if fits { left - input.len() } else { 0 };
        fits
    });
    fs::write(file, pack(&inputs))?;
    Ok(inputs.len().to_string())
}
