//! Colours for a terminal that understands them. Words carry the meaning; a colour only helps to find it.
//!
//! Tested by a snapshot, and by the property that a plain view holds no control character.

use tripline_model::Verdict;

use crate::Color;
use crate::outline::Status;
use crate::standing::Standing;

/// What a colour says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    /// Nothing.
    Plain,
    /// Look here.
    Strong,
    /// For those who look closer.
    Faint,
    /// For the better.
    Good,
    /// Unsure.
    Doubtful,
    /// For the worse.
    Bad,
}

impl Tone {
    /// Returns the tone of what a finding counts as.
    pub(crate) fn of(standing: Standing) -> Self {
        match standing {
            Standing::Is(Verdict::Broken | Verdict::Regressed) | Standing::OutsideBudget => {
                Self::Bad
            }
            Standing::Is(Verdict::Removed | Verdict::Inconclusive) => Self::Doubtful,
            Standing::Is(Verdict::Improved) => Self::Good,
            Standing::Is(Verdict::Added | Verdict::Unchanged) | Standing::Accepted => Self::Plain,
            Standing::Undecided => Self::Faint,
        }
    }

    /// Returns the tone of the whole.
    pub(crate) fn of_status(status: Status) -> Self {
        match status {
            Status::Pass => Self::Good,
            Status::Warn => Self::Doubtful,
            Status::Fail | Status::Broken => Self::Bad,
        }
    }

    /// Returns the parameters of the escape sequence.
    fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Strong => "1",
            Self::Faint => "2",
            Self::Good => "32",
            Self::Doubtful => "33",
            Self::Bad => "1;31",
        }
    }
}

/// Returns a text in a tone.
pub(crate) fn paint(text: &str, tone: Tone, color: Color) -> String {
    if color == Color::Plain || tone == Tone::Plain || text.is_empty() {
        return text.to_owned();
    }
    ["\u{1b}[", tone.code(), "m", text, "\u{1b}[0m"].concat()
}
