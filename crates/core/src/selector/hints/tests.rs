use super::hints;
use crate::api::{DeviceAttribute, DeviceCapacity};
use crate::apimachinery::Entries;
use crate::features::{CelSwitches, Release};
use crate::selector::{DeviceInput, Selectors};

/// The hints for an expression on two devices, as `message -> replacement`.
#[track_caller]
fn check(expression: &str, expected: &[&str]) {
    let release = Release::parse("1.36.2").unwrap();
    let selectors = Selectors::new(&CelSwitches::new(release, false, true, true));
    let text = |text: &str| DeviceAttribute { string: Some(text.to_owned()), ..Default::default() };
    let version = DeviceAttribute { version: Some("1.2.3".to_owned()), ..Default::default() };
    let int = DeviceAttribute { int: Some(3), ..Default::default() };
    let full = Entries::from_iter([
        ("model".to_owned(), text("a100")),
        ("firmware".to_owned(), version),
        ("zone".to_owned(), text("z1")),
        ("index".to_owned(), int.clone()),
    ]);
    let bare = Entries::from_iter([
        ("model".to_owned(), text("a100")),
        ("firmware".to_owned(), full.get("firmware").cloned().unwrap()),
        ("index".to_owned(), int),
    ]);
    let value = "40Gi".parse().unwrap();
    let capacity =
        Entries::from_iter([("memory".to_owned(), DeviceCapacity { value, request_policy: None })]);
    let devices = [&full, &bare].map(|attributes| DeviceInput {
        driver: "gpu.example.com",
        attributes,
        capacity: &capacity,
        allow_multiple_allocations: None,
    });
    let found: Vec<_> = hints(&selectors, expression, &devices)
        .into_iter()
        .inspect(|hint| {
            let chinese = crate::diagnostic::translate(&hint.message, "zh-TW");
            let is_chinese = chinese.chars().any(|c| ('\u{4e00}'..'\u{9fff}').contains(&c));
            // What words are left stands in backticks.
            let plain: String = chinese.split('`').step_by(2).collect();
            let is_left = plain.contains(|c: char| c.is_ascii_lowercase())
                && !plain.contains("map")
                && !plain.contains("capacity")
                && !plain.contains("attribute");
            assert!(is_chinese && !is_left, "{} is {chinese}", hint.message);
        })
        .map(|hint| match hint.replacement {
            Some(text) => format!("{} -> {text}", hint.message),
            None => hint.message,
        })
        .collect();
    assert_eq!(found, expected, "{expression}");
}

#[test]
fn suggests_names_that_devices_publish() {
    check("device.attributes['gpu.example.com'].model == 'a100'", &[]);
    check(
        "device.capacity['gpu.example.com'].memroy == quantity('1')",
        &["`memroy` is on 0 of 2 devices, `memory` on 2 -> memory"],
    );
    check(
        "device.attributes['gpu.exmaple.com'].model == 'a100'",
        &["`gpu.exmaple.com` is a domain of 0 of 2 devices, `gpu.example.com` is one that they \
           use -> \"gpu.example.com\""],
    );
    check(
        "device.attributes['gpu.example.com'].memory == 1",
        &["`memory` is a capacity of 2 of 2 devices, not an attribute: use `device.capacity` -> \
           device.capacity['gpu.example.com'].memory"],
    );
    check(
        "device.attributes['gpu.example.com/model'] == 'a100'",
        &["domain and name are two keys: first `gpu.example.com`, then `model` -> \
           device.attributes[\"gpu.example.com\"].model"],
    );
    check(
        "device.attribute['x'] == 1",
        &["a device has no field `attribute`, but `attributes` -> attributes"],
    );
    check(
        "'x'.startWith('y')",
        &["there is no function `startWith`, but `startsWith` -> startsWith"],
    );
    check(
        "Device.driver == ''",
        &["`Device` is not known, the variable is called `device` -> device"],
    );
}

#[test]
fn guards_names_that_some_devices_lack() {
    check(
        "device.attributes['gpu.example.com'].zone == 'z1'",
        &["`zone` is on 1 of 2 devices and an error on the others, which stops the allocation -> \
           device.attributes['gpu.example.com'].?zone.orValue(\"\")"],
    );
    check(
        "has(device.attributes['gpu.example.com'].zone) && \
         device.attributes['gpu.example.com'].zone == 'z1'",
        &[],
    );
}

