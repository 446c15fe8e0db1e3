//! The shapes of `dra-playground-oracle bench alloc` as WebAssembly, for `cargo xtask bench`.

use dra_playground_core::allocator::Pruning;
use dra_playground_core::conformance::alloc::Scene;
use dra_playground_core::selector::Selectors;
use dra_playground_oracle::bench::alloc::{attempt, scene, shapes};
use wasm_bindgen::prelude::wasm_bindgen;

/// One shape, ready to be timed.
#[derive(Debug)]
#[wasm_bindgen]
pub struct Shape {
    name: &'static str,
    scene: Scene,
    selectors: Selectors,
}

/// The shape at a position for a release, e.g. `1.37.2`; nothing after the last one.
#[wasm_bindgen]
pub fn shape(at: usize, release: &str) -> Option<Shape> {
    let (name, record) = shapes().into_iter().nth(at)?;
    let scene = scene(record, release).ok()?;
    let selectors = Selectors::new(&scene.behavior.cel);
    Some(Shape { name, scene, selectors })
}

#[wasm_bindgen]
impl Shape {
    /// Its name in the report.
    pub fn name(&self) -> String {
        self.name.to_owned()
    }

    /// One attempt over all nodes; says how many fit.
    pub fn attempt(&self) -> f64 {
        attempt(&self.scene, &self.selectors, Pruning::Proven)
    }
}
