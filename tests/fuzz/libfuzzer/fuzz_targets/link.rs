#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| dra_playground_fuzz::run("link", bytes));
