//! Files of the page without what only their authors read: comments, and spaces that mean nothing.

/// A style sheet as it is deployed. Texts in quotes stay as they are.
pub(crate) fn style(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while let Some(c) = rest.chars().next() {
        let taken = match c {
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' | '\'' => {
                let end = rest.get(1..).and_then(|inside| inside.find(c));
                let text = end.map_or(rest.len(), |end| end + 2);
                out.push_str(rest.get(..text).unwrap_or_default());
                text
            }
            _ if c.is_ascii_whitespace() => {
                if !out.is_empty() && !out.ends_with([' ', '{', '}', ';', ',', ':']) {
                    out.push(' ');
                }
                1
            }
            _ => {
                if matches!(c, '{' | '}' | ';' | ',') && out.ends_with(' ') {
                    out.pop();
                }
                if c == '}' && out.ends_with(';') {
                    out.pop();
                }
                out.push(c);
                c.len_utf8()
            }
        };
        rest = rest.get(taken..).unwrap_or_default();
    }
    out
}

/// A script as it is deployed: without indentation and lines that are a comment.
pub(crate) fn script(js: &str) -> String {
    let comment =
        |line: &str| line.starts_with("//") || line.starts_with("/*") && line.ends_with("*/");
    let lines = js.lines().map(str::trim).filter(|line| !line.is_empty() && !comment(line));
    lines.fold(String::new(), |out, line| out + line + "\n")
}

#[cfg(test)]
mod tests {
    use super::{script, style};

    #[test]
    fn only_what_means_nothing_goes() {
        let css = "/* a: b; */\n.a  :hover, .b > i {\n  width: calc(1px + 2px); /* c */\n  content: \"a:  { /* d */\";\n}\n\n@media (width < 3px) { .c { color: red; } }\n";
        assert_eq!(
            style(css),
            ".a :hover,.b > i{width:calc(1px + 2px);content:\"a:  { /* d */\"}@media (width < 3px){.c{color:red}}"
        );
        assert_eq!(style("/* open"), "");
        assert_eq!(style("a{content:'"), "a{content:'");
    }

    #[test]
    fn scripts_lose_whole_lines_only() {
        let js = "// what it is\n(() => {\n  /** One. */\n  const a = 1; // stays\n\n  a / /* b */ 2\n})();\n";
        assert_eq!(script(js), "(() => {\nconst a = 1; // stays\na / /* b */ 2\n})();\n");
    }
}
