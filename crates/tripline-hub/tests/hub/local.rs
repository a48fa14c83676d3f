//! Handing files out over loopback: what is asked for by its name, and nothing else.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use tripline_hub::Local;

/// Asks once, in these very words but for the port, and returns the answer.
fn asked(request: &str) -> String {
    let files = ["index.html", "data/list.js", "b/get/index.html", ".hidden"];
    let files = files.map(|name| (name.to_owned(), format!("this is {name}").into_bytes()));
    let files = BTreeMap::from(files);
    let local = Local::listen(&files, 0).unwrap();
    let address = local.address();
    let place = address
        .strip_prefix("http://")
        .unwrap()
        .trim_end_matches('/');
    let mut stream = TcpStream::connect(place).unwrap();
    stream
        .write_all(request.replace("HERE", place).as_bytes())
        .unwrap();
    local.answer_one().unwrap();
    let mut said = String::new();
    stream.read_to_string(&mut said).unwrap();
    said
}

fn got(target: &str) -> String {
    asked(&format!("GET {target} HTTP/1.1\r\nHost: HERE\r\n\r\n"))
}

#[test]
fn a_file_is_handed_out_by_its_name_and_a_folder_by_its_page() {
    for (target, name, kind) in [
        ("/", "index.html", "text/html; charset=utf-8"),
        ("/?q=1", "index.html", "text/html; charset=utf-8"),
        (
            "/data/list.js",
            "data/list.js",
            "text/javascript; charset=utf-8",
        ),
        ("/b/get/", "b/get/index.html", "text/html; charset=utf-8"),
    ] {
        let said = got(target);
        assert!(said.starts_with("HTTP/1.1 200 OK\r\n"), "{target}: {said}");
        assert!(
            said.contains(&format!("Content-Type: {kind}\r\n")),
            "{target}: {said}"
        );
        assert!(
            said.ends_with(&format!("\r\n\r\nthis is {name}")),
            "{target}: {said}"
        );
    }
    let said = got("/b/get");
    assert!(said.contains("Location: /b/get/\r\n"), "{said}");
}

#[test]
fn who_asks_for_the_head_gets_no_more() {
    for host in ["localhost:PORT", "localhost:1", "localhost", "HERE0"] {
        let said = asked(&format!("HEAD / HTTP/1.1\r\nhost: {host}\r\n\r\n"));
        assert!(
            said.starts_with("HTTP/1.1 403"),
            "`{host}` is no port of ours: {said}"
        );
    }
    let said = asked("HEAD / HTTP/1.1\r\nhost: HERE\r\n\r\n");
    assert!(said.starts_with("HTTP/1.1 200 OK\r\n"), "{said}");
    assert!(said.contains("Content-Length: 18\r\n"), "{said}");
    assert!(said.ends_with("\r\n\r\n"), "{said}");
}

#[test]
fn nothing_else_is_answered() {
    for target in [
        "/../Cargo.toml",
        "/%2e%2e/x",
        "//etc/passwd",
        "/b",
        "/data/",
        "http://x/",
        "*",
    ] {
        let said = got(target);
        assert!(
            said.starts_with("HTTP/1.1 404 Not Found\r\n"),
            "{target}: {said}"
        );
    }
    for (request, status) in [
        (
            "POST / HTTP/1.1\r\nHost: HERE\r\n\r\n",
            "405 Method Not Allowed",
        ),
        (
            "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
            "403 Forbidden",
        ),
        ("GET / HTTP/1.1\r\n\r\n", "403 Forbidden"),
        ("GET /\r\n\r\n", "400 Bad Request"),
        ("\u{0}\u{1}\r\n\r\n", "400 Bad Request"),
    ] {
        let said = asked(request);
        assert!(
            said.starts_with(&format!("HTTP/1.1 {status}\r\n")),
            "{request:?}: {said}"
        );
    }
}

/// The data are scripts, which any page may run that may load them.
#[test]
fn pages_of_others_get_no_data() {
    let by = |target: &str, site: &str| {
        asked(&format!(
            "GET {target} HTTP/1.1\r\nHost: HERE\r\n{site}\r\n"
        ))
    };
    for site in [
        "Sec-Fetch-Site: cross-site\r\n",
        "sec-fetch-site: same-site\r\n",
        "Sec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site\r\n",
    ] {
        for target in ["/data/list.js", "/data/list.js?/", "/data/none.js"] {
            let said = by(target, site);
            assert!(
                said.starts_with("HTTP/1.1 403 "),
                "{target}, {site}: {said}"
            );
            assert!(!said.contains("this is data"), "{target}, {site}: {said}");
        }
        for target in ["/", "/b/get/", "/index.html"] {
            let said = by(target, site);
            assert!(
                said.starts_with("HTTP/1.1 200 "),
                "{target}, {site}: {said}"
            );
        }
    }
    for site in [
        "",
        "Sec-Fetch-Site: same-origin\r\n",
        "Sec-Fetch-Site: none\r\n",
    ] {
        let said = by("/data/list.js", site);
        assert!(said.ends_with("this is data/list.js"), "{site}: {said}");
    }
    for target in ["/", "/data/list.js", "/none"] {
        let said = got(target);
        let policy = "\r\nCross-Origin-Resource-Policy: same-origin\r\n";
        assert!(said.contains(policy), "{target}: {said}");
    }
}

#[test]
fn a_port_that_is_taken_is_an_error_and_other_machines_are_not_listened_to() {
    let files = BTreeMap::new();
    let local = Local::listen(&files, 0).unwrap();
    // The address is the one that the system says is listened at.
    let address = local.address();
    assert!(address.starts_with("http://127.0.0.1:"), "{address}");
    let port = address.trim_end_matches('/').rsplit(':').next().unwrap();
    Local::listen(&files, port.parse().unwrap()).expect_err("it is taken");
}
