import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { casesOf } from "../../../test/cases.ts";
import type { AuditReport } from "../../audit/src/index.ts";
import { file, robotrie } from "./run.ts";

const robots = file(
	"order-robots.txt",
	`User-agent: archive.org_bot
Disallow: /private
Crawl-delay: 2

User-agent: Mail.RU_Bot
Disallow: /b

User-agent: *
Disallow: /
`,
);

const headers = [
	"archive.org_bot",
	"Mozilla/5.0 (compatible; archive.org_bot; +http://x.example)",
	"Mail.RU_Bot/2.0",
	"Sogou web spider/4.0",
	"Screaming Frog SEO Spider/20.0",
	"GPTBot/1.0",
	"AdsBot-Google",
	"NeverSeenBot/1.0",
	"curl/8.5.0",
	"Mozilla/5.0 (X11; Linux x86_64; rv:1) Gecko/1 Firefox/1.0",
	"-",
];
const targets = ["/", "/b", "/private/1", "/private/2", "/robots.txt", "*"];

const request = fc.record({
	header: fc.constantFrom(...headers),
	target: fc.constantFrom(...targets),
	/** Seconds after the line before. */
	pause: fc.integer({ min: 0, max: 3 }),
});

function linesOf(
	requests: readonly { header: string; target: string; pause: number }[],
): string[] {
	let time = Date.UTC(2025, 9, 14);
	return requests.map(({ header, target, pause }) => {
		time += pause * 1000;
		const clock = new Date(time).toISOString().slice(11, 19);
		return `192.0.2.1 - - [14/Oct/2025:${clock} +0000] "GET ${target} HTTP/1.1" 200 5 "-" "${header}"\n`;
	});
}

test("splitting and compressing a log, and the number of workers, change no byte of a report", async () => {
	const audit = async (files: readonly string[], workers: number) => {
		const { stdout, stderr, code } = await robotrie([
			"audit",
			"-r",
			robots,
			"-f",
			"combined",
			"-o",
			"json",
			"--workers",
			String(workers),
			...files,
		]);
		// 2 where nothing was judged, as no request has a header.
		expect([0, 2]).toContain(code);
		// The report says so, too.
		expect(stderr).toMatch(
			/^(robotrie: (warning: .* (not for a URL|has a User-Agent header), .*|nothing was judged: .*)\n)*$/,
		);
		// The names of the logs differ, and a part may be without the headers that the whole has.
		const report = JSON.parse(stdout.toString()) as AuditReport;
		return JSON.stringify({
			...report,
			logs: [],
			warnings: report.warnings
				.filter((warning) => !warning.startsWith("no line of "))
				.map((warning) => warning.replace(/ in \S+\.log(\.gz)?;/, "")),
		});
	};
	await fc.assert(
		fc.asyncProperty(
			fc.array(request, { minLength: 1, maxLength: 200 }),
			fc.array(fc.tuple(fc.nat(200), fc.boolean()), { maxLength: 4 }),
			fc.integer({ min: 1, max: 4 }),
			async (requests, cuts, workers) => {
				const lines = linesOf(requests);
				const inOrder = cuts.toSorted(([a], [b]) => a - b);
				const parts = [[0, false] as const, ...inOrder].map(
					([from, isPacked], index) => {
						const to = inOrder[index]?.[0];
						const text = lines.slice(from, to).join("");
						const name = `part-${index}.log`;
						return isPacked
							? file(`${name}.gz`, gzipSync(text))
							: file(name, text);
					},
				);
				const whole = file("whole.log", lines.join(""));
				expect(await audit(parts, workers)).toBe(await audit([whole], 1));
			},
		),
		{
			numRuns: casesOf(12),
			examples: [
				[[{ header: "archive.org_bot", target: "*", pause: 0 }], [], 1],
				[[{ header: "-", target: "/", pause: 0 }], [], 1],
			],
		},
	);
});

test("the number of workers does not change what is found behind another crawler's line", async () => {
	const [first = ""] = linesOf([
		{ header: "archive.org_bot", target: "/x", pause: 0 },
	]);
	const [line = ""] = linesOf([
		{ header: "GPTBot/1.0", target: "/x", pause: 0 },
	]);
	// More than one task of 16 MiB.
	const count = 500_000;
	const log = file("behind.log", first + line.repeat(count));
	const found = await Promise.all(
		[1, 2, 3].map(async (workers) => {
			const { stdout, stderr, code } = await robotrie([
				"audit",
				"-r",
				robots,
				"-o",
				"json",
				"--workers",
				String(workers),
				log,
			]);
			expect([code, stderr]).toEqual([0, ""]);
			return stdout.toString();
		}),
	);
	const { crawlers } = JSON.parse(found[0] ?? "") as AuditReport;
	expect(crawlers[0]).toMatchObject({ name: "GPTBot", disallowed: count });
	expect(new Set(found).size).toBe(1);
});
