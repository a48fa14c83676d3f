//! What is refused before a single probe goes.

use workload_scan::{PortSet, Scan, Settings, Targets};

fn chain(error: &workload_scan::Error) -> String {
    let cause = std::error::Error::source(error).map(ToString::to_string);
    format!("{error}: {}", cause.unwrap_or_default())
}

#[test]
fn ports_that_make_no_sense_say_what_to_write_instead() {
    let errors = [
        ("9-1", "`9-1` ends before it begins; write `1-9`"),
        ("1-65536", "`65536` is no port"),
        ("-5", "name a port"),
        ("", "name a port"),
        ("7,7", "port 7 is named twice"),
    ];
    for (text, wanted) in errors {
        let error = chain(&text.parse::<PortSet>().unwrap_err());
        assert!(error.starts_with("nothing was scanned: "), "{error}");
        assert!(error.contains(wanted), "{error}");
    }
}

#[test]
fn a_name_that_nobody_has_and_a_block_that_is_too_wide_are_errors() {
    for (text, wanted) in [
        ("127.0.0.0/8", "65536 addresses"),
        ("nobody.invalid", "`nobody.invalid` has no address"),
    ] {
        // What resolvers of machines say of such names differs.
        let error = Targets::parse_with(text, &mut |_name| Ok(Vec::new()));
        let error = chain(&error.unwrap_err());
        assert!(error.starts_with("nothing was scanned: "), "{error}");
        assert!(error.contains(wanted), "{error}");
    }
}

#[test]
fn more_than_a_scan_has_room_for_is_an_error() {
    let targets = Targets::parse("127.1.0.0/16").unwrap();
    let error = Scan::new(targets, PortSet::all(), Settings::default()).unwrap_err();
    assert!(
        chain(&error).contains("65536 targets with 65535 ports each"),
        "{error}"
    );
}
