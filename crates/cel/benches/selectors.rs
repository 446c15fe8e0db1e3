//! Time to compile a typical selector and to evaluate it on one device.
//!
//! `cargo bench -p dra-playground-cel` prints the median of many rounds for each expression. The
//! numbers to protect: 40 µs to compile, 0.7 µs to evaluate.

#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    reason = "a bench prints its measurements"
)]

use std::hint::black_box;
use std::rc::Rc;
use std::time::Instant;

use dra_playground_cel::types::{QUANTITY, Type};
use dra_playground_cel::value::{Map, Value};
use dra_playground_cel::{Dialect, Env, StructType, compile};

const SELECTORS: [&str; 8] = [
    "device.driver == \"gpu.example.com\"",
    "device.attributes[\"gpu.example.com\"].model == \"A100-SXM4\"",
    "device.driver == \"gpu.example.com\" && device.attributes[\"gpu.example.com\"].type == \"gpu\"",
    "device.attributes[\"gpu.example.com\"].index < 4 && device.attributes[\"gpu.example.com\"].healthy",
    "device.capacity[\"gpu.example.com\"].memory.compareTo(quantity(\"40Gi\")) >= 0",
    "device.attributes[\"gpu.example.com\"].driverVersion.compareTo(semver(\"1.2.0\")) >= 0",
    "device.attributes[\"gpu.example.com\"].model.matches(\"^a100|A100\")",
    "[\"A100-SXM4\", \"H100\"].exists(m, device.attributes[\"gpu.example.com\"].model == m)",
];

fn env() -> Env {
    let by_domain = |value| Type::map(Type::String, Type::map(Type::String, value));
    let fields = [
        ("driver", Type::String),
        ("attributes", by_domain(Type::Any)),
        ("capacity", by_domain(Type::Struct(QUANTITY))),
        ("allowMultipleAllocations", Type::Bool),
    ];
    let name = "kubernetes.DRADevice";
    let structure = StructType { name, fields: fields.into_iter().collect() };
    Env::new(Dialect::default()).structure(structure).variable("device", Type::Struct(name))
}

fn map(entries: impl IntoIterator<Item = (&'static str, Value)>) -> Map {
    entries.into_iter().map(|(key, value)| (Value::string(key), value)).collect()
}

fn device() -> Value {
    let version = dra_playground_cel::semver::Version::parse("1.2.3").unwrap();
    let attributes = map([
        ("model", Value::string("A100-SXM4")),
        ("index", Value::Int(3)),
        ("healthy", Value::Bool(true)),
        ("type", Value::string("gpu")),
        ("driverVersion", Value::Semver(Rc::new(version))),
        ("uuid", Value::string("gpu-18db0e85-99e9-c746-8531-ffeb86328b39")),
    ]);
    let capacity = map([("memory", Value::quantity("80Gi".parse().unwrap()))]);
    let domains = |inner: Map| {
        let outer = map([("gpu.example.com", Value::Map(Rc::new(inner)))]);
        Value::Map(Rc::new(outer.with_default(Value::Map(Rc::default()))))
    };
    Value::Map(Rc::new(map([
        ("driver", Value::string("gpu.example.com")),
        ("allowMultipleAllocations", Value::Bool(false)),
        ("attributes", domains(attributes)),
        ("capacity", domains(capacity)),
    ])))
}

/// Median nanoseconds of one call, over many rounds.
fn median(calls: u32, mut body: impl FnMut()) -> f64 {
    let mut rounds: Vec<f64> = (0..41)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..calls {
                body();
            }
            start.elapsed().as_nanos() as f64 / f64::from(calls)
        })
        .collect();
    rounds.sort_by(f64::total_cmp);
    rounds.get(20).copied().unwrap_or(0.0)
}

fn main() {
    let env = env();
    let device = [device()];
    println!("{:>10} {:>10}  expression", "compile", "evaluate");
    let mut totals = (0.0, 0.0);
    for text in SELECTORS {
        let compiling = median(200, || {
            let expression = compile(&env, black_box(text)).unwrap();
            black_box(expression.plan(&["device".into()], 1_000_000).unwrap());
        });
        let program = compile(&env, text).unwrap().plan(&["device".into()], 1_000_000).unwrap();
        let evaluating = median(2_000, || {
            black_box(program.evaluate(black_box(&device)));
        });
        println!("{:>7.2} µs {:>7.3} µs  {text}", compiling / 1000.0, evaluating / 1000.0);
        totals = (totals.0 + compiling, totals.1 + evaluating);
    }
    let count = SELECTORS.len() as f64 * 1000.0;
    println!("{:>7.2} µs {:>7.3} µs  mean", totals.0 / count, totals.1 / count);
}
