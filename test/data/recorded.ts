/**
 * What recorded answers mean together: the later one of an origin, redirects among them, dates. conformance/recorded.jsonl has the cases, with hosts
 * of their own, so that a runner may read all of them at once. The command line, @robotrie/sites and Spark run them.
 */

/** An answer as JSON lines and tables have it; with `path` one of another URL than /robots.txt, which only WARC files have. */
interface Recorded {
	/** A host stands for its https origin. */
	readonly origin: string;
	readonly path?: string;
	readonly status?: unknown;
	readonly robots?: string;
	readonly robots_b64?: string;
	readonly access?: string;
	readonly location?: string;
	readonly content_type?: string;
	readonly date?: string;
}

/** Its name, records, what URLs are, and the section of RFC 9309 that says so; letters stand for https origins. */
type Case = readonly [
	name: string,
	records: readonly Recorded[],
	verdicts: Readonly<Record<string, Verdict>>,
	section?: string,
];

type Verdict = "disallowed" | "allowed" | "unknown" | "later";

/** A row of conformance/recorded.jsonl. */
export interface RecordedRow {
	readonly case: string;
	/** Of several answers of an origin the newest up to then counts, not the last one. */
	readonly as_of: string | null;
	readonly records: readonly Recorded[] | null;
	readonly warc_b64: string | null;
	readonly agent: string;
	readonly verdicts: Readonly<Record<string, Verdict>>;
	readonly origin: string;
	readonly where: string;
}

const closed = "User-agent: *\nDisallow: /p\n";
const opened = "User-agent: *\nAllow: /\n";
const to = (host: string, path = "/robots.txt") => `https://${host}${path}`;
const moved = (origin: string, location: string, status = 301): Recorded => ({
	...{ origin, status, location },
});
const file = (origin: string, robots: string): Recorded => ({
	...{ origin, status: 200, robots },
});
const none = (origin: string): Recorded => ({ origin, status: 404 });

const chain = (hosts: string, end: Recorded): readonly Recorded[] => [
	...[...hosts.slice(0, -1)].map((host, i) =>
		moved(host, to(hosts[i + 1] as string)),
	),
	end,
];

