use super::*;

#[test]
fn paths_lead_to_types() {
    let at = |path: &[&str], versions| type_at(&RESOURCE_CLAIM, path, versions, 36);
    let exactly = at(&["spec", "devices", "requests", "0", "exactly"], Versions::V1);
    let Some(Type::Struct(table)) = exactly else { panic!("{exactly:?}") };
    assert_eq!(table.name, "ExactDeviceRequest");
    assert!(at(&["spec", "devices", "requests", "0", "exactly"], Versions::V1BETA1).is_none());
    let mode = at(&["spec", "devices", "requests", "0", "allocationMode"], Versions::V1BETA1);
    assert!(matches!(mode, Some(Type::Enum("DeviceAllocationMode", ["ExactCount", "All"]))));
    let value = type_at(
        &RESOURCE_SLICE,
        &["spec", "devices", "0", "capacity", "memory", "value"],
        Versions::V1,
        36,
    );
    assert!(matches!(value, Some(Type::Quantity)));
}

/// Walks every table that can be reached.
fn walk(table: &'static Struct, seen: &mut Vec<&'static str>) {
    if seen.contains(&table.name) {
        return;
    }
    seen.push(table.name);
    for field in table.fields {
        let (name, doc) = (field.name, field.doc);
        assert!(!name.is_empty() && doc.ends_with('.'), "{}.{name}: {doc:?}", table.name);
        for minor in 30..40 {
            for versions in [Versions::V1, Versions::V1BETA2, Versions::V1BETA1] {
                let same = |other: &&Field| other.name == name && other.exists(versions, minor);
                let count = table.fields.iter().filter(same).count();
                assert!(count <= 1, "{}.{name} is written twice", table.name);
            }
        }
        let mut ty = field.ty;
        loop {
            match ty {
                Type::List(inner) | Type::Map(inner) => ty = *inner,
                Type::Struct(inner) => {
                    walk(inner, seen);
                    break;
                }
                _ => break,
            }
        }
    }
}

#[test]
fn every_field_is_written_once_and_explained() {
    let mut seen = Vec::new();
    let roots: [&'static Struct; 16] = [
        &RESOURCE_SLICE,
        &RESOURCE_CLAIM,
        &RESOURCE_CLAIM_TEMPLATE,
        &DEVICE_CLASS,
        &DEVICE_TAINT_RULE,
        &POD,
        &NODE,
        &NAMESPACE,
        &DEPLOYMENT,
        &REPLICA_SET,
        &REPLICATION_CONTROLLER,
        &STATEFUL_SET,
        &DAEMON_SET,
        &JOB,
        &CRON_JOB,
        &SCENARIO,
    ];
    for root in roots {
        walk(root, &mut seen);
    }
    assert!(seen.len() > 40, "{seen:?}");
}
