//! Links without the Rust runtime: the C library calls `main`, nothing else is there.

fn main() {
    println!("cargo::rustc-link-arg-bins=-Wl,--gc-sections");
    println!("cargo::rerun-if-changed=build.rs");
}
