//! Where the next page is: the `Link` header. Tested below.

use url::Url;

/// Returns the address of the next page, where there is one and it can be read.
pub(super) fn next_page(header: &str) -> Option<Url> {
    // An address holds no comma that is not written as `%2C`, by how GitHub writes it; one that does ends in nothing
    // that can be parsed, and is no page.
    let links = header.split(',').filter_map(|link| {
        let (address, parameters) = link.trim().strip_prefix('<')?.split_once('>')?;
        let is_next = parameters.split(';').any(|parameter| {
            let (name, value) = parameter.split_once('=').unwrap_or_default();
            name.trim().eq_ignore_ascii_case("rel") && value.trim().trim_matches('"') == "next"
        });
        is_next.then_some(address)
    });
    links.filter_map(|address| Url::parse(address).ok()).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page_is_found_among_others() {
        let found = |header: &str| next_page(header).map(String::from);
        let header = r#"<https://h/r?page=1>; rel="prev", <https://h/r?page=3>; rel="next", <https://h/r?page=9>; rel="last""#;
        assert_eq!(found(header).as_deref(), Some("https://h/r?page=3"));
        assert_eq!(
            found("<https://h/r>; REL=next").as_deref(),
            Some("https://h/r")
        );
        for none in [
            "",
            "<",
            "<>; rel=\"next\"",
            "https://h/r; rel=next",
            r#"<https://h/r>; rel="last""#,
            r#"<h>; rel="next""#,
        ] {
            assert_eq!(found(none), None, "{none:?}");
        }
    }
}
