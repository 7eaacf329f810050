// Writes sample/access.log, sample/urls.txt and sample/browsers.log: a made-up day of example.com, the same on every run. The crawlers are
// made up, too, so that no report of it accuses a real one; sample/crawlers.txt says what they fetch for.
import { writeFileSync } from "node:fs";

const LINES = 3000;
const LISTED_URLS = 200;

/** Mulberry32: small, and the same numbers everywhere. */
let state = 9309;
function random() {
	state = (state + 0x6d2b79f5) | 0;
	let x = Math.imul(state ^ (state >>> 15), 1 | state);
	x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
	return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
}
const below = (limit) => Math.floor(random() * limit);
const pick = (list) => list[below(list.length)];

/** One of `[weight, value]` pairs. */
function weighted(pairs) {
	let rest = random() * pairs.reduce((sum, [weight]) => sum + weight, 0);
	for (const [weight, value] of pairs) {
		rest -= weight;
		if (rest < 0) return value;
	}
	return pairs.at(-1)[1];
}

const crawler = (name, version) =>
	`Mozilla/5.0 (compatible; ${name}/${version}; +https://example.org/bots/${name.replace(/[a-z]/g, "").toLowerCase()})`;
const PICTURES = "SampleImages";
const visitors = [
	[22, crawler("ExampleSearch", "2.1")],
	[5, `${PICTURES}/1.0`],
	[14, crawler("SampleSearch", "2.0")],
	[8, crawler("SampleFinder", "3.0")],
	[13, crawler("ExampleAI", "1.2")],
	[10, crawler("SampleAI", "1.0")],
	[4, "ExampleCorpus/2.0 (https://example.org/faq/)"],
	[9, crawler("ExampleSEO", "7.0")],
	[6, "ExampleFinder/1.1; (+https://example.org/examplefinder.html)"],
	[5, "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"],
	[
		6,
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36",
	],
];

const categories = [
	"green",
	"black",
	"oolong",
	"white",
	"herbal",
	"accessories",
];
const products = [
	"sencha",
	"assam",
	"da-hong-pao",
	"silver-needle",
	"rooibos",
	"kyusu",
	"matcha-set",
	"darjeeling-ff",
];
const articles = [
	"how-to-brew",
	"a-walk-in-uji",
	"water",
	"tasting-notes",
	"the-tin-can",
	"letters",
];
const members = ["mira", "jon_b", "t%C3%A9a", "oldkettle"];
const product = () => `/shop/${pick(categories)}/${pick(products)}`;
const article = () => `/magazine/${pick(articles)}/`;
const thread = () => `/forum/t/${100 + below(60)}`;

const pages = [
	[6, () => "/"],
	[5, () => "/shop/"],
	[14, () => `/shop/${pick(categories)}/`],
	[22, product],
	[4, () => `/shop/${pick(categories)}/?sort=${pick(["price", "name"])}`],
	[2, () => `/shop/${pick(categories)}/?page=${1 + below(4)}&sort=price`],
	[
		3,
		() => `${product()}?utm_source=${pick(["letter", "feed"])}&ref=${below(9)}`,
	],
	[1, () => `${product()}?sessionid=${state >>> 0}`],
	[4, () => "/magazine/"],
	[9, article],
	[7, () => `/magazine/open/${pick(articles)}/`],
	[2, () => `/magazine/open/${pick(articles)}/comments?page=${1 + below(5)}`],
	[10, thread],
	[2, () => `${thread()}/print`],
	[2, () => `/forum/user/${pick(members)}`],
	[
		3,
		() =>
			`/search?q=${pick(["oolong", "gr%C3%BCner+tee", "gift", "%E8%8C%B6"])}`,
	],
	[3, () => `/search/category/${pick(categories)}`],
	[2, () => pick(["/cart", `/cart/add?id=${below(40)}`])],
	[1, () => pick(["/checkout/address", "/checkout/payment"])],
	[
		4,
		() =>
			pick(["/account/login", "/account/login?next=/cart", "/account/orders"]),
	],
	[2, () => pick(["/internal/press-kit.pdf", "/internal/stock.csv"])],
	[2, () => `/tee/gr%C3%BC${pick(["n", "%6E"])}/lager/${1 + below(3)}`],
	[2, () => `/files/${pick(["~", "%7e"])}archive/${1998 + below(9)}.zip`],
	[3, () => "/robots.txt"],
	[1, () => pick(["/sitemap.xml", "/sitemap-magazine.xml"])],
];
const pictures = [
	[5, () => `/images/products/${pick(products)}.jpg`],
	[2, () => `/images/customers/${1 + below(90)}.jpg`],
	[1, () => pick(["/images/logo.svg", "/images/leaf.svg"])],
	[1, () => "/robots.txt"],
];

