//! Where a program spent what it took: calls within calls, each with its cost.

/// A function as it was called from where it stands, and what it called in its turn.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Frame {
    /// The function's name, as the profile gives it.
    pub name: String,
    /// What it cost with all that it called.
    pub cost: u64,
    /// What it called, no name twice.
    pub calls: Vec<Self>,
}

/// A profile of one program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// What is counted: `instructions`, `samples`.
    pub unit: String,
    /// All of the program.
    pub root: Frame,
}

impl Frame {
    /// Returns a function that has cost nothing yet.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    /// Returns the call of a function, which is added where there is none.
    pub fn call(&mut self, name: &str) -> &mut Self {
        let at = self.calls.iter().position(|call| call.name == name);
        let at = at.unwrap_or_else(|| {
            self.calls.push(Self::new(name));
            self.calls.len() - 1
        });
        &mut self.calls[at]
    }

    /// Returns the call of a function, if there is one.
    #[must_use]
    pub fn called(&self, name: &str) -> Option<&Self> {
        self.calls.iter().find(|call| call.name == name)
    }
}
