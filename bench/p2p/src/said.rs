//! What the programs say of what they measured, a line of JSON each.
//!
//! Tests: lines of either kind, and lines that are none.

use serde_json::Value;

/// Why nothing was measured.
pub(crate) type Failure = Box<dyn std::error::Error + Send + Sync>;

/// One exchange, its times in nanoseconds from its beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchanged {
    /// The client had handed over the last byte of the upload.
    pub accepted: u64,
    /// The server had said that it has the upload.
    pub confirmed: u64,
    /// The last byte of the download was here.
    pub done: u64,
    /// The digest of the download, where it was asked for.
    pub digest: Option<String>,
}

/// Substreams that were opened at once: how long each took from the first request, in nanoseconds, in rising order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened(pub Vec<u64>);

fn line(line: &str) -> Result<Value, Failure> {
    serde_json::from_str(line).map_err(|error| format!("`{line}` is no JSON: {error}").into())
}

fn number(of: &Value, name: &str) -> Result<u64, Failure> {
    let number = of[name].as_u64();
    number.ok_or_else(|| format!("`{of}` has no number `{name}`").into())
}

impl Exchanged {
    pub(crate) fn read(text: &str) -> Result<Self, Failure> {
        let said = line(text)?;
        Ok(Self {
            accepted: number(&said, "accepted")?,
            confirmed: number(&said, "confirmed")?,
            done: number(&said, "done")?,
            digest: said["digest"].as_str().map(str::to_owned),
        })
    }
}

/// Reads what a server says of an exchange: the digest of the upload.
pub(crate) fn digest_of_upload(text: &str) -> Result<String, Failure> {
    let said = line(text)?;
    let digest = said["digest"].as_str();
    Ok(digest
        .ok_or_else(|| format!("`{said}` has no text `digest`"))?
        .to_owned())
}

impl Opened {
    pub(crate) fn read(text: &str) -> Result<Self, Failure> {
        let said = line(text)?;
        let each = said["each"].as_array();
        let each = each.map(|each| each.iter().map(Value::as_u64).collect::<Option<Vec<_>>>());
        let mut each = each
            .flatten()
            .ok_or_else(|| format!("`{said}` has no list `each`"))?;
        each.sort_unstable();
        Ok(Self(each))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_what_is_none_is_shown() {
        let said = r#"{"upload":7,"download":1,"accepted":1,"confirmed":2,"done":3,"sends":null,"digest":null}"#;
        let times = Exchanged {
            accepted: 1,
            confirmed: 2,
            done: 3,
            digest: None,
        };
        assert_eq!(Exchanged::read(said).unwrap(), times);
        let said = said.replace(r#""digest":null"#, r#""digest":"1f""#);
        assert_eq!(
            Exchanged::read(&said).unwrap().digest.as_deref(),
            Some("1f")
        );
        assert_eq!(digest_of_upload(&said).unwrap(), "1f");
        let opened = Opened::read(r#"{"substreams":3,"all":9,"each":[5,9,7]}"#).unwrap();
        assert_eq!(opened.0, [5, 7, 9]);
        for odd in [
            "",
            "error",
            "{}",
            r#"{"accepted":-1}"#,
            r#"{"each":[1,"2"]}"#,
        ] {
            let (one, two) = (Exchanged::read(odd), Opened::read(odd));
            assert!(one.is_err() && two.is_err(), "{odd}");
            assert!(digest_of_upload(odd).is_err(), "{odd}");
            assert!(
                two.unwrap_err()
                    .to_string()
                    .contains(odd.trim_matches(['{', '}']))
            );
        }
    }
}
