//! Short forms of numbers and names.

use dra_playground_core::workspace::report::{Analysis, CardView, DeviceKey, ObjectKey, Snapshot};

use super::names::{pool_of, told_apart};
use crate::words::{Words, fill};

/// An age as kubectl prints it.
///
/// Source: apimachinery `duration.HumanDuration`.
pub(crate) fn age(seconds: u64) -> String {
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86400);
    let pair = |big: u64, unit: char, small: u64, sub: char| match small {
        0 => format!("{big}{unit}"),
        small => format!("{big}{unit}{small}{sub}"),
    };
    match seconds {
        0..120 => format!("{seconds}s"),
        120..600 => pair(minutes, 'm', seconds % 60, 's'),
        600..10_800 => format!("{minutes}m"),
        10_800..28_800 => pair(hours, 'h', minutes % 60, 'm'),
        28_800..172_800 => format!("{hours}h"),
        172_800..691_200 => pair(days, 'd', hours % 24, 'h'),
        691_200..63_072_000 => format!("{days}d"),
        63_072_000..252_288_000 => pair(days / 365, 'y', days % 365, 'd'),
        _ => format!("{}y", days / 365),
    }
}

/// A number with a separator between thousands.
pub(crate) fn count(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Bytes as a reader would say them.
pub(crate) fn bytes(number: usize) -> String {
    if number < 1000 {
        format!("{number} B")
    } else {
        format!("{}.{} kB", number / 1000, number % 1000 / 100)
    }
}

/// `a … c, e`: neighbours are one run; from three runs on only the first two are named.
pub(crate) fn runs(words: &Words, indexes: &[usize], name: impl Fn(usize) -> String) -> String {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for index in indexes {
        match found.last_mut() {
            Some((_, last)) if *last + 1 == *index => *last = *index,
            _ => found.push((*index, *index)),
        }
    }
    let said = found.iter().take(3).map(|(first, last)| match last - first {
        0 => name(*first),
        1 => format!("{}{}{}", name(*first), words.comma, name(*last)),
        _ => format!("{} … {}", name(*first), name(*last)),
    });
    let said = said.collect::<Vec<_>>().join(words.comma);
    if found.len() > 3 { format!("{said}{}…", words.comma) } else { said }
}

/// Whether anything happens after the objects of the text: elsewhere steps are not spoken of.
pub(crate) fn is_stepped(analysis: &Analysis) -> bool {
    analysis.steps.len() > 1
}

/// After which step, or nothing of a text without steps.
pub(crate) fn after_step(words: &Words, analysis: &Analysis) -> String {
    if is_stepped(analysis) { fill(words.after_step, &[&analysis.step]) } else { String::new() }
}

/// A claim, and the step at which something was done with it.
pub(crate) fn claim_at_step(
    words: &Words,
    analysis: &Analysis,
    claim: &str,
    step: usize,
) -> String {
    fill(
        if is_stepped(analysis) { words.claim_at_step } else { words.claim_alone },
        &[&claim, &step],
    )
}

/// The name of a card, told from those of the same name in other pools.
pub(crate) fn card(snapshot: &Snapshot, card: &CardView) -> String {
    let alike = snapshot.cards.iter().filter(|it| it.name == card.name);
    told_apart(&card.name, pool_of(card), alike.map(pool_of))
}

/// `driver/pool/device`, an identifier that is unique on the page.
pub(crate) fn device_path(key: &DeviceKey) -> String {
    format!("{}/{}/{}", key.driver, key.pool, key.device)
}

/// An `id` attribute for an object.
pub(crate) fn object_id(key: &ObjectKey) -> String {
    format!("{}-{}-{}", key.kind.to_lowercase(), key.namespace, key.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::words;

    #[test]
    fn ages_are_kubectl_s() {
        for (seconds, text) in [
            (0, "0s"),
            (119, "119s"),
            (120, "2m"),
            (121, "2m1s"),
            (600, "10m"),
            (10_800, "3h"),
            (10_860, "3h1m"),
            (172_800, "2d"),
            (176_400, "2d1h"),
            (691_200, "8d"),
        ] {
            assert_eq!(age(seconds), text);
        }
    }

    #[test]
    fn neighbours_are_one_run() {
        let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
        let said =
            |code: &str, indexes: &[usize]| runs(words(code), indexes, |at| names[at].to_owned());
        assert_eq!(said("en", &[0, 1, 2, 4]), "a … c, e");
        assert_eq!(said("en", &[0, 1, 3, 5, 7]), "a, b, d, f, …");
        assert_eq!(said("zh-TW", &[0, 1, 3, 5, 7]), "a、b、d、f、…");
    }

    #[test]
    fn thousands_are_parted() {
        assert_eq!(count(24), "24");
        assert_eq!(count(1_000), "1,000");
        assert_eq!(count(201_336), "201,336");
    }
}
