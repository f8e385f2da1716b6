//! Build script of all crates above `margay-smt`, which their `build.rs` links to: executables find the libz3 that its build
//! script has provided.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let places = std::env::var("DEP_MARGAY_Z3_RPATH").unwrap_or_default();
    println!("cargo:rustc-link-arg=-Wl,-rpath,{places}");
}