#[test]
fn compares_objects_with_compare_to() {
    check(
        "device.capacity['gpu.example.com'].memory >= quantity('40Gi')",
        &["quantities are compared with `compareTo` -> \
           device.capacity['gpu.example.com'].memory.compareTo(quantity('40Gi')) >= 0"],
    );
    check(
        "device.attributes['gpu.example.com'].firmware >= '550'",
        &["versions are compared with `compareTo` -> \
           device.attributes['gpu.example.com'].firmware.compareTo(semver('550', true)) >= 0"],
    );
    // No amount can be made of this text.
    check(
        "device.capacity['gpu.example.com'].memory < 'much'",
        &["quantities are compared with `compareTo`"],
    );
    check(
        "device.attributes['gpu.example.com'].firmware.isLessThan('v2')",
        &["versions are compared with versions, not with texts -> semver('v2', true)"],
    );
    check(
        "device.capacity['gpu.example.com'].memory.compareTo('1Gi') > 0",
        &["quantities are compared with quantities, not with texts -> quantity('1Gi')"],
    );
    check(
        "'1.0.0' < device.attributes['gpu.example.com'].firmware",
        &["versions are compared with `compareTo` -> \
           device.attributes['gpu.example.com'].firmware.compareTo(semver('1.0.0')) > 0"],
    );
    check(
        "device.attributes['gpu.example.com'].model.string == 'a100'",
        &["attribute values are used as they are, without `.string` -> "],
    );
}

#[test]
fn mends_constants_that_do_not_parse() {
    let firmware = "device.attributes['gpu.example.com'].firmware";
    for version in ["550.54", "v1.0.0", "01.2.3"] {
        check(
            &format!("{firmware}.isGreaterThan(semver('{version}'))"),
            &[&format!(
                "`{version}` is no full version; a second argument `true` completes it -> \
                 '{version}', true"
            )],
        );
    }
    let memory = "device.capacity['gpu.example.com'].memory";
    for (written, meant) in [("10GB", "10G"), ("10 GiB", "10Gi"), ("10KB", "10k"), ("10gi", "10Gi")]
    {
        check(
            &format!("{memory}.compareTo(quantity('{written}')) >= 0"),
            &[&format!("`{written}` is no quantity, but `{meant}` is one -> \"{meant}\"")],
        );
    }
    for fine in ["quantity('10G')", "quantity('much')", "quantity('')"] {
        check(&format!("{memory}.compareTo({fine}) >= 0"), &[]);
    }
    for fine in ["semver('1.2.3')", "semver('550.54', true)", "semver('new')"] {
        check(&format!("{firmware}.compareTo({fine}) >= 0"), &[]);
    }
}

#[test]
fn names_mistakes_of_writing() {
    check("", &["the expression is empty: write a condition such as `device.driver == \"…\"`"]);
    check("device.driver = 'x'", &["comparison is written `==` -> =="]);
    check("true and false", &["both is written `&&` -> &&"]);
    check("device.driver == 'x", &["the text that begins here has no closing `'` -> 'x'"]);
    check("(true", &["`(` has no closing `)` -> (true)"]);
    check("[(true", &["`(` has no closing `)` -> (true)]"]);
    // What the brackets hold is missing too: closing them would not mend it.
    check("device.attributes[", &["`[` has no closing `]`"]);
    check("f('x", &["the text that begins here has no closing `'`"]);
    check("&& true", &["something is missing before `&&`"]);
    check(
        "device.driver 'x'",
        &["an operator such as `==` or `&&` is missing between `driver` and `'x'`"],
    );
    check("true)", &["`)` closes nothing -> "]);
    check("'a' in ['a' 'b']", &["a comma is missing between `'a'` and `'b'` -> 'a', 'b'"]);
    check(
        "['a'['b' 'c']]",
        &["an operator such as `==` or `&&` is missing between `'b'` and `'c'`"],
    );
    check("device.driver =~ 'a'", &["a pattern is asked for with `.matches(…)`"]);
    check("device['driver'] == 'x'", &["a field of `device` stands after a dot -> device.driver"]);
    check("driver == 'x'", &["`driver` is a field of `device` -> device.driver"]);
    check(
        "device.attributes['gpu.example.com'].model == A100",
        &["`A100` is a name here: a text stands in quotes -> \"A100\""],
    );
    check(
        "device.driver == gpu.example.com",
        &["`gpu.example.com` is a name here: a text stands in quotes -> \"gpu.example.com\""],
    );
    check(
        "device.attributes[gpu.example.com].model == 'a100'",
        &["`gpu.example.com` is a name here: a text stands in quotes -> \"gpu.example.com\""],
    );
    check(
        "device.attributes['gpu.example.com'].model in [a100-sxm, a100-40]",
        &[
            "`a100-sxm` is a name here: a text stands in quotes -> \"a100-sxm\"",
            "`a100-40` is a name here: a text stands in quotes -> \"a100-40\"",
        ],
    );
    // Quotes around the second half alone would make nothing better.
    check(
        "device.attributes['gpu.example.com'].firm-ware == 'x'",
        &["`firm` is on 0 of 2 devices, they publish `firmware`, `index`, `model`, `zone`"],
    );
    check("True", &["`True` is written `true` -> true"]);
    check("gpu.model == 'x'", &[]);
    check("['x'].all(Name, Name == 'x')", &[]);
    check(
        "device.driver.toLowerCase() == 'x'",
        &["there is no function `toLowerCase`, but `lowerAscii` -> lowerAscii"],
    );
    check("true &&", &["something is missing after `&&`"]);
    check(
        "has(device.attributes['gpu.example.com']) && true",
        &["`has` wants a field after a dot: ask whether the key is `in` the map -> \
           'gpu.example.com' in device.attributes"],
    );
    check("1 <> 2", &["unequal is written `!=` -> !="]);
    check("not true", &["the opposite is written `!` -> !"]);
    check("true or false", &["one of two is written `||` -> ||"]);
    check("(true]", &["`(` is closed by `)`, not by `]` -> )"]);
    check("device..driver", &["there is a dot too many -> "]);
    check("device.", &["a name is missing after the dot"]);
}