/** The last record of an origin counts. */
const cases: readonly Case[] = [
	[
		"a file",
		[file("a", closed)],
		{ "a/p": "disallowed", "a/": "allowed", "b/p": "unknown" },
		"2.2",
	],
	["no file", [none("a")], { "a/p": "allowed" }, "2.3.1.3"],
	[
		"a server's error",
		[{ origin: "a", status: 503 }],
		{ "a/p": "later" },
		"2.3.1.4",
	],
	["no answer", [{ origin: "a", status: 0 }], { "a/p": "later" }, "2.3.1.4"],
	[
		"a file without a status",
		[{ origin: "a", robots: closed }],
		{ "a/p": "disallowed" },
		"",
	],
	[
		"a file in Base64",
		[{ origin: "a", status: 200, robots_b64: btoa(closed) }],
		{ "a/p": "disallowed" },
		"",
	],
	["an empty file", [file("a", "")], { "a/p": "allowed" }, "2.2"],
	...(["allow-all", "disallow-all", "later"] as const).map(
		(access) =>
			[
				`access ${access}`,
				[{ origin: "a", access }],
				{
					"a/p": (
						{
							"allow-all": "allowed",
							"disallow-all": "disallowed",
							later: "later",
						} as const
					)[access],
				},
				"",
			] as const,
	),
	[
		"a page instead of a file",
		[{ ...file("a", closed), content_type: "text/html" }],
		{ "a/p": "disallowed" },
		"",
	],
	[
		"a type with parameters",
		[{ ...file("a", closed), content_type: "text/plain; charset=utf-8" }],
		{ "a/p": "disallowed" },
		"",
	],
	[
		"a file, then none",
		[file("a", closed), none("a")],
		{ "a/p": "allowed" },
		"",
	],
	[
		"none, then a file",
		[none("a"), file("a", closed)],
		{ "a/p": "disallowed" },
		"",
	],
	[
		"an error, then a file",
		[{ origin: "a", status: 503 }, file("a", closed)],
		{ "a/p": "disallowed" },
		"",
	],
	[
		"one origin in two spellings",
		[file("HTTPS://A:443/x", closed), file("a", opened)],
		{ "a/p": "allowed" },
		"",
	],
	[
		"a redirect to a file",
		[moved("a", to("b")), file("b", closed)],
		{ "a/p": "disallowed", "a/": "allowed", "b/p": "disallowed" },
		"2.3.1.2",
	],
	[
		"a redirect to a file before it",
		[file("b", closed), moved("a", to("b"))],
		{ "a/p": "disallowed" },
		"2.3.1.2",
	],
	...[300, 302, 303, 307, 308].map(
		(status) =>
			[
				`status ${status}`,
				[moved("a", to("b"), status), file("b", closed)],
				{ "a/p": "disallowed" },
				"2.3.1.2",
			] as const,
	),
	[
		"another scheme",
		[moved("http://a", to("a")), file("a", closed)],
		{ "http://a/p": "disallowed", "a/p": "disallowed" },
		"2.3.1.2",
	],
	[
		"a relative target",
		[moved("a", "//b/robots.txt"), file("b", closed)],
		{ "a/p": "disallowed" },
		"2.3.1.2",
	],
	[
		"a target with a fragment",
		[moved("a", `${to("b")}#x`), file("b", closed)],
		{ "a/p": "disallowed" },
		"2.3.1.2",
	],
	[
		"a redirect to no file",
		[moved("a", to("b")), none("b")],
		{ "a/p": "allowed" },
		"2.3.1.2",
	],
	[
		"a redirect to an error",
		[moved("a", to("b")), { origin: "b", status: 500 }],
		{ "a/p": "later" },
		"2.3.1.2",
	],
	[
		"a redirect without its target",
		[{ origin: "a", status: 301 }],
		{ "a/p": "later" },
		"",
	],
	[
		"a redirect to what was not recorded",
		[moved("a", to("z"))],
		{ "a/p": "later", "z/p": "unknown" },
		"",
	],
	[
		"five redirects",
		chain("abcdef", file("f", closed)),
		{ "a/p": "disallowed", "b/p": "disallowed" },
		"2.3.1.2",
	],
	[
		"six redirects",
		chain("abcdefg", file("g", closed)),
		{ "a/p": "allowed", "b/p": "disallowed" },
		"2.3.1.2",
	],
	[
		"five redirects, and one without its target",
		chain("abcdef", { origin: "f", status: 302 }),
		{ "a/p": "later" },
		"",
	],
	[
		"a circle",
		[moved("a", to("b")), moved("b", to("a"))],
		{ "a/p": "allowed" },
		"2.3.1.2",
	],
	[
		"a redirect to itself",
		[moved("a", to("a"))],
		{ "a/p": "allowed" },
		"2.3.1.2",
	],
	[
		"a redirect, then a file",
		[moved("a", to("b")), file("b", opened), file("a", closed)],
		{ "a/p": "disallowed" },
		"",
	],
	[
		"a file, then a redirect",
		[file("a", opened), file("b", closed), moved("a", to("b"))],
		{ "a/p": "disallowed" },
		"",
	],
	[
		"a target's later record",
		[file("b", opened), moved("a", to("b")), file("b", closed)],
		{ "a/p": "disallowed" },
		"",
	],
	[
		"a target that has moved since",
		[
			moved("a", to("b")),
			file("b", opened),
			file("c", closed),
			moved("b", to("c")),
		],
		{ "a/p": "disallowed" },
		"",
	],
	[
		"two redirects, the later one",
		[
			moved("a", to("b")),
			moved("a", to("c")),
			file("b", opened),
			file("c", closed),
		],
		{ "a/p": "disallowed" },
		"",
	],
	[
		"many to one",
		[
			moved("a", to("d")),
			moved("b", to("d")),
			moved("c", to("d")),
			file("d", closed),
		],
		{ "a/p": "disallowed", "b/p": "disallowed", "c/p": "disallowed" },
		"2.3.1.2",
	],
	[
		"not modified",
		[file("a", closed), { origin: "a", status: 304 }],
		{ "a/p": "later" },
		"",
	],
	[
		"records that cannot be used",
		[
			file("a", closed),
			{ origin: "a", status: -1 },
			{ origin: "a", status: "200 OK" },
			{ origin: "a" },
			{ origin: "a", status: 200 },
		],
		{ "a/p": "disallowed" },
		"",
	],
	[
		"a target that is no robots.txt",
		[moved("a", to("b", "/r.txt")), { ...file("b", closed), path: "/r.txt" }],
		{ "a/p": "disallowed", "b/p": "unknown" },
		"2.3.1.2",
	],
	[
		"a target that is a page",
		[
			moved("a", to("b", "/x")),
			{ ...file("b", closed), path: "/x", content_type: "text/html" },
		],
		{ "a/p": "later" },
		"",
	],
	[
		"a redirect by way of a page",
		[
			moved("a", to("b", "/x")),
			{ ...moved("b", to("c")), path: "/x" },
			file("c", closed),
		],
		{ "a/p": "disallowed" },
		"2.3.1.2",
	],
];

const AS_OF = "2026-03-01T12:00:00Z";
const on = (date: string, record: Recorded): Recorded => ({ ...record, date });
const [early, then, late] = [
	"2026-01-01",
	"2026-02-01T08:00:00Z",
	"2026-03-02",
];

