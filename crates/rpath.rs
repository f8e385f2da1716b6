//! Build script of all crates above `margay-smt`: executables find the libz3 that its build script has provided.

fn main() {
    println!("cargo:rerun-if-changed=../rpath.rs");
    let places = std::env::var("DEP_MARGAY_Z3_RPATH").unwrap_or_default();
    println!("cargo:rustc-link-arg=-Wl,-rpath,{places}");
}
