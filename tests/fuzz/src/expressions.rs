//! Laws of CEL: any text compiles or is refused, and every way of running it says the same.

use dra_playground_cel::quantity::{Format, Quantity};
use dra_playground_cel::semver::Version;
use dra_playground_cel::types::Type;
use dra_playground_cel::value::Value;
use dra_playground_cel::{Dialect, Env, compile};
use dra_playground_core::api::{self, ObjectValue};
use dra_playground_core::features::{CelSwitches, Gates, Release};
use dra_playground_core::selector::{DeviceInput, Selectors, hints};

/// A selector as it is pasted: both verdicts, hints, value, trace and costs on each device.
pub(crate) fn cel(bytes: &[u8]) {
    let text = crate::text(bytes);
    let objects = api::read(SLICE).objects;
    let devices: Vec<DeviceInput<'_>> = objects
        .iter()
        .filter_map(|object| match &object.value {
            ObjectValue::ResourceSlice(slice) => Some(slice),
            _ => None,
        })
        .flat_map(|slice| slice.devices.iter().map(|device| DeviceInput::of(&slice.driver, device)))
        .collect();
    assert_eq!(devices.len(), 2);
    SELECTORS.with(|all| {
        for selectors in all {
            let _ = selectors.admission(&text);
            let compiled = selectors.compile(&text);
            let _ = (compiled.max_cost(), compiled.output_type());
            let _ = hints(selectors, &text, &devices);
            for device in &devices {
                let answer = compiled.answer(device);
                assert_eq!(compiled.matches(device), answer.result, "{text:?}");
                assert_eq!(compiled.trace(device).cost, answer.cost, "{text:?}");
            }
        }
    });
}

thread_local! {
    /// The environments of the oldest and of the newest release.
    static SELECTORS: [Selectors; 2] = [0, Release::OFFERED.len() - 1].map(|at| {
        let release = Release::OFFERED.get(at).copied().unwrap_or(Release::DEFAULT);
        Selectors::new(&CelSwitches::of(&Gates::defaults(release), false))
    });
}

const SLICE: &str = "apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: gpu.example.com
  pool: {name: p, generation: 1, resourceSliceCount: 1}
  nodeName: n
  devices:
  - name: a
    allowMultipleAllocations: true
    attributes:
      model: {string: A100}
      index: {int: 3}
      healthy: {bool: true}
      driverVersion: {version: 1.2.3}
      resource.kubernetes.io/pcieRoot: {string: 'pci0000:00'}
    capacity: {memory: {value: 40Gi}, other.example.com/slots: {value: 1500m}}
  - {name: b}
";

/// A quantity and a version: what is printed reads as the same.
pub(crate) fn quantity(bytes: &[u8]) {
    let text = crate::text(bytes);
    if let Ok(quantity) = text.parse::<Quantity>() {
        // Upstream has no suffix beyond E, and prints what is larger without one.
        let large = quantity.to_f64().abs() >= 1e21;
        for printed in [quantity.to_string(), quantity.canonical()] {
            let again: Result<Quantity, _> = printed.parse();
            assert!(large || again.as_ref() == Ok(&quantity), "{text:?} printed {printed:?}");
        }
        let zero = Quantity::from_i64(0, Format::DecimalSI);
        assert_eq!(quantity.add(&zero), quantity, "{text:?}");
        assert!(quantity.sub(&quantity).is_zero(), "{text:?}");
        let _ =
            (quantity.value_rounded_up(), quantity.as_i64(), quantity.to_f64(), quantity.nanos());
    }
    let _ = Version::parse_normalized(&text);
    if let Ok(version) = Version::parse(&text) {
        assert_eq!(Version::parse(&version.to_string()).as_ref(), Ok(&version), "{text:?}");
    }
}

/// A pattern in the first line, searched in the rest; what is found stands in the text.
pub(crate) fn regex(bytes: &[u8]) {
    let (pattern, source) = crate::two_texts(bytes);
    let values = [Value::string(&*pattern), Value::string(&*source)];
    let run = |expression: &str| {
        let env = Env::new(Dialect::default());
        let env = env.variable("p", Type::String).variable("s", Type::String);
        let compiled = compile(&env, expression).ok()?;
        let program = compiled.plan(&["p".into(), "s".into()], 1_000_000).ok()?;
        program.evaluate(&values).outcome.ok()
    };
    let matches = run("s.matches(p)");
    if let Some(Value::String(found)) = run("s.find(p)") {
        assert!(source.contains(&*found), "{pattern:?} in {source:?}");
        let refused = matches!(matches, Some(Value::Bool(false)));
        assert!(found.is_empty() || !refused, "{pattern:?} in {source:?}");
    }
    let _ = run("s.findAll(p)");
}
