/**
 * What the TypeScript library says, for differential.test: conformance rows and drawn ones, as JSON lines. Each has a robots.txt, a crawler,
 * saved bytes, URLs and verdicts: of a matcher, or of an index whose sites all have rules. Draws the same every time.
 */
import { readFileSync } from "node:fs";
import { RobotsIndex, RobotsTxt } from "../../../dist/index.js";

const print = (row) => process.stdout.write(`${JSON.stringify(row)}\n`);
const base64 = (bytes) => Buffer.from(bytes).toString("base64");

function printIndex(index, urls) {
	const verdicts = base64(index.matchMany(urls));
	print({
		index: base64(index.toBytes()),
		origins: index.size,
		urls,
		verdicts,
	});
}

function printMatcher(bytes, agent, dialect, urls) {
	const robots = RobotsTxt.parse(bytes, { dialect });
	const matcher = robots.for(agent);
	const verdicts = matcher.matchMany(urls);
	const lines = urls.map((url, i) =>
		verdicts[i] === 3 ? 0 : (matcher.match(url)?.line ?? 0),
	);
	print({
		robots: base64(bytes),
		agents: [agent].flat(),
		dialect,
		matcher: base64(matcher.toBytes()),
		urls,
		verdicts: base64(verdicts),
		lines,
	});
	return robots;
}

const rows = readFileSync(
	new URL("../../../conformance/verdicts.jsonl", import.meta.url),
	"utf8",
)
	.trim()
	.split("\n")
	.map((line) => JSON.parse(line));
const files = new Map();
for (const { robots, robots_b64, agent, dialect, url } of rows) {
	const key = JSON.stringify([robots, robots_b64, agent, dialect]);
	if (!files.has(key))
		files.set(key, {
			bytes: Buffer.from(
				robots ?? robots_b64,
				robots === undefined ? "base64" : "utf8",
			),
			agent,
			dialect,
			urls: [],
		});
	files.get(key).urls.push(url);
}
// One index for each crawler and dialect: each file has a site of its own.
const indexes = new Map();
for (const { bytes, agent, dialect, urls } of files.values()) {
	const robots = printMatcher(bytes, agent, dialect, urls);
	const key = JSON.stringify([agent, dialect]);
	if (!indexes.has(key))
		indexes.set(key, { index: new RobotsIndex({ agent, dialect }), all: [] });
	const { index, all } = indexes.get(key);
	const origin = `https://s${index.size}.example`;
	index.set(origin, robots);
	for (const url of urls) {
		const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "");
		all.push(url, path.startsWith("/") || path === "" ? origin + path : url);
	}
}
for (const { index, all } of indexes.values()) printIndex(index, all);

let state = 9309;
const random = (below) => {
	state = (Math.imul(state, 1103515245) + 12345) >>> 0;
	return (state >>> 8) % below;
};
const pick = (list) => list[random(list.length)];
const some = (most, make) => Array.from({ length: random(most + 1) }, make);
const atoms = [
	"a",
	"b",
	"ab",
	"/",
	"*",
	"$",
	"%61",
	"%2f",
	"%2F",
	"ä",
	"%C3%A4",
	"?",
	"=",
	"\u{1f600}",
	".",
	"x".repeat(30),
	"%",
	";",
	" ",
	"%20",
	"{",
	"%7b",
];
const path = () => `/${some(6, () => pick(atoms)).join("")}`;
const names = [
	"bot",
	"BOT",
	"*",
	"yandex",
	"YandexBot",
	"other",
	"bot-news",
	"a b",
	"",
];
const ends = ["\n", "\r\n", "\r", "\n\n"];
const file = () =>
	Buffer.concat([
		Buffer.from(random(20) ? "" : "\ufeff"),
		...some(14, () => {
			const line = pick([
				() => `User-agent: ${pick(names)}`,
				() => `Disallow: ${path()}`,
				() => `Allow: ${path()}`,
				() =>
					pick([
						"Disallow:",
						"Disalow: /a",
						"# x",
						"Sitemap: x",
						"disallow /b",
						"\0",
					]),
			])();
			const bytes = Buffer.from(line + pick(ends));
			// Files are not always UTF-8.
			if (random(30) === 0) bytes[random(bytes.length)] = 128 + random(128);
			return bytes;
		}),
	]);
const hosts = [
	"h.example",
	"H.example",
	"b\u00fccher.example",
	"xn--bcher-kva.example",
	"127.0.0.1",
	"0x7f.1",
	"[::1]",
	"[::0001]",
	"h.example:443",
	"h.example:8080",
	"u:p@h.example",
	"h.example.",
	"%68.example",
	"h..example",
	"fa\u00df.example",
	"-h-.example",
	"xn--a.example",
	"h example",
	"256.1.1.1",
	"\u65e5\u672c.example",
	"",
	"h\\x",
	"a_b.example",
];
const schemes = [
	"https://",
	"http://",
	"HTTPS://",
	"https:/",
	"https:",
	"https:\\\\",
	" https://",
	"ftp://",
	"mailto:",
	"x://",
	"",
	"https:///",
	"ht\ttps://",
];
const ofIndex = () => {
	const scheme = random(3) ? "https://" : pick(schemes);
	let host = random(3) ? pick(hosts.slice(0, 11)) : pick(hosts);
	// A path must not become a host's name: Go's parser refuses some (README.md).
	if (host === "" && scheme !== "" && scheme !== "x://") host = "h.example";
	return (
		scheme +
		host +
		(random(12) ? path() : pick(["", "?a", "#a", "\\a", "/a\nb", "/a\r"]))
	);
};
const ofSite = () =>
	pick([
		path,
		path,
		ofIndex,
		() => "no url",
		() => `${path()}\n`,
		() => `/a/../${path()}#f`,
	])();
for (const dialect of ["rfc9309", "google", "yandex"]) {
	const agents = ["bot", ["bot-news", "bot"], "*", "Other/2.0"];
	// In the other dialects it is one of those that docs/crawlers.md lists, and this package leaves to its callers.
	if (dialect === "yandex") agents.push("YandexBot");
	for (let i = 0; i < 400; i++)
		printMatcher(file(), pick(agents), dialect, some(30, ofSite));
	for (let i = 0; i < 12; i++) {
		const index = new RobotsIndex({ agent: "bot", dialect });
		for (const name of hosts.slice(0, 11))
			for (const scheme of ["http://", "https://"])
				if (random(4))
					index.set(
						scheme + name.replace("u:p@", ""),
						RobotsTxt.parse(file(), { dialect }),
					);
		printIndex(index, [
			...some(900, ofIndex),
			...(i ? [] : Array.from({ length: 6000 }, ofIndex)),
		]);
	}
}
// An entry that is longer than what a host reads at once.
const large = new RobotsIndex({ agent: "bot", dialect: "google" });
const rules = Array.from(
	{ length: 9000 },
	(_, i) => `Disallow: /${i}${"y".repeat(40)}${i}\n`,
);
large.set("https://a.example", "User-agent: *\nDisallow: /a");
large.set("https://b.example", `User-agent: *\n${rules.join("")}`);
large.set("https://c.example", "User-agent: *\nDisallow: /c");
printIndex(large, [
	"https://a.example/a",
	`https://b.example/8999${"y".repeat(40)}8999`,
	"https://b.example/b",
	"https://c.example/c",
]);
