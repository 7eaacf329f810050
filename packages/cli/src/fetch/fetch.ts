/**
 * `robotrie fetch`: what came of asking for a robots.txt, and what it means to a crawler, as text or JSON. With several --as it asks once for
 * each User-Agent header and says where the answers differ.
 */
import { existsSync } from "node:fs";
import { type Command, Option } from "commander";
import { RobotsTxt, robotsUrlFor } from "robotrie";
import type { HttpOutcome, RobotsAccess } from "robotrie/access";
import { parseUrl } from "#robotrie/common/arguments";
import { count, shorten } from "#robotrie/common/wording";
import { schemeHint } from "../input/input.ts";
import { doubtAbout } from "../input/robots-file.ts";
import { collectAgents } from "../options/options.ts";
import {
	EXIT_FOUND,
	Failure,
	JsonList,
	paint,
	printable,
	tell,
	write,
	writeForeign,
} from "../output/output.ts";
import {
	type ClientOptions,
	clientOptions,
	openClient,
} from "./client-options.ts";

interface FetchOptions extends ClientOptions {
	readonly as?: readonly string[];
	readonly json?: boolean;
	readonly body?: boolean;
}

export function addFetch(program: Command): void {
	const command = program
		.command("fetch")
		.description(
			"Fetches the robots.txt that governs each URL, as a crawler does, and shows redirects, status, what the answer means and when it expires.\n\nWith --store, answers are kept and requests are conditional.",
		)
		.argument("<url...>", "absolute http, https or ftp URLs");
	for (const option of clientOptions()) command.addOption(option);
	command
		.addOption(
			new Option(
				"--as <text>",
				"send this User-Agent header; repeat it to compare the answers for several",
			)
				.argParser(collectAgents)
				.conflicts("userAgent"),
		)
		.option("--body", "write only the file itself; for one URL")
		.option(
			"--json",
			"write an array of { url, robotsUrl, redirects, status, ftpReply, failure, bytes, truncated, access, code, reason, askedAt, expires, retryAfter, milliseconds, warnings }",
		)
		.addHelpText(
			"after",
			`
Exit codes: 0 every site answered; 1 a site did not answer or had a server error; 2 wrong options.

Examples:
  robotrie fetch https://example.com/
  robotrie fetch --json --user-agent "ExampleBot/1.0 (+https://example.com/bot)" https://example.com https://example.org
  robotrie fetch --as "Googlebot/2.1" --as "Mozilla/5.0" https://example.com/`,
		)
		.action(fetchAll);
}

interface Fetched {
	readonly url: string;
	readonly robotsUrl: string;
	readonly outcome: HttpOutcome;
	readonly access: RobotsAccess;
	readonly milliseconds: number;
	/** Sentences. */
	readonly warnings: readonly string[];
}

async function fetchAll(
	urls: readonly string[],
	options: FetchOptions,
): Promise<void> {
	if (options.body && (options.json || urls.length > 1))
		throw new Failure("--body takes one URL and cannot be used with --json");
	// All of them, before anything is asked for.
	const robotsUrls = urls.map(robotsUrlOf);
	// One client per header, as the header decides what is sent; only the first has the store.
	const [first, ...others] = options.as ?? [];
	const { client, close } = await openClient(options, "*", {
		userAgent: first ?? options.userAgent,
		store: options.store,
	});
	// Without the store, whose answers are the same for each.
	const more = await Promise.all(
		others.map(async (userAgent) => ({
			userAgent,
			...(await openClient(options, "*", { userAgent })),
		})),
	);
	const list = options.json ? new JsonList() : undefined;
	// All at once; the client limits how many requests are under way.
	try {
		const fetching = urls.map(async (url, i): Promise<Fetched> => {
			const start = performance.now();
			const { outcome, access } = await client.fetch(url);
			const milliseconds = Math.round(performance.now() - start);
			const differences: string[] = [];
			// Compared with the first answer, one after another, as each is a request of its own.
			for (const { userAgent, client } of more) {
				const other = await client.fetch(url);
				const what = difference(outcome, other.outcome);
				if (what !== undefined)
					differences.push(
						`The answer for ${userAgent} differs from that for ${first}: ${what}. Google advises against it.`,
					);
			}
			return {
				url,
				robotsUrl: robotsUrls[i] ?? "",
				outcome,
				access,
				milliseconds,
				warnings: [...(await oddBody(outcome, access)), ...differences],
			};
		});
		// What fails while another one is written is reported in its turn.
		for (const one of fetching) one.catch(() => {});
		for (const [i, one] of fetching.entries()) {
			const fetched = await one;
			// `failures` counts server errors, too: both are a 1 for scripts.
			if (fetched.access.failures > 0) process.exitCode = EXIT_FOUND;
			if (options.body) await writeBody(fetched);
			else if (list) await write(list.item(jsonOf(fetched)));
			else await write((i > 0 ? "\n" : "") + textOf(fetched, options));
		}
		if (list) await write(list.end());
	} finally {
		await close();
		for (const { close } of more) await close();
	}
}