/** From the ranges that are kept for documentation (RFC 5737, RFC 3849). */
const address = (visitor) => {
	const host = 1 + ((visitor * 37 + below(6)) % 250);
	return visitor % 4 === 3
		? `2001:db8::${visitor.toString(16)}:${host.toString(16)}`
		: `${["192.0.2", "198.51.100", "203.0.113"][visitor % 3]}.${host}`;
};

let seconds = 0;
function time() {
	seconds += below(57);
	const two = (number) => String(number).padStart(2, "0");
	const [hours, minutes] = [
		Math.floor(seconds / 3600),
		Math.floor(seconds / 60) % 60,
	];
	return `14/Oct/2025:${two(hours)}:${two(minutes)}:${two(seconds % 60)} +0000`;
}

const lines = [];
const urls = new Set();
while (lines.length < LINES) {
	// What reaches a public server without being HTTP.
	if (random() < 0.004) {
		const request = pick(["-", "\\x16\\x03\\x01\\x02", "GET"]);
		lines.push(
			`${address(below(9))} - - [${time()}] "${request}" 400 226 "-" "-"`,
		);
		continue;
	}
	const agent = weighted(visitors);
	const visitor = visitors.findIndex(([, name]) => name === agent);
	const path = weighted(agent.startsWith(PICTURES) ? pictures : pages)();
	const status = weighted([
		[88, 200],
		[5, 304],
		[4, 404],
		[3, 301],
	]);
	const size = status === 304 ? "-" : status === 200 ? 900 + below(60000) : 320;
	const referrer =
		agent.includes("Gecko") || agent.includes("Chrome")
			? "https://example.com/"
			: "-";
	const method = random() < 0.02 ? "HEAD" : "GET";
	lines.push(
		`${address(visitor)} - - [${time()}] "${method} ${path} HTTP/1.1" ${status} ${size} "${referrer}" "${agent}"`,
	);
	if (urls.size < LISTED_URLS) urls.add(`https://example.com${path}`);
}

const sample = new URL("../sample/", import.meta.url);
writeFileSync(new URL("access.log", sample), `${lines.join("\n")}\n`);
writeFileSync(new URL("urls.txt", sample), `${[...urls].join("\n")}\n`);

// sample/browsers.log: clients that call themselves browsers. All but one are people.
const BROWSER =
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36";
const visits = [];
/** Requests of a client, `pause` seconds apart; those after the first one say which page they come from if `refers`. */
function visit(client, start, pause, paths, refers = true) {
	paths.forEach((path, at) => {
		const when = new Date(Date.UTC(2025, 9, 14) + (start + at * pause) * 1000);
		const [, day, month, year, clock] = when.toUTCString().split(" ");
		const referrer = refers && at > 0 ? "https://example.com/" : "-";
		visits.push([
			+when,
			`${client} - - [${day}/${month}/${year}:${clock} +0000] "GET ${path} HTTP/1.1" 200 ${900 + below(60000)} "${referrer}" "${BROWSER}"`,
		]);
	});
}
const shown = [product, article, thread, () => "/shop/", () => "/"];
const withAssets = (count) =>
	Array.from({ length: count }, () => [
		pick(shown)(),
		"/style.css",
		`/images/products/${pick(products)}.jpg`,
	]).flat();
for (let person = 0; person < 12; person++)
	visit(
		`198.51.100.${20 + person}`,
		3600 * person,
		11,
		withAssets(2 + below(6)),
	);
// An office behind one address, and a reader whose browser has kept all styles and images.
visit("192.0.2.200", 28_800, 3, withAssets(150));
visit(
	"198.51.100.77",
	36_000,
	40,
	Array.from({ length: 60 }, (_, at) => `/forum/t/${100 + at}`),
);
// The crawler: all of the shop and the forum, member pages and carts included.
visit(
	"203.0.113.88",
	7200,
	2,
	[
		...categories.flatMap((category) =>
			products.map((name) => `/shop/${category}/${name}`),
		),
		...Array.from({ length: 60 }, (_, at) => `/forum/t/${100 + at}`),
		...members.map((member) => `/forum/user/${member}`),
		...Array.from({ length: 12 }, (_, id) => `/cart/add?id=${id}`),
	],
	false,
);
visits.sort(([a], [b]) => a - b);
writeFileSync(
	new URL("browsers.log", sample),
	visits.map(([, line]) => `${line}\n`).join(""),
);
