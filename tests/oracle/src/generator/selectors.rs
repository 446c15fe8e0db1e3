//! CEL selectors of classes and requests: right for most devices, faulty for some.

use super::World;
use crate::random::Random;

/// A selector of a device, sometimes one that fails.
pub(super) fn selector(random: &mut Random, world: &World) -> String {
    if world.themes.has("faults") && random.percent(25) {
        return faulty(random, world);
    }
    sound(random, world)
}

fn driver<'a>(random: &mut Random, world: &'a World) -> &'a str {
    random.pick(&world.drivers).map_or("gpu.example.com", String::as_str)
}

fn sound(random: &mut Random, world: &World) -> String {
    let d = driver(random, world);
    let attributes = format!("device.attributes[\"{d}\"]");
    let capacity = format!("device.capacity[\"{d}\"]");
    let lists = world.themes.has("lists");
    match random.below(14) {
        0 => "true".to_owned(),
        1 => format!("{attributes}.?model.orValue(\"\") == \"{}\"", random.text(&["A100", "H100"])),
        2 => format!(
            "has({attributes}.numa) && {attributes}.numa {} 1",
            random.text(&["<=", "==", ">"])
        ),
        3 => format!("{attributes}.?ecc.orValue(false)"),
        4 => format!("has({attributes}.fw) && {attributes}.fw.isGreaterThan(semver(\"1.5.0\"))"),
        5 => format!("\"{d}\" in device.attributes"),
        6 => format!("has({capacity}.bw) && {capacity}.bw.compareTo(quantity(\"5\")) >= 0"),
        7 => "!device.allowMultipleAllocations".to_owned(),
        8 => format!("{attributes}.?family.hasValue() || device.driver != \"{d}\""),
        9 if lists => {
            format!("has({attributes}.links) && {attributes}.links.includes({})", random.below(3))
        }
        10 => format!("device.driver.startsWith(\"{}\")", random.text(&["gpu", "nic"])),
        11 => format!("size({attributes}) > {}", random.between(2, 4)),
        12 => format!("!has({attributes}.model) || {attributes}.model != \"H100\""),
        _ => format!("device.driver == \"{d}\""),
    }
}

fn faulty(random: &mut Random, world: &World) -> String {
    let d = driver(random, world);
    let attributes = format!("device.attributes[\"{d}\"]");
    match random.below(9) {
        0 => format!("{attributes}.nosuch == 1"),
        1 => format!("{attributes}.model == \"A100\""),
        2 => format!("{attributes}.model > 3"),
        3 => format!("{attributes}.numa"),
        4 => "device.atributes.size() > 0".to_owned(),
        5 => "device.driver ==".to_owned(),
        6 => "device.driver".to_owned(),
        7 => format!("{attributes}.fw.isLessThan(semver(\"1.x\"))"),
        _ => format!("device.capacity[\"{d}\"].bw.isGreaterThan(quantity(\"1\"))"),
    }
}
