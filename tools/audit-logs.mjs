// The lines of the logs that tools/bench-audit.mjs times.
import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const REAL = "../shared/corpus/access-combined.log.gz";
const AGENTS = 20_000;

/** What the lines come to with sample/robots.txt, by the slow auditor of the tests (packages/audit/test/slow-audit.test.ts compares). */
export const counts = {
	real: { lines: 10_000, requests: 2667, disallowed: 13 },
	sample: { lines: 3000, requests: 2515, disallowed: 1052 },
};

/** Real lines, or those that stand in for them; and what they come to. */
export function readCorpus() {
	const isReal = existsSync(REAL);
	if (!isReal)
		process.stderr.write(
			`${REAL} is not here: the lines of sample/access.log stand in for real ones\n`,
		);
	const corpus = isReal
		? gunzipSync(readFileSync(REAL))
		: readFileSync("sample/access.log");
	return { corpus, isReal, oneCopy: isReal ? counts.real : counts.sample };
}

/** The real lines, with one of 20,000 endings to each header: as many headers as a large site meets in a week. */
export function manyAgents(corpus) {
	const lines = corpus.toString("latin1").trimEnd().split("\n");
	const headers = [
		...new Set(lines.map((line) => line.split('"')[5]).filter(Boolean)),
	];
	let state = 9309;
	return () =>
		Buffer.from(
			`${lines
				.map((line) => {
					state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
					const agent = (state >>> 8) % AGENTS;
					// So that there are 20,000 headers in all, each number has one of the real headers.
					const header = headers[agent % headers.length];
					return `${line.slice(0, line.lastIndexOf(' "'))} "${header} v${agent}"`;
				})
				.join("\n")}\n`,
			"latin1",
		);
}

/** The real lines, as a server writes them that has one JSON object a line. */
export function asJson(corpus) {
	const LINE =
		/^(\S+) .+? \[(\d+)\/(\w+)\/(\d+):(\S+) [^\]]+\] "(\S+) (\S+)[^"]*" (\d+) (\S+) "(.*?)" "(.*)"$/;
	const lines = corpus
		.toString("latin1")
		.split("\n")
		.flatMap((line) => {
			const match = LINE.exec(line);
			if (!match) return [];
			const [
				,
				ip,
				day,
				month,
				year,
				clock,
				method,
				target,
				status,
				bytes,
				referer,
				agent,
			] = match;
			const time = new Date(`${day} ${month} ${year} ${clock} UTC`);
			return [
				JSON.stringify({
					ClientIP: ip,
					ClientRequestHost: "shop.example",
					ClientRequestMethod: method,
					ClientRequestProtocol: "HTTP/1.1",
					ClientRequestReferer: referer,
					ClientRequestURI: target,
					ClientRequestUserAgent: agent,
					EdgeResponseBytes: Number(bytes) || 0,
					EdgeResponseStatus: Number(status),
					EdgeStartTimestamp: time.toISOString().replace(".000", ""),
					RayID: "3a6050bcbe121a87",
				}),
			];
		});
	const block = Buffer.from(`${lines.join("\n")}\n`);
	return () => block;
}