/**
 * What differs between two answers, or undefined. Statuses first: bodies of different statuses
 * always differ.
 */
function difference(one: HttpOutcome, other: HttpOutcome): string | undefined {
	const [a, b] = [one, other].map(
		({ failure, status }) => failure?.code ?? `HTTP ${status}`,
	);
	if (a !== b) return `${b}, not ${a}`;
	const [body, otherBody] = [one, other].map(({ body }) =>
		Buffer.from(body ?? []),
	) as [Buffer, Buffer];
	if (body.equals(otherBody)) return undefined;
	// The first line that differs says more than a number of bytes.
	const lines = [body, otherBody].map((bytes) =>
		String(bytes).split(/\r\n?|\n/),
	);
	const line = lines[0]?.findIndex((text, i) => text !== lines[1]?.[i]) ?? 0;
	return `other content from line ${(line < 0 ? (lines[0]?.length ?? 0) : line) + 1} on`;
}

/**
 * What makes a body look like no robots.txt, although its rules hold. A page that a server sends in
 * place of a robots.txt often has no line that counts: the rules allow everything, and nobody
 * notices.
 */
async function oddBody(
	{ body }: HttpOutcome,
	{ access }: RobotsAccess,
): Promise<string[]> {
	if (!body || access !== "rules") return [];
	const doubt = doubtAbout(body);
	const target = await refreshIn(new TextDecoder().decode(body));
	return [
		...(doubt === undefined ? [] : [doubt]),
		...(target === undefined
			? []
			: [
					`The page has a meta refresh${target && ` to ${shorten(target)}`}, which crawlers do not follow for a robots.txt: redirect by HTTP instead.`,
				]),
	];
}

async function refreshIn(text: string): Promise<string | undefined> {
	// HTML is parsed only if the bytes look like HTML.
	if (!/<meta/i.test(text)) return undefined;
	const { refreshOfPage } = await import("./indexing-rules.ts");
	return refreshOfPage(text);
}

/** Bytes as they came: `--body > robots.txt` must be the file. */
async function writeBody({ robotsUrl, access }: Fetched): Promise<void> {
	if (access.copy)
		await writeForeign(access.copy.body.subarray(0, sizeOf(access.copy)));
	else tell(`${robotsUrl}: ${access.reason}`);
}

/**
 * Bytes that count: of a longer body, one more is kept to recognise it. Invariant of the client: of
 * a body that is too large, one byte more than the limit is kept.
 */
function sizeOf({
	body,
	truncated,
}: {
	readonly body: Uint8Array;
	readonly truncated?: boolean;
}): number {
	return truncated ? body.length - 1 : body.length;
}

function robotsUrlOf(url: string): string {
	// Checked before anything is asked, so that a typo in the third URL costs no requests.
	if (!/^(https?|ftp):$/.test(parseUrl(url)?.protocol ?? ""))
		throw new Failure(
			`${url} is not an absolute http, https or ftp URL${existsSync(url) ? `: robotrie show ${url} reads a file` : schemeHint(url)}`,
		);
	return robotsUrlFor(url);
}

const iso = (time: number) => new Date(time).toISOString();

