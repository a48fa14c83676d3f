//! The words that come before those of any implementation.

use std::io;
use std::process::Command;

use workload_p2p::cli::HELP;

const PROGRAM: &str = env!("CARGO_BIN_EXE_peers-p2p");

#[test]
fn help_names_the_implementations_and_what_each_takes() -> io::Result<()> {
    for word in ["-h", "--help", "help"] {
        let output = Command::new(PROGRAM).arg(word).output()?;
        assert!(output.status.success(), "{word}");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains("`ours`, `litep2p` or `libp2p`"), "{said}");
        assert!(said.ends_with(HELP), "{said}");
    }
    Ok(())
}

#[test]
fn nobody_is_run_where_none_is_named() -> io::Result<()> {
    for words in [&["another", "server"][..], &[]] {
        let output = Command::new(PROGRAM).args(words).output()?;
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.starts_with("error: nothing was done: "), "{said}");
        assert!(said.ends_with(HELP), "{said}");
    }
    Ok(())
}
