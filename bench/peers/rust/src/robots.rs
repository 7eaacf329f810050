//! Reads the rules that a robots.txt has for one crawler, as Google's library reads them: for engines that have no reader of their own.

pub struct Rule {
    pub pattern: Vec<u8>,
    pub allow: bool,
}

impl Rule {
    /// The rule with the greatest rank decides.
    pub fn rank(&self) -> usize {
        self.pattern.len() * 2 + usize::from(self.allow)
    }

    /// As a regular expression: every byte as \xHH; a last "*" says nothing.
    pub fn regex(&self) -> String {
        let (mut pattern, end) = match self.pattern.strip_suffix(b"$") {
            Some(rest) => (rest, "$"),
            None => (&self.pattern[..], ""),
        };
        while end.is_empty() && pattern.ends_with(b"*") {
            pattern = &pattern[..pattern.len() - 1];
        }
        let texts: Vec<String> = pattern
            .iter()
            .map(|byte| if *byte == b'*' { ".*".to_string() } else { format!("\\x{byte:02X}") })
            .collect();
        format!("^{}{end}", texts.concat())
    }
}

const LONGEST_LINE: usize = 16_663;
const DISALLOW: [&str; 6] = ["disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"];

fn begins_with(text: &[u8], words: &[&str]) -> bool {
    words.iter().any(|word| text.len() >= word.len() && text[..word.len()].eq_ignore_ascii_case(word.as_bytes()))
}

/// Hexadecimal digits in upper case, bytes above 127 percent-encoded.
fn escaped(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [byte, after @ ..] = rest {
        rest = after;
        match (byte, after) {
            (b'%', [a, b, more @ ..]) if a.is_ascii_hexdigit() && b.is_ascii_hexdigit() => {
                out.extend([b'%', a.to_ascii_uppercase(), b.to_ascii_uppercase()]);
                rest = more;
            }
            (128.., _) => out.extend(format!("%{byte:02X}").bytes()),
            _ => out.push(*byte),
        }
    }
    out
}

/// Cuts a line into key and value; the colon may be missing where there are two words.
fn cut(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.split(|byte| *byte == b'#').next()?.trim_ascii();
    let blank = |byte: &u8| *byte == b' ' || *byte == b'\t';
    let colon = match line.iter().position(|byte| *byte == b':') {
        Some(colon) => colon,
        None => {
            let colon = line.iter().position(blank)?;
            if line[colon..].trim_ascii().iter().any(blank) {
                return None;
            }
            colon
        }
    };
    let key = line[..colon].trim_ascii();
    (!key.is_empty()).then(|| (key, line[colon + 1..].trim_ascii()))
}

pub fn rules_for(file: &[u8], agent: &str) -> Vec<Rule> {
    let (mut own, mut common) = (Vec::new(), Vec::new());
    let (mut in_own, mut in_common, mut has_own, mut has_rule) = (false, false, false, false);
    let file = file.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(file);
    for line in file.split(|byte| *byte == b'\n' || *byte == b'\r') {
        let Some((key, value)) = cut(&line[..line.len().min(LONGEST_LINE)]) else {
            continue;
        };
        if begins_with(key, &["user-agent", "useragent", "user agent"]) {
            if has_rule {
                (in_own, in_common, has_rule) = (false, false, false);
            }
            if value.first() == Some(&b'*') && value.get(1).map_or(true, u8::is_ascii_whitespace) {
                in_common = true;
                continue;
            }
            let is_letter = |byte: &&u8| byte.is_ascii_alphabetic() || **byte == b'-' || **byte == b'_';
            let length = value.iter().take_while(is_letter).count();
            if value[..length].eq_ignore_ascii_case(agent.as_bytes()) {
                (in_own, has_own) = (true, true);
            }
            continue;
        }
        let allow = begins_with(key, &["allow"]);
        if !(allow || begins_with(key, &DISALLOW)) || !(in_own || in_common) {
            continue;
        }
        has_rule = true;
        let pattern = escaped(value);
        if pattern.is_empty() {
            continue;
        }
        let rules = if in_own { &mut own } else { &mut common };
        if let Some(slash) = pattern.iter().rposition(|byte| *byte == b'/') {
            if allow && pattern[slash..].starts_with(b"/index.htm") {
                rules.push(Rule { pattern: [&pattern[..=slash], b"$"].concat(), allow });
            }
        }
        rules.push(Rule { pattern, allow });
    }
    if has_own { own } else { common }
}
