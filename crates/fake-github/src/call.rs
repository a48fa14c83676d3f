//! A request whose meaning is known: the operation, its parameters, who asks, and about which repository.
//!
//! Tested through the operations; paging in `tests/fake/pages.rs`.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use url::form_urlencoded;

use crate::{
    reply::{Answer, Reply},
    views::Views,
    world::{Repository, Rights, World},
};

/// A request whose meaning is known.
pub(crate) struct Call {
    /// Parameters of the path.
    pub(crate) path: BTreeMap<String, String>,
    pub(crate) query: Vec<(String, String)>,
    /// Null where there was none.
    pub(crate) body: Value,
    /// Nothing where no token was sent.
    pub(crate) caller: Option<Rights>,
    /// `owner/name` as the repository spells it; empty where the operation is about none.
    pub(crate) repository: String,
    /// Whether that is the repository under test.
    pub(crate) is_home: bool,
    /// The address asked for, without the query, as GitHub names it in links.
    pub(crate) address: String,
    pub(crate) views: Views,
}

/// Items of a page, where nothing is asked for.
const PAGE: usize = 30;
/// Items of a page, at most. GitHub gives so many where more are asked for.
const PAGE_MAX: usize = 100;

impl Call {
    /// Who asks. Operations that need to know are not reached without a token.
    pub(crate) fn login(&self) -> &str {
        self.caller.as_ref().map_or("", |caller| &caller.login)
    }

    /// Tells whether a program asks, not a person.
    pub(crate) fn is_bot(&self) -> bool {
        self.caller.as_ref().is_some_and(Rights::is_bot)
    }

    /// A text out of the path.
    pub(crate) fn part(&self, name: &str) -> &str {
        self.path.get(name).map_or("", String::as_str)
    }

    /// A number out of the path. The description was checked, so what is none is none there either.
    pub(crate) fn number(&self, name: &str) -> u64 {
        self.part(name).parse().unwrap_or_default()
    }

    /// A parameter of the query.
    pub(crate) fn asked(&self, name: &str) -> Option<&str> {
        let mut query = self.query.iter();
        let found = query.find(|(given, _)| given == name);
        found.map(|(_, value)| value.as_str())
    }

    /// A text out of the body.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.body.get(name)?.as_str()
    }

    /// A text out of the body, to keep.
    pub(crate) fn owned(&self, name: &str) -> Option<String> {
        self.text(name).map(str::to_owned)
    }

    /// The repository asked about.
    pub(crate) fn repository<'a>(&self, world: &'a World) -> Result<&'a Repository, Reply> {
        world
            .repository(&self.repository)
            .ok_or_else(Reply::not_found)
    }

    /// The repository asked about, to change it.
    pub(crate) fn repository_mut<'a>(
        &self,
        world: &'a mut World,
    ) -> Result<&'a mut Repository, Reply> {
        world
            .repository_mut(&self.repository)
            .ok_or_else(Reply::not_found)
    }

    /// Refuses what only the repository under test has.
    pub(crate) fn only_at_home(&self) -> Result<(), Reply> {
        if self.is_home {
            Ok(())
        } else {
            Err(Reply::not_found())
        }
    }

    /// Answers one page of a list.
    pub(crate) fn page(&self, items: Vec<Value>) -> Answer {
        self.page_as(items, Value::Array)
    }

    /// Answers one page of a list that stands under a name, beside how many there are.
    pub(crate) fn counted_page(&self, name: &str, items: Vec<Value>) -> Answer {
        let total = items.len();
        self.page_as(items, |items| json!({"total_count": total, name: items}))
    }

    fn page_as(&self, items: Vec<Value>, whole: impl FnOnce(Vec<Value>) -> Value) -> Answer {
        let asked = |name: &str| {
            let number: Option<usize> = self.asked(name)?.parse().ok();
            number.filter(|number| *number > 0)
        };
        let size = asked("per_page").unwrap_or(PAGE).min(PAGE_MAX);
        let page = asked("page").unwrap_or(1);
        let last = items.len().div_ceil(size).max(1);
        let shown = items.into_iter().skip((page - 1).saturating_mul(size));
        let reply = Reply::json(200, whole(shown.take(size).collect()));
        Ok(match self.links(page, last).as_str() {
            "" => reply,
            links => reply.header("link", links),
        })
    }

    fn links(&self, page: usize, last: usize) -> String {
        let mut links = Vec::new();
        if page > 1 {
            links.push(("prev", (page - 1).min(last)));
        }
        if page < last {
            links.extend([("next", page + 1), ("last", last)]);
        }
        if page > 1 {
            links.push(("first", 1));
        }
        let links = links.into_iter().map(|(relation, page)| {
            let others = self.query.iter().filter(|(name, _)| name != "page");
            let query = form_urlencoded::Serializer::new(String::new())
                .extend_pairs(others)
                .append_pair("page", &page.to_string())
                .finish();
            format!("<{}?{query}>; rel=\"{relation}\"", self.address)
        });
        links.collect::<Vec<_>>().join(", ")
    }
}