#[test]
fn names_types_that_differ() {
    let d = "device.attributes['gpu.example.com']";
    let one = |expression: String, expected: &str| check(&expression, &[expected]);
    one(
        format!("{d}.index == '3'"),
        "`index` is published as an int, which is never equal to a string -> 3",
    );
    one(
        format!("3 < {d}.model"),
        "`model` is published as a string, which cannot be compared with a number -> \"3\"",
    );
    one(
        format!("{d}.model != true"),
        "`model` is published as a string, which is always different from a bool -> \"true\"",
    );
    one(
        format!("{d}.model.compareTo(semver('1.0.0')) > 0"),
        "`model` is published as a string, not as a version -> \
         semver(device.attributes['gpu.example.com'].model)",
    );
    one(
        format!("{d}.firmware != '1.2.3'"),
        "versions are compared with `compareTo`, and `!=` with a string is always true -> \
         device.attributes['gpu.example.com'].firmware.compareTo(semver('1.2.3')) != 0",
    );
    one(
        format!("{d}.firmware in ['1.2.3', '2.0.0']"),
        "`firmware` is published as a version, and looking for one in a list of constants fails -> \
         ['1.2.3', '2.0.0'].exists(v, \
         device.attributes['gpu.example.com'].firmware.compareTo(semver(v)) == 0)",
    );
    // A text is no list, whatever the checker knows.
    check(&format!("{d}.model.exists(m, m == 'a')"), &[]);
    one(
        "device.capacity['gpu.example.com'].memory.asInteger() > 3".to_owned(),
        "`memory` may be an amount that has no whole number, such as `1500m` or `100Ti`: \
         `asInteger` then fails, `compareTo` does not",
    );
    check(
        "has(device.attributes.nothing)",
        &[
            "this is true for every domain, because a missing one reads as an empty map: ask \
             whether it is `in device.attributes` -> \"nothing\" in device.attributes",
            "`nothing` is a domain of 0 of 2 devices, they use `gpu.example.com`",
        ],
    );
}

#[test]
fn drivers_that_no_device_has() {
    check("device.driver == 'gpu.example.com'", &[]);
    check(
        "device.driver == 'gpus.example.com'",
        &["`gpus.example.com` is the driver of 0 of 2 devices, `gpu.example.com` of 2 -> \
           'gpu.example.com'"],
    );
    check(
        "\"gpu.exmaple.com\" != device.driver",
        &["`gpu.exmaple.com` is the driver of 0 of 2 devices, `gpu.example.com` of 2 -> \
           \"gpu.example.com\""],
    );
    check(
        "device.driver == 'nic.other.org'",
        &["`nic.other.org` is the driver of 0 of 2 devices, theirs is `gpu.example.com`"],
    );
}

#[test]
fn a_name_that_is_written_with_its_domain_and_again() {
    check(
        "device.attributes['gpu.example.com/index'].index == 3",
        &["domain and name are two keys: first `gpu.example.com`, then `index` -> \
           device.attributes[\"gpu.example.com\"].index"],
    );
}

#[test]
fn results_of_add_belong_on_the_left() {
    let memory = "device.capacity['gpu.example.com'].memory";
    check(
        &format!("quantity('80Gi') == {memory}.add(quantity('40Gi'))"),
        &["the result of `add` is not known on the right of `==`, which then fails: compare with \
           `compareTo` -> quantity('80Gi').compareTo(\
           device.capacity['gpu.example.com'].memory.add(quantity('40Gi'))) == 0"],
    );
    check(
        &format!("{memory} != {memory}.sub(1)"),
        &[
            "the result of `sub` is not known on the right of `!=`, which then is always true: compare \
           with `compareTo` -> device.capacity['gpu.example.com'].memory.compareTo(\
           device.capacity['gpu.example.com'].memory.sub(1)) != 0",
        ],
    );
    check(&format!("{memory}.add(1) == quantity('41Gi')"), &[]);
}
