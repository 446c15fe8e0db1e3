//! What the code of a WebAssembly module belongs to, from the names that the compiler left in it.

use std::collections::BTreeMap;

use crate::shell::Outcome;

/// What is counted together, and what the mangled names of it contain; the first that fits counts.
const PARTS: [(&str, &[&str]); 16] = [
    ("reading and writing JSON", &["serde"]),
    ("sorting", &["5slice4sort", "5order"]),
    ("ordered maps", &["5btree"]),
    ("panels, components and page", &["18dra_playground_web", "dra_playground_web.."]),
    ("Yew", &["3yew"]),
    ("CEL", &["18dra_playground_cel", "dra_playground_cel.."]),
    ("YAML", &["saphyr", "19dra_playground_core4yaml"]),
    ("API objects and their validation", &["dra_playground_core3api", "dra_playground_core..api"]),
    ("report, edits, what-ifs, assistance", &["dra_playground_core9workspace"]),
    (
        "allocator, pools, selectors",
        &[
            "dra_playground_core9allocator",
            "dra_playground_core4pool",
            "dra_playground_core8selector",
        ],
    ),
    (
        "scheduler, scenario, cluster",
        &[
            "dra_playground_core9scheduler",
            "dra_playground_core8scenario",
            "dra_playground_core7cluster",
        ],
    ),
    ("reasons and their words", &["dra_playground_core7explain"]),
    ("other of the core", &["dra_playground_core"]),
    ("bindings to the browser", &["wasm_bindgen", "wbindgen", "js_sys", "web_sys", "gloo"]),
    ("links, big numbers", &["miniz_oxide", "num_bigint"]),
    ("standard library: lists, texts, iterators, formatting", &[""]),
];

/// Bytes of code by part, largest first, and all of them; before the optimizer.
pub(crate) fn parts(module: &[u8]) -> Outcome<(Vec<(&'static str, usize)>, usize)> {
    let mut reader = Reader { bytes: module, at: 8 };
    let mut imported = 0;
    let mut sizes = Vec::new();
    let mut names = BTreeMap::new();
    while reader.at < module.len() {
        let kind = reader.byte()?;
        let length = reader.number()?;
        let end = reader.at + length;
        match kind {
            0 if reader.text()? == "name" => names = reader.function_names(end)?,
            2 => imported = reader.imported_functions()?,
            10 => {
                for _ in 0..reader.number()? {
                    let size = reader.number()?;
                    sizes.push(size);
                    reader.at += size;
                }
            }
            _ => {}
        }
        reader.at = end;
    }
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, size) in sizes.iter().enumerate() {
        let name = names.get(&(imported + number)).copied().unwrap_or_default();
        let part = PARTS.iter().find(|(_, marks)| marks.iter().any(|mark| name.contains(mark)));
        *found.entry(part.map_or("", |part| part.0)).or_default() += size;
    }
    let mut found: Vec<_> = found.into_iter().collect();
    found.sort_by_key(|(_, size)| std::cmp::Reverse(*size));
    Ok((found, sizes.iter().sum()))
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn byte(&mut self) -> Outcome<u8> {
        let byte = self.bytes.get(self.at).copied().ok_or("the module ends early")?;
        self.at += 1;
        Ok(byte)
    }

    /// A number of seven bits a byte.
    fn number(&mut self) -> Outcome<usize> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= usize::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        Ok(number)
    }

    fn text(&mut self) -> Outcome<&'a str> {
        let length = self.number()?;
        let text = self.bytes.get(self.at..self.at + length).ok_or("the module ends early")?;
        self.at += length;
        Ok(std::str::from_utf8(text)?)
    }

    fn limits(&mut self) -> Outcome<()> {
        let flags = self.byte()?;
        self.number()?;
        if flags & 1 == 1 {
            self.number()?;
        }
        Ok(())
    }

    fn imported_functions(&mut self) -> Outcome<usize> {
        let mut functions = 0;
        for _ in 0..self.number()? {
            self.text()?;
            self.text()?;
            match self.byte()? {
                0 => {
                    self.number()?;
                    functions += 1;
                }
                1 => {
                    self.byte()?;
                    self.limits()?;
                }
                2 => self.limits()?,
                _ => self.at += 2,
            }
        }
        Ok(functions)
    }

    fn function_names(&mut self, end: usize) -> Outcome<BTreeMap<usize, &'a str>> {
        let mut names = BTreeMap::new();
        while self.at < end {
            let kind = self.byte()?;
            let length = self.number()?;
            let next = self.at + length;
            if kind == 1 {
                for _ in 0..self.number()? {
                    let number = self.number()?;
                    names.insert(number, self.text()?);
                }
            }
            self.at = next;
        }
        Ok(names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_counted_by_name() {
        // One function of two bytes with the name `serde`.
        let code = [10, 4, 1, 2, 0, 0x0b];
        let names = [0, 15, 4, b'n', b'a', b'm', b'e', 1, 8, 1, 0, 5, b's', b'e', b'r', b'd', b'e'];
        let module = [&b"\0asm\x01\0\0\0"[..], &code, &names].concat();
        assert_eq!(parts(&module).unwrap(), (vec![("reading and writing JSON", 2)], 2));
    }
}
