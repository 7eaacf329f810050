//! Rust's engines. Reads sites and jobs, and does what the harness asks for (../README.md).

mod engines;
mod robots;

use std::collections::HashMap;
use std::io::{self, BufRead, Write};
use std::time::Instant;
use std::{env, fs};

use engines::{Automaton, Engine, LazyDfa, Set, TextingRobots};

/// Reads a file of numbers and texts.
struct Reader {
    bytes: Vec<u8>,
    at: usize,
}

impl Reader {
    fn open(path: &str) -> Self {
        Self { bytes: fs::read(path).expect("a file of sites or jobs"), at: 0 }
    }

    fn number(&mut self) -> i32 {
        self.at += 4;
        i32::from_le_bytes(self.bytes[self.at - 4..self.at].try_into().expect("four bytes"))
    }

    fn text(&mut self) -> Vec<u8> {
        let length = self.number() as usize;
        self.at += length;
        self.bytes[self.at - length..self.at].to_vec()
    }
}

struct Job {
    /// None for URLs of any sites.
    site: Option<usize>,
    lines: Vec<u8>,
    verdicts: Vec<u8>,
}

struct Driver<E> {
    sites: Vec<(Vec<u8>, Vec<u8>)>,
    judges: Vec<E>,
    by_origin: HashMap<Vec<u8>, usize>,
    jobs: Vec<Job>,
}

/// A URL's origin and the rest of it, or nothing and a path.
fn cut(line: &[u8]) -> (&[u8], &[u8]) {
    let at = match memchr::memmem::find(line, b"://") {
        Some(scheme) if line[0] != b'/' => {
            let from = scheme + 3;
            memchr::memchr(b'/', &line[from..]).map_or(line.len(), |slash| from + slash)
        }
        _ => 0,
    };
    line.split_at(at)
}

impl<E: Engine> Driver<E> {
    fn compile(&mut self) -> u128 {
        let start = Instant::now();
        self.judges = self.sites.iter().map(|(_, robots)| E::new(robots)).collect();
        self.by_origin = self.sites.iter().enumerate().map(|(i, (origin, _))| (origin.clone(), i)).collect();
        start.elapsed().as_nanos()
    }

    fn read_jobs(&mut self, path: &str) -> usize {
        let mut read = Reader::open(path);
        self.jobs = (0..read.number())
            .map(|_| {
                let site = usize::try_from(read.number()).ok();
                let count = read.number() as usize;
                Job { site, lines: read.text(), verdicts: vec![0; count] }
            })
            .collect();
        self.jobs.len()
    }

    fn judge(&mut self, from: usize, to: usize) -> u128 {
        let start = Instant::now();
        for Job { site, lines, verdicts } in &mut self.jobs[from..to] {
            let mut at = 0;
            for (end, verdict) in memchr::memchr_iter(b'\n', lines).zip(verdicts) {
                let line = &lines[at..end];
                let (origin, path) = cut(line);
                let judge = &self.judges[site.unwrap_or_else(|| self.by_origin[origin])];
                *verdict = u8::from(judge.allows(if E::TAKES_URLS { line } else { path }));
                at = end + 1;
            }
        }
        start.elapsed().as_nanos()
    }

    fn obey(&mut self) -> io::Result<()> {
        println!("{}", E::VERSION);
        for line in io::stdin().lock().lines() {
            let line = line?;
            let words: Vec<&str> = line.split(' ').collect();
            let answer = match words[..] {
                ["compile"] => self.compile().to_string(),
                ["jobs", path] => self.read_jobs(path).to_string(),
                ["judge", from, to, times] => {
                    let [from, to, times] = [from, to, times].map(|text| text.parse().expect("a number"));
                    let all: Vec<String> = (0..times).map(|_| self.judge(from, to).to_string()).collect();
                    all.join(" ")
                }
                ["verdicts"] => {
                    self.judge(0, self.jobs.len());
                    self.jobs.iter().flat_map(|job| job.verdicts.iter().map(|verdict| char::from(b'0' + verdict))).collect()
                }
                ["memory"] => {
                    let status = fs::read_to_string("/proc/self/status")?;
                    let line = status.lines().find(|line| line.starts_with("VmRSS")).unwrap_or_default();
                    let kibibytes: u64 = line.split_whitespace().nth(1).and_then(|text| text.parse().ok()).unwrap_or(0);
                    (kibibytes * 1024).to_string()
                }
                _ => panic!("{line}?"),
            };
            println!("{answer}");
            io::stdout().flush()?;
        }
        Ok(())
    }
}

fn run<E: Engine>(path: &str) -> io::Result<()> {
    let mut read = Reader::open(path);
    let sites = (0..read.number()).map(|_| (read.text(), read.text())).collect();
    Driver::<E> { sites, judges: Vec::new(), by_origin: HashMap::new(), jobs: Vec::new() }.obey()
}

fn main() -> io::Result<()> {
    let [name, path] = [1, 2].map(|which| env::args().nth(which).expect("an engine and a file"));
    match name.as_str() {
        "texting_robots" => run::<TextingRobots>(&path),
        "RegexSet" => run::<Set>(&path),
        "lazy DFA" => run::<LazyDfa>(&path),
        "aho-corasick" => run::<Automaton>(&path),
        _ => panic!("no engine is called {name}"),
    }
}