/** Nulls instead of missing fields, so that a column exists in every row. */
function jsonOf({ url, robotsUrl, outcome, access, ...more }: Fetched) {
	const { milliseconds, warnings } = more;
	const {
		redirects = [],
		status,
		ftpReply,
		failure,
		body,
		truncated = false,
	} = outcome;
	return {
		url,
		robotsUrl,
		redirects,
		status: status ?? null,
		ftpReply: ftpReply ?? null,
		failure: failure ?? null,
		bytes: body ? sizeOf({ body, truncated }) : null,
		truncated,
		access: access.access,
		code: access.code,
		reason: access.reason,
		askedAt: iso(access.askedAt),
		expires: iso(access.expires),
		retryAfter: access.retryAfter === null ? null : iso(access.retryAfter),
		milliseconds,
		warnings,
	};
}

const accessStyles = {
	rules: "cyan",
	"allow-all": "green",
	"disallow-all": "red",
} as const;

function textOf(
	{ robotsUrl, outcome, access, milliseconds, warnings }: Fetched,
	options: FetchOptions,
): string {
	const { redirects = [], status, failure, ftpReply } = outcome;
	// Redirects are shown in order, as they decide which file this is.
	const lines = redirects.map(({ status, url }) =>
		detail("redirect", `${status} to ${url}`),
	);
	const time = `${milliseconds.toLocaleString("en-US")} ms`;
	lines.push(
		failure
			? detail("failure", `${failure.code}: ${failure.message} (${time})`)
			: detail(
					"status",
					ftpReply === undefined
						? `${status} (${time})`
						: `FTP reply ${ftpReply} (${time})`,
				),
	);
	// Facts about the file only where there is one.
	if (outcome.body)
		lines.push(detail("file", fileOf(outcome, access, options)));
	lines.push(
		`  ${paint("dim", "meaning".padEnd(9))} ${paint(accessStyles[access.access], access.access)}: ${printable(access.reason)}`,
		detail("expires", `${iso(access.expires)} (${spanOf(access)})`),
	);
	if (access.retryAfter !== null)
		lines.push(detail("retry", `not before ${iso(access.retryAfter)}`));
	// The option is named where it would have helped.
	if (access.code === "address-refused")
		lines.push(detail("option", "--allow-private-network asks such addresses"));
	for (const warning of warnings) lines.push(detail("warning", warning));
	return `${paint("bold", printable(robotsUrl))}\n${lines.join("\n")}\n`;
}

function fileOf(
	{ body = new Uint8Array(), truncated = false, headers }: HttpOutcome,
	{ code }: RobotsAccess,
	{ dialect, maxBytes }: FetchOptions,
): string {
	const { groups, sitemaps } = RobotsTxt.parse(body, {
		dialect,
		...(maxBytes === undefined ? {} : { maxBytes }),
	});
	// Parsed for its counts; the rules themselves are other commands' business.
	const type = (headers as Headers | undefined)?.get("content-type");
	const rules = groups.reduce((sum, group) => sum + group.rules.length, 0);
	return [
		count(sizeOf({ body, truncated }), "byte") +
			(!truncated
				? ""
				: code === "too-large"
					? " and more"
					: " and more, which are ignored"),
		...(type ? [type] : []),
		count(groups.length, "group"),
		count(rules, "rule"),
		count(sitemaps.length, "sitemap"),
	].join(", ");
}

function detail(label: string, text: string): string {
	return `  ${paint("dim", label.padEnd(9))} ${printable(text)}`;
}

/** How long an answer holds: "in 24 hours". */
function spanOf({ askedAt, expires }: RobotsAccess): string {
	const seconds = Math.round((expires - askedAt) / 1000);
	// Rounded to the largest unit of which there are at least two.
	if (seconds < 120) return `in ${count(seconds, "second")}`;
	if (seconds < 7200) return `in ${count(Math.round(seconds / 60), "minute")}`;
	if (seconds < 172_800)
		return `in ${count(Math.round(seconds / 3600), "hour")}`;
	return `in ${count(Math.round(seconds / 86_400), "day")}`;
}
