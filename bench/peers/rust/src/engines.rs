//! The engines: each is made from a robots.txt, and judges a URL or a path.

use std::cell::RefCell;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use regex::bytes::{RegexSet, RegexSetBuilder};
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::{nfa::thompson, util::syntax, Input, PatternSet};
use texting_robots::Robot;

use crate::robots::{rules_for, Rule};

pub const AGENT: &str = "googlebot";

pub trait Engine: Sized {
    const VERSION: &'static str;
    /// Whether it takes whole URLs instead of paths.
    const TAKES_URLS: bool = false;
    fn new(robots: &[u8]) -> Self;
    fn allows(&self, text: &[u8]) -> bool;
}

pub struct TextingRobots(Robot);

impl Engine for TextingRobots {
    const VERSION: &'static str = "0.2.2";
    const TAKES_URLS: bool = true;

    fn new(robots: &[u8]) -> Self {
        let agent = std::env::var("PEER_AGENT").unwrap_or_else(|_| AGENT.into());
        Self(Robot::new(&agent, robots).expect("a robots.txt"))
    }

    fn allows(&self, url: &[u8]) -> bool {
        self.0.allowed(std::str::from_utf8(url).expect("a URL in UTF-8"))
    }
}

/// All rules of a site as one set of regular expressions.
pub struct Set {
    set: RegexSet,
    ranks: Vec<usize>,
}

impl Engine for Set {
    const VERSION: &'static str = "1.11.1";

    fn new(robots: &[u8]) -> Self {
        let rules = rules_for(robots, AGENT);
        let set = RegexSetBuilder::new(rules.iter().map(Rule::regex))
            .unicode(false)
            .dot_matches_new_line(true)
            .size_limit(1 << 30)
            .dfa_size_limit(64 << 20)
            .build()
            .expect("regular expressions");
        Self { set, ranks: rules.iter().map(Rule::rank).collect() }
    }

    fn allows(&self, path: &[u8]) -> bool {
        self.set.matches(path).iter().map(|rule| self.ranks[rule]).max().map_or(true, |rank| rank & 1 == 1)
    }
}

/// The same as a lazy DFA, which is what RegexSet has inside.
pub struct LazyDfa {
    dfa: DFA,
    work: RefCell<(Cache, PatternSet)>,
    ranks: Vec<usize>,
}

impl Engine for LazyDfa {
    const VERSION: &'static str = "0.4.9";

    fn new(robots: &[u8]) -> Self {
        let rules = rules_for(robots, AGENT);
        let regexes: Vec<String> = rules.iter().map(Rule::regex).collect();
        let dfa = DFA::builder()
            .configure(DFA::config().match_kind(regex_automata::MatchKind::All).cache_capacity(64 << 20))
            .syntax(syntax::Config::new().unicode(false).utf8(false).dot_matches_new_line(true))
            .thompson(thompson::Config::new().utf8(false).nfa_size_limit(Some(1 << 30)))
            .build_many(&regexes)
            .expect("regular expressions");
        let work = RefCell::new((dfa.create_cache(), PatternSet::new(dfa.pattern_len())));
        Self { dfa, work, ranks: rules.iter().map(Rule::rank).collect() }
    }

    fn allows(&self, path: &[u8]) -> bool {
        let (cache, found) = &mut *self.work.borrow_mut();
        found.clear();
        let input = Input::new(path).anchored(regex_automata::Anchored::Yes);
        self.dfa.try_which_overlapping_matches(cache, &input, found).expect("a search");
        found.iter().map(|rule| self.ranks[rule.as_usize()]).max().map_or(true, |rank| rank & 1 == 1)
    }
}

/// The longest text of each rule in one automaton; a rule whose text occurs is then compared as a whole.
pub struct Automaton {
    texts: Option<AhoCorasick>,
    rules: Vec<Rule>,
    /// Rules whose pattern has no text.
    others: Vec<usize>,
    ids: Vec<usize>,
}

impl Engine for Automaton {
    const VERSION: &'static str = "1.1.3";

    fn new(robots: &[u8]) -> Self {
        let rules = rules_for(robots, AGENT);
        let (mut texts, mut ids, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for (id, rule) in rules.iter().enumerate() {
            let pattern = rule.pattern.strip_suffix(b"$").unwrap_or(&rule.pattern);
            let longest = pattern.split(|byte| *byte == b'*').max_by_key(|text| text.len()).unwrap_or_default();
            if longest.is_empty() {
                others.push(id);
            } else {
                texts.push(longest.to_vec());
                ids.push(id);
            }
        }
        let build = || {
            AhoCorasick::builder().kind(Some(AhoCorasickKind::DFA)).match_kind(MatchKind::Standard).build(&texts)
        };
        Self { texts: (!texts.is_empty()).then(|| build().expect("an automaton")), rules, others, ids }
    }

    fn allows(&self, path: &[u8]) -> bool {
        let mut best = 1;
        let mut compare = |id: usize| {
            let rule = &self.rules[id];
            if rule.rank() > best && glob(&rule.pattern, path) {
                best = rule.rank();
            }
        };
        self.others.iter().copied().for_each(&mut compare);
        if let Some(texts) = &self.texts {
            for found in texts.find_overlapping_iter(path) {
                compare(self.ids[found.pattern().as_usize()]);
            }
        }
        best & 1 == 1
    }
}

/// Whether a path has a pattern's texts in their order: the last one at its end if there is a "$".
fn glob(pattern: &[u8], path: &[u8]) -> bool {
    let (pattern, is_anchored) = match pattern.strip_suffix(b"$") {
        Some(rest) => (rest, true),
        None => (pattern, false),
    };
    let mut texts = pattern.split(|byte| *byte == b'*');
    let Some(mut rest) = path.strip_prefix(texts.next().unwrap_or_default()) else {
        return false;
    };
    let mut texts: Vec<&[u8]> = texts.collect();
    let last = if is_anchored { texts.pop() } else { None };
    for text in &texts {
        match memchr::memmem::find(rest, text) {
            Some(at) => rest = &rest[at + text.len()..],
            None => return false,
        }
    }
    match last {
        Some(text) => rest.ends_with(text),
        None => !is_anchored || rest.is_empty(),
    }
}
