import type { PeerResult, PeerTimes } from "./measure.ts";

/** What a run of `npm run bench:peers` stores. */
export interface PeersRun {
	readonly data: {
		readonly source: string;
		readonly sites: number;
		readonly urls: number;
		readonly derived: number;
	};
	readonly engines: readonly PeerResult[];
	readonly skipped: readonly { readonly name: string; readonly why: string }[];
}

const digits = (value: number) => value.toFixed(value < 100 ? 1 : 0);

/** "hot (cold)" */
const times = (one: PeerTimes | undefined) =>
	one ? `${digits(one.hot)} (${digits(one.cold)})` : "";

const HEAD = [
	"engine",
	"wrong of URLs / of derived",
	"paths",
	"URLs",
	"strings",
	"one call",
	"shuffled",
	"derived",
	"largest file",
	"parse + compile first / best ms",
	"process ms",
	"MB",
	"hostile ms, 4 / 64 KiB each",
];

function row(one: PeerResult): string {
	const { name, version, takes, times: of, compile, hostile } = one;
	const urls = times(of.urls);
	const files = [...new Set(hostile.map((each) => each.name))].map((file) =>
		[4, 64]
			.map(
				(kib) =>
					hostile.find((each) => each.name === file && each.kib === kib)?.ms,
			)
			.map((ms) => (ms === null || ms === undefined ? "–" : ms.toPrecision(2)))
			.join(" / "),
	);
	const cells = [
		`${name} ${version}`.trim(),
		`${one.wrong} / ${one.derivedWrong}`,
		times(of.paths),
		takes === "bytes" ? urls : "",
		takes === "strings" ? urls : "",
		takes === "call" ? urls : "",
		times(of.shuffled),
		times(of.derived),
		times(of.largest),
		`${digits(compile.first)} / ${digits(compile.best)}`,
		digits(one.process),
		digits(one.memory / 1e6),
		files.join("; "),
	];
	return `| ${cells.join(" | ")} |\n`;
}

/** A run as a table: nanoseconds a line, hot, and cold in parentheses. */
export function peersTable({ data, engines, skipped }: PeersRun): string {
	const { source, sites, urls, derived } = data;
	return [
		`${source}: ${sites} sites, ${urls} URLs, ${derived} made from rules; ns a line: sum of each chunk's fastest run (median of whole passes, other engines' between)\n\n`,
		`| ${HEAD.join(" | ")} |\n|${"---|".repeat(HEAD.length)}\n`,
		...engines.map(row),
		...skipped.map(({ name, why }) => `skipped: ${name}: ${why}\n`),
	].join("");
}
