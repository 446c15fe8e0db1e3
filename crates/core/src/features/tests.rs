use super::*;

fn behavior(release: &str, switched: &[(&str, bool)]) -> Behavior {
    let release = Release::parse(release).unwrap();
    let mut gates = Gates::defaults(release);
    for (name, on) in switched {
        gates.set(Gate::from_name(name).unwrap(), *on);
    }
    Behavior::new(gates, BehaviorMode::AsReleased).unwrap()
}

#[track_caller]
fn variant(release: &str, switched: &[(&str, bool)], expected: Variant) {
    assert_eq!(behavior(release, switched).variant, expected);
}

#[test]
fn releases_are_read_and_printed() {
    assert_eq!(Release::parse("v1.36.2").unwrap(), Release::DEFAULT);
    assert_eq!(Release::parse("1.36").unwrap().to_string(), "1.36.6");
    assert_eq!(Release::parse("1.37.0-alpha").unwrap(), Release::DEVELOPMENT);
    for bad in ["1.33.0", "1.36.7", "2.36.0", "1.36.2.1", "1", "", "1.36.x"] {
        let error = Release::parse(bad).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "unknown Kubernetes release `{bad}`, known are 1.34.0 to 1.34.13, \
                 1.35.0 to 1.35.10, 1.36.0 to 1.36.6, 1.37.0 to 1.37.2"
            )
        );
    }
    for release in Release::OFFERED {
        assert_eq!(Release::parse(&release.to_string()).unwrap(), release);
    }
}

#[test]
fn development_sorts_between_releases() {
    assert!(Release::DEVELOPMENT > Release::parse("1.36.6").unwrap());
    assert!(Release::DEVELOPMENT < Release::parse("1.37.0").unwrap());
}

#[test]
fn backports_count_per_minor_release() {
    let fixed = [(34, 12), (36, 5)];
    let since = |text: &str| Release::parse(text).unwrap().since_any(&fixed);
    assert!(!since("1.34.11"));
    assert!(since("1.34.12"));
    assert!(!since("1.35.10"));
    assert!(!since("1.36.4"));
    assert!(since("1.36.5"));
    assert!(since("1.37.0-alpha"));
}

#[test]
fn default_gates_choose_the_variant() {
    variant("1.34", &[], Variant::Experimental);
    variant("1.35", &[], Variant::Incubating);
    variant("1.36.2", &[], Variant::Incubating);
    variant("1.37", &[], Variant::Incubating);
}

#[test]
fn switched_gates_choose_the_variant() {
    let plain = [("DRAConsumableCapacity", false), ("DRADeviceBindingConditions", false)];
    variant("1.36.2", &plain, Variant::Stable);
    variant("1.35", &[("DRAConsumableCapacity", true)], Variant::Experimental);
    // The plugin of 1.36 does not hand list attributes to the allocator.
    variant("1.36.6", &[("DRAListTypeAttributes", true)], Variant::Incubating);
    variant("1.37", &[("DRAListTypeAttributes", true)], Variant::Experimental);
    variant("1.37", &[("DRAFractionalCapacityRange", true)], Variant::Incubating);
}

#[test]
fn gates_unknown_to_a_release_stay_off() {
    let mut gates = Gates::defaults(Release::parse("1.35").unwrap());
    gates.set(Gate::ListTypeAttributes, true);
    assert!(!gates.enabled(Gate::ListTypeAttributes));
    assert!(gates.known().all(|info| info.gate != Gate::ListTypeAttributes));
}

#[test]
fn features_unknown_to_a_release_do_not_count() {
    let gates = Gates::defaults(Release::DEFAULT);
    let features = AllocatorFeatures {
        derived_attributes: true,
        device_status: true,
        list_type_attributes: true,
        ..Default::default()
    };
    let behavior = Behavior::for_features(gates, features, None).unwrap();
    let known = AllocatorFeatures { list_type_attributes: true, ..Default::default() };
    assert_eq!((behavior.features, behavior.variant), (known, Variant::Experimental));
}

#[test]
fn fixed_behavior_has_none_of_the_bugs() {
    for release in Release::OFFERED {
        let fixed = Behavior::new(Gates::defaults(release), BehaviorMode::Fixed).unwrap();
        let left: Vec<_> = fixed.known_bugs().map(|bug| bug.switch).collect();
        assert_eq!(left, Vec::<&str>::new(), "{release}");
    }
}

#[test]
fn later_patches_lose_bugs() {
    let count = |release| behavior(release, &[]).known_bugs().count();
    assert!(count("1.36.0") > count("1.36.2"));
    assert!(count("1.36.2") > count("1.36.6"));
    assert!(count("1.36.6") > count("1.37"));
}

#[test]
fn known_bugs_say_where_they_are_fixed() {
    for release in Release::OFFERED {
        for bug in behavior(&release.to_string(), &[]).known_bugs() {
            let fixes: Vec<&str> = bug.fixed_in.split(", ").collect();
            assert!(
                fixes.iter().all(|fix| {
                    fix.starts_with("1.38")
                        || Release::parse(fix).is_ok_and(|fix| fix > release)
                        || fix.split('.').nth(1) != release.to_string().split('.').nth(1)
                }),
                "{release} {}: {}",
                bug.switch,
                bug.fixed_in
            );
            let number = bug.reference.strip_prefix("kubernetes/kubernetes#");
            let number = number.and_then(|number| number.parse::<u32>().ok());
            assert!(number.is_some(), "{}: {}", bug.switch, bug.reference);
        }
    }
}
