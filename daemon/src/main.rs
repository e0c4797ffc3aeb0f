//! The program: see [`flagfall::cli`].

fn main() -> std::process::ExitCode {
    flagfall::cli::main()
}
