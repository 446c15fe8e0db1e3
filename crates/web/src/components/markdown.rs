//! The few signs of Markdown that descriptions of scenarios use: paragraphs, lists, `code`, **bold**, *stress*.

use yew::{Html, classes, html};

/// A description as paragraphs and lists.
pub(crate) fn markdown(text: &str) -> Html {
    let mut blocks: Vec<Html> = Vec::new();
    for block in text.split("\n\n").map(str::trim).filter(|block| !block.is_empty()) {
        let lines: Vec<&str> = block.lines().map(str::trim).collect();
        let item = |line: &&str| line.starts_with("- ") || line.starts_with("* ");
        if lines.iter().all(item) {
            let items =
                lines.iter().map(|line| html! { <li>{inline(line.get(2..).unwrap_or(""))}</li> });
            blocks.push(html! { <ul>{ for items }</ul> });
            continue;
        }
        let heading = lines.len() == 1 && block.starts_with('#');
        let words = lines.join(" ");
        let words = words.trim_start_matches('#').trim();
        blocks.push(html! { <p class={classes!(heading.then_some("b"))}>{inline(words)}</p> });
    }
    blocks.into_iter().collect()
}

fn inline(text: &str) -> Html {
    let parts = text.split('`').enumerate().map(|(at, part)| match at % 2 {
        0 => bold(part),
        _ => html! { <code>{part.to_owned()}</code> },
    });
    parts.collect()
}

fn bold(text: &str) -> Html {
    let parts = text.split("**").enumerate().map(|(at, part)| match at % 2 {
        0 => stress(part),
        _ => html! { <b>{part.to_owned()}</b> },
    });
    parts.collect()
}

fn stress(text: &str) -> Html {
    let parts = text.split('*').enumerate().map(|(at, part)| match at % 2 {
        0 => html! { {part.to_owned()} },
        _ => html! { <em>{part.to_owned()}</em> },
    });
    parts.collect()
}
