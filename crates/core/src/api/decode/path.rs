use std::fmt::Write;

/// The way from the object to a field; printed only when there is something to say.
#[derive(Debug, Default)]
pub(super) struct Path<'a> {
    segments: Vec<Segment<'a>>,
}

#[derive(Clone, Copy, Debug)]
enum Segment<'a> {
    Field(&'a str),
    Key(&'a str),
    Index(usize),
}

impl<'a> Path<'a> {
    pub(super) fn field(&mut self, name: &'a str) {
        self.segments.push(Segment::Field(name));
    }

    pub(super) fn key(&mut self, key: &'a str) {
        self.segments.push(Segment::Key(key));
    }

    pub(super) fn index(&mut self, idx: usize) {
        self.segments.push(Segment::Index(idx));
    }

    pub(super) fn pop(&mut self) {
        self.segments.pop();
    }

    /// Whether it leads to an item of a list.
    pub(super) fn is_item(&self) -> bool {
        matches!(self.segments.last(), Some(Segment::Index(_)))
    }

    /// `spec.devices[0].attributes[x]`
    pub(super) fn text(&self) -> String {
        let mut out = String::new();
        for segment in &self.segments {
            let _ = match segment {
                Segment::Field(name) if out.is_empty() => write!(out, "{name}"),
                Segment::Field(name) => write!(out, ".{name}"),
                Segment::Key(key) => write!(out, "[{key}]"),
                Segment::Index(idx) => write!(out, "[{idx}]"),
            };
        }
        out
    }

    /// The path with a field appended.
    pub(super) fn join(&self, field: &str) -> String {
        let path = self.text();
        if path.is_empty() { field.to_owned() } else { format!("{path}.{field}") }
    }

    /// The path with a field appended, as strict decoding prints it: keys of maps like fields.
    pub(super) fn strict(&self, field: &str) -> String {
        let mut out = String::new();
        for segment in &self.segments {
            let _ = match segment {
                Segment::Field(name) | Segment::Key(name) if out.is_empty() => {
                    write!(out, "{name}")
                }
                Segment::Field(name) | Segment::Key(name) => write!(out, ".{name}"),
                Segment::Index(idx) => write!(out, "[{idx}]"),
            };
        }
        if out.is_empty() { field.to_owned() } else { format!("{out}.{field}") }
    }

    /// Field names only, as Go's decoder reports a wrong type.
    pub(super) fn go(&self) -> String {
        let names = self.segments.iter().filter_map(|segment| match segment {
            // UPSTREAM: a type that is embedded here has its name in the path.
            Segment::Field("opaque") => Some("DeviceConfiguration.opaque"),
            Segment::Field(name) => Some(*name),
            Segment::Key(_) | Segment::Index(_) => None,
        });
        names.collect::<Vec<_>>().join(".")
    }

    /// Field names and `[]` for items, to find similar places.
    pub(super) fn shape(&self) -> String {
        let mut out = String::new();
        for segment in &self.segments {
            match segment {
                Segment::Field(name) => {
                    if !out.is_empty() {
                        out.push('.');
                    }
                    out.push_str(name);
                }
                Segment::Key(_) => out.push_str("[*]"),
                Segment::Index(_) => out.push_str("[]"),
            }
        }
        out
    }
}