/** The newest answer up to AS_OF counts. */
const dated: readonly Case[] = [
	[
		"the newest of two",
		[on(then, file("a", closed)), on(early, none("a"))],
		{ "a/p": "disallowed" },
	],
	[
		"one that is too late",
		[on(then, file("a", closed)), on(late, none("a"))],
		{ "a/p": "disallowed" },
	],
	[
		"the last of two of one time",
		[on(then, none("a")), on(then, file("a", closed))],
		{ "a/p": "disallowed" },
	],
	[
		"an older redirect",
		[
			on(then, file("a", closed)),
			on(early, moved("a", to("b"))),
			on(early, file("b", opened)),
		],
		{ "a/p": "disallowed" },
	],
	[
		"a newer redirect",
		[
			on(then, moved("a", to("b"))),
			on(early, file("a", opened)),
			on(early, file("b", closed)),
		],
		{ "a/p": "disallowed" },
	],
	[
		"the newest of a target",
		[
			on(then, file("b", closed)),
			on(early, moved("a", to("b"))),
			on(early, file("b", opened)),
		],
		{ "a/p": "disallowed" },
	],
	[
		"a target that is too late",
		[on(then, moved("a", to("b"))), on(late, file("b", closed))],
		{ "a/p": "later", "b/p": "unknown" },
	],
	[
		"two redirects, the newer one",
		[
			on(then, moved("a", to("b"))),
			on(early, moved("a", to("c"))),
			on(early, file("b", closed)),
			on(early, file("c", opened)),
		],
		{ "a/p": "disallowed" },
	],
	[
		"a record without a date",
		[on(early, file("a", closed)), none("a")],
		{ "a/p": "disallowed" },
	],
	[
		"the newest page",
		[
			on(early, moved("a", to("b", "/r"))),
			on(then, { ...file("b", closed), path: "/r" }),
			on(early, { ...file("b", opened), path: "/r" }),
		],
		{ "a/p": "disallowed" },
	],
];

/** Rows of conformance/recorded.jsonl. */
export const recordedRows = (): readonly RecordedRow[] => [
	...cases.map((one, number) => rowOf(one, `c${number}`, null)),
	...dated.map((one, number) => rowOf(one, `d${number}`, AS_OF)),
];

function rowOf(
	[name, given, wanted, section]: Case,
	host: string,
	as_of: string | null,
): RecordedRow {
	const inCase = (text: string) =>
		text.replace(/\/\/([a-z])(?=[:/]|$)/i, `//$1.${host}.example`);
	const urlOf = (text: string) =>
		inCase(text.includes("//") ? text : `https://${text}`);
	const records = given.map((record) => ({
		...record,
		origin: urlOf(record.origin),
		...(record.location === undefined
			? {}
			: { location: inCase(record.location) }),
	}));
	const verdicts = Object.fromEntries(
		Object.entries(wanted).map(([url, verdict]) => [urlOf(url), verdict]),
	);
	const isTable = records.every(({ path }) => path === undefined);
	return {
		...{ case: name, as_of, agent: "ExampleBot" },
		records: isTable ? records : null,
		warc_b64: warcOf(records),
		verdicts,
		origin: section ? "RFC 9309" : "robotrie",
		where: section ? `§${section}` : "",
	};
}

/** The records as a WARC file; null if one of them is no HTTP response. */
function warcOf(records: readonly Recorded[]): string | null {
	let text = "";
	const isDated = records.some(({ date }) => date !== undefined);
	for (const record of records) {
		if (isDated && record.date === undefined) return null;
		const { origin, path = "/robots.txt", status, robots, location } = record;
		const isAnswer = typeof status === "number" && status >= 100;
		// A WARC file has a date in every record, and no redirect without its fields.
		if (!isAnswer || record.robots_b64 !== undefined) return null;
		if (status >= 300 && status <= 399 && location === undefined) return null;
		const { date = "2026-01-01", content_type = "text/plain" } = record;
		const fields = [
			`HTTP/1.1 ${status} x`,
			`Content-Type: ${content_type}`,
			...(location === undefined ? [] : [`Location: ${location}`]),
		];
		const http = `${fields.join("\r\n")}\r\n\r\n${robots ?? ""}`;
		const head = [
			"WARC/1.0",
			"WARC-Type: response",
			`WARC-Target-URI: ${new URL(path, origin).href}`,
			`WARC-Date: ${date.length > 10 ? date : `${date}T00:00:00Z`}`,
			"Content-Type: application/http; msgtype=response",
			`Content-Length: ${http.length}`,
		];
		text += `${head.join("\r\n")}\r\n\r\n${http}\r\n\r\n`;
	}
	return btoa(text);
}
