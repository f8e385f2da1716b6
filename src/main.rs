fn main() -> std::process::ExitCode {
    margay::cli::main()
}
