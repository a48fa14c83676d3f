//! What GitHub says about a refusal, and what to do about it. Tested below.

use serde::Deserialize;
use serde_json::Value;

use crate::text::shown;

/// The most of what GitHub says that a message repeats.
pub(super) const CHARS_MAX: usize = 300;

/// How GitHub words an error.
#[derive(Deserialize)]
struct ErrorBody {
    message: String,
    /// A list as a rule, and a text now and then.
    #[serde(default)]
    errors: Value,
}

/// Returns what a refusal says, safe to show.
pub(super) fn of(body: &[u8]) -> String {
    let Ok(error) = serde_json::from_slice::<ErrorBody>(body) else {
        return "nothing that can be read".to_owned();
    };
    let listed = error
        .errors
        .as_array()
        .map_or(std::slice::from_ref(&error.errors), Vec::as_slice);
    let details = listed.iter().filter_map(detail);
    let parts: Vec<String> = std::iter::once(error.message.clone())
        .chain(details)
        .collect();
    shown(&parts.join("; "), CHARS_MAX)
}

/// Returns what one of several errors says: words, or else what of the request is wrong in which way. A code is GitHub's
/// word for the way, such as `missing_field`.
fn detail(error: &Value) -> Option<String> {
    let text = |name: &str| error.get(name).and_then(Value::as_str);
    if let Some(words) = error.as_str().or_else(|| text("message")) {
        return Some(words.to_owned());
    }
    let code = text("code")?;
    Some(match text("field").or_else(|| text("resource")) {
        Some(what) => format!("`{what}` is {code}"),
        None => code.to_owned(),
    })
}

/// Returns what to do about a refusal, where that is known. Of some tokens GitHub says which rights it would take.
pub(super) fn hint(
    status: u16,
    message: &str,
    needs: &str,
    accepted: Option<&str>,
) -> Option<String> {
    let takes = accepted.map_or(String::new(), |rights| {
        format!("GitHub would take `{}`; ", shown(rights, CHARS_MAX))
    });
    let hint = match status {
        401 => "the token is not accepted: see that it has not expired and belongs to this GitHub"
            .to_owned(),
        403 if message.contains("locked") => {
            "unlock the conversation, or let it be without a comment".to_owned()
        }
        403 => format!(
            "{takes}give the job `permissions: {{ {needs} }}`; a run caused by a fork or by Dependabot never gets more than reading, \
             so publish from a `workflow_run`"
        ),
        404 => format!(
            "see that it exists; GitHub says the same where the token may not see it, which takes `permissions: {{ {needs} }}`"
        ),
        301 | 302 | 307 | 308 => {
            "the repository has moved: see that `GITHUB_REPOSITORY` is its present name".to_owned()
        }
        _ => return None,
    };
    Some(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_whole_short_and_harmless() {
        for (body, expected) in [
            (r#"{"message":"Not Found"}"#, "Not Found"),
            (
                r#"{"message":"Validation Failed","errors":[{"message":"No commits"},"x",{"code":"y"},7,{"field":"head","code":"invalid"}]}"#,
                "Validation Failed; No commits; x; y; `head` is invalid",
            ),
            (
                r#"{"message":"Validation Failed","errors":[{"resource":"Label","code":"missing"},{"field":"body"},{"code":7}]}"#,
                "Validation Failed; `Label` is missing",
            ),
            (
                r#"{"message":"No","errors":[{"message":"Body is too long","resource":"IssueComment","code":"unprocessable","field":"data"}]}"#,
                "No; Body is too long",
            ),
            (
                "{\"message\":\"No\",\"errors\":[{\"code\":\"\\u001b[2J\\n::error::a\"}]}",
                "No; \\u{1b}[2J\\n::error::a",
            ),
            (
                r#"{"message":"No","errors":{"code":"custom"}}"#,
                "No; custom",
            ),
            (
                "{\"message\":\"a\\u001b[2Jb\\n::error::c\"}",
                "a\\u{1b}[2Jb\\n::error::c",
            ),
            (r#"{"message":"No","errors":"because"}"#, "No; because"),
            ("<html>502</html>", "nothing that can be read"),
            ("", "nothing that can be read"),
        ] {
            assert_eq!(of(body.as_bytes()), expected);
        }
        let long = format!(r#"{{"message":"{}"}}"#, "x".repeat(100_000));
        assert_eq!(of(long.as_bytes()).chars().count(), CHARS_MAX + 1);
    }

    #[test]
    fn refusals_that_can_be_mended_say_how() {
        let hint = |status, message| hint(status, message, "pull-requests: write", None);
        let missing = hint(403, "Resource not accessible by integration").unwrap();
        assert!(
            missing.contains("permissions: { pull-requests: write }"),
            "{missing}"
        );
        assert!(
            hint(404, "Not Found")
                .unwrap()
                .contains("pull-requests: write")
        );
        assert!(hint(401, "Bad credentials").unwrap().contains("expired"));
        assert!(hint(403, "issue is locked").unwrap().contains("unlock"));
        assert!(
            hint(301, "Moved Permanently")
                .unwrap()
                .contains("GITHUB_REPOSITORY")
        );
        assert_eq!(hint(422, "Validation Failed"), None);
        let said = super::hint(403, "No", "checks: write", Some("checks=write; a\u{1b}=b"));
        let start = "GitHub would take `checks=write; a\\u{1b}=b`; give the job `permissions: { checks: write }`";
        assert!(said.as_ref().unwrap().starts_with(start), "{said:?}");
    }
}
