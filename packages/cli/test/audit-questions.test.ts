import { describe, expect, test } from "vitest";
import { file, robotrie } from "./run.ts";

/** "14 GPTBot /a 10": a request on a day of October 2025, at noon UTC; "14T23" is at 23 o'clock. */
function entry(text: string): string {
	const [when = "", agent, path, bytes = "5"] = text.split(" ");
	const [day, hour = "12"] = when.split("T");
	return `192.0.2.1 - - [${day}/Oct/2025:${hour}:00:00 +0000] "GET ${path} HTTP/1.1" 200 ${bytes} "-" "${agent}/1.0"\n`;
}

function logOf(name: string, ...entries: readonly string[]): string {
	return file(name, entries.map(entry).join(""));
}

const rules = file("questions.txt", "User-agent: *\nDisallow: /private/\n");

async function audit(...args: readonly string[]) {
	const { stdout, stderr, code } = await robotrie(["audit", ...args]);
	return { stdout: stdout.toString(), stderr: stderr.toString(), code };
}

describe("a robots.txt that cannot be read", () => {
	const binary = file("binary.txt", "a\0b");
	const log = logOf("binary.log", "14 GPTBot /a");
	test("was obeyed by nobody, and cannot be checked", async () => {
		const { stdout, stderr, code } = await audit("-r", binary, log, "--check");
		expect(stdout).toMatch(
			/^Nothing was judged: .*binary\.txt cannot be read as\s+robots\.txt; 1\s+crawler came\./,
		);
		expect(stderr).toContain("binary.txt: The file has NUL bytes");
		expect(stderr).toContain("nothing was checked: no robots.txt can be read");
		expect(code).toBe(2);
	});
});

const taken = logOf(
	"taken.log",
	"14 GPTBot /shop/1 100",
	"14 GPTBot /shop/1 100",
	"14 GPTBot /shop/2 50",
	"14 CCBot /shop/1 250",
	"14 CCBot /private/x 500",
	"14 Googlebot /",
);

describe("what they take", () => {
	test("as a table", async () => {
		const { stdout } = await audit("-r", rules, "--paths", taken);
		expect(stdout).toContain(`
what they take     bytes of all statuses
CCBot          750 bytes  74.6% 2xx 100%
GPTBot         250 bytes  24.8% 2xx 100%
Googlebot        5 bytes   0.4% 2xx 100%

CCBot:
  sections: /private/ 1×, /shop/ 1×
  paths: /private/x 1×, /shop/1 1×
GPTBot:
  sections: /shop/ 3×
  paths: /shop/1 2×, /shop/2 1×
Googlebot:
  sections: / 1×
  paths: / 1×

1 page was taken by several AI crawlers:
  3× /shop/1  by 2: CCBot, GPTBot
`);
	});

	test("as CSV", async () => {
		const { stdout } = await audit("-r", rules, "--paths", "-o", "csv", taken);
		const [head = "", ...rows] = stdout.trim().split("\n");
		const columns = head.split(",");
		const of = (row: string) =>
			["name", "bytes_share", "top_section", "top_taken_path_requests"].map(
				(name) => row.split(",")[columns.indexOf(name)],
			);
		expect(rows.map(of)).toEqual([
			["CCBot", "74.62", "/private/", "1"],
			["GPTBot", "24.87", "/shop/", "2"],
			["Googlebot", "0.49", "/", "1"],
		]);
	});

	test("as a page, and the same for any number of threads and for states", async () => {
		const args = ["-r", rules, "--paths", "-o", "html"];
		const whole = await audit(...args, taken);
		expect(whole.stdout).toContain('<h2 class="screen">What they take</h2>');
		expect(whole.stdout).toContain("Pages that several AI crawlers take");
		const threads = await audit(...args, "--workers", "3", taken);
		expect(threads).toEqual(whole);
		const state = file("taken.state", "");
		await audit("-r", rules, "--paths", "--state", state, taken);
		expect(await audit("merge", "-o", "html", state)).toEqual(whole);
		const { stdout } = await audit(...args.slice(0, 2), "-o", "html", taken);
		expect(stdout).not.toContain("What they take");
	});
});

describe("suspects among browsers", () => {
	const args = ["-r", "sample/robots.txt", "--suspects"];
	const log = "sample/browsers.log";
	test("as a table, after named crawlers, who stay as they are", async () => {
		const both = await audit(...args, log, "sample/access.log");
		expect(both.stdout).toContain(`
suspects     requests pages images etc. disallowed
203.0.113.88      124   124           0         16
  2025-10-14 02:00 to 2025-10-14 02:04; no images, styles or scripts; never says
  which page it comes from; 25 pages a minute
These are suspicions: people behind proxies and some programs of people look
alike. Look at their requests in the log before you refuse them.
`);
		const plain = await audit(...args.slice(0, 2), log, "sample/access.log");
		expect(both.stdout.replace(/\nsuspects.*?refuse them\.\n/s, "")).toBe(
			plain.stdout,
		);
	});

	test("cut addresses, and the networks that they are in", async () => {
		const names = file(
			"suspects.csv",
			"start_ip,end_ip,asn,as_name\n203.0.113.0,203.0.113.255,AS64500,Example Hosting\n",
		);
		const { stdout } = await audit(...args, "--anonymize", "--asn", names, log);
		expect(stdout).toContain("\n203.0.113.0/24 ");
		expect(stdout).toContain(
			"\n  AS64500 Example Hosting; 2025-10-14 02:00 to",
		);
		expect(stdout).not.toContain("203.0.113.88");
	});

	test("as CSV, a row for each", async () => {
		const { stdout } = await audit(...args, "-o", "csv", log);
		expect(
			stdout,
		).toBe(`address,system,requests,pages,pages_estimated,page_requests,assets,referrers,robots_txt,disallowed,pages_per_minute,first_seen,last_seen,reason
203.0.113.88,,124,124,false,124,0,0,0,16,25,2025-10-14T02:00:00.000Z,2025-10-14T02:04:00.000Z,"no images, styles or scripts; never says which page it comes from; 25 pages a minute"
`);
		const both = [...args, "--every", "day", log];
		const state = file("both.state", "");
		await audit(...both, "--state", state, "--out", file("both.txt", ""));
		for (const given of [both, ["merge", state]]) {
			const { stderr, code } = await audit(...given, "-o", "csv");
			expect(stderr).toContain("csv is one table: give --every or --suspects");
			expect(code).toBe(2);
		}
	});

	test("none, and what a log lacks", async () => {
		const { stdout } = await audit("-r", rules, "--suspects", taken);
		expect(stdout).toContain(`
no suspects among 0 addresses with a browser's User-Agent
Not looked at: images, styles and scripts; referrers, as hardly any client in
these logs has them.
`);
	});

	test("the same for any number of threads and for states", async () => {
		const json = [...args, "-o", "json"];
		const whole = await audit(...json, log);
		expect(await audit(...json, "--workers", "3", log)).toEqual(whole);
		const state = file("suspects.state", "");
		await audit(...args, "--state", state, log);
		expect(await audit("merge", "-o", "json", state)).toEqual(whole);
		const { stderr } = await audit("merge", "--suspects", state);
		expect(stderr).toContain("unknown option '--suspects'");
	});
});

const days = logOf(
	"days.log",
	"14T22 GPTBot /",
	"14T23 GPTBot /private/a",
	"15T01 Googlebot /",
);

describe("where and when", () => {
	test("days are those of the zone", async () => {
		const zone = ["--time-zone", "Europe/Berlin", "--every", "day"];
		const { stdout } = await audit("-r", rules, ...zone, days);
		expect(stdout).toContain("since 15 October 2025 (GPTBot)");
		expect(stdout).toContain(
			"2025-10-15 00:00 to 2025-10-15 03:00 Europe/Berlin",
		);
		expect(stdout).toContain(`
by day     requests of AI crawlers disallowed
2025-10-15        3              2          1
`);
		const utc = await audit("-r", rules, "--every", "day", days);
		expect(utc.stdout).toContain(`
by day     requests of AI crawlers disallowed
2025-10-14        2              2          1
2025-10-15        1              0          0
`);
	});

	test("CSV has a row per crawler and step", async () => {
		const { stdout } = await audit(
			"-r",
			rules,
			"--time-zone",
			"Asia/Kolkata",
			"--every",
			"hour",
			"-o",
			"csv",
			days,
		);
		expect(
			stdout,
		).toBe(`start,name,category,purpose,verification,allowed,disallowed,other
2025-10-15T03:00:00.000+05:30,GPTBot,ai-training,ai-training,,1,0,0
2025-10-15T04:00:00.000+05:30,GPTBot,ai-training,ai-training,,0,1,0
2025-10-15T06:00:00.000+05:30,Googlebot,search,search,,1,0,0
`);
	});

	test.each<[what: string, since: string, requests: number]>([
		["midnight of the zone", "2025-10-15", 3],
		["a time of the zone", "2025-10-15 01:00", 2],
		["a time with an offset", "2025-10-15T01:00:00Z", 1],
	])("--since takes %s", async (_, since, requests) => {
		const { stdout } = await audit(
			"-r",
			rules,
			"--time-zone",
			"Europe/Berlin",
			"--since",
			since,
			"-o",
			"json",
			days,
		);
		expect(JSON.parse(stdout)).toMatchObject({ judged: requests });
	});

	test("the page has its times in the zone", async () => {
		const { stdout } = await audit(
			"-r",
			rules,
			"--time-zone",
			"Europe/Berlin",
			"--every",
			"hour",
			"-o",
			"html",
			days,
		);
		expect(stdout).toContain("Times are those of Europe/Berlin.");
		expect(stdout).toContain("2025-10-15 01:00 Europe/Berlin: 1 disallowed");
		expect(stdout).toContain("A bar is an hour.");
	});

	test("states of other zones are not merged", async () => {
		const [one, other] = ["zone-1.state", "zone-2.state"].map((name) =>
			file(name, ""),
		) as [string, string];
		await audit(
			"-r",
			rules,
			"--time-zone",
			"Asia/Kolkata",
			"--state",
			one,
			days,
		);
		await audit("-r", rules, "--state", other, days);
		const { stderr } = await audit("merge", one, other);
		expect(stderr).toMatch(/timeZone is/);
	});
});

describe("two periods of logs", () => {
	const log = logOf(
		"periods.log",
		"01 GPTBot /",
		"02 GPTBot /",
		"02T23 CCBot /private/x",
		"03 GPTBot /private/a",
		"04 GPTBot /private/b",
		"04T22 GPTBot /",
	);
	const args = ["compare", "-r", rules];

	test("a day at the end belongs to its period", async () => {
		const { stdout, stderr } = await audit(
			...args,
			"2025-10-01..2025-10-02",
			"2025-10-03..",
			log,
		);
		expect(stderr).toBe("");
		expect(
			stdout,
		).toBe(`GPTBot began to disregard robots.txt; CCBot did not come again. By their
User-Agent, not verified.
before: 2025-10-01 12:00 to 2025-10-02 23:00 UTC
now: 2025-10-03 12:00 to 2025-10-04 22:00 UTC

crawler a day now disregarding now obeyed   now
GPTBot    1.4 2.1            0   2 100.0% 33.3%
CCBot     0.7   -            1   -   0.0%     -

GPTBot began to disregard robots.txt: 2 of 3 requests
CCBot did not come again: 1 requests before
`);
	});

	test("days are those of the zone, and JSON has both", async () => {
		const { stdout } = await audit(
			...args,
			"--time-zone",
			"Europe/Berlin",
			"-o",
			"json",
			"..2025-10-02",
			"2025-10-03..2025-10-04",
			log,
		);
		expect(JSON.parse(stdout)).toMatchObject({
			before: { to: "2025-10-02T14:00:00.000+02:00" },
			after: {
				from: "2025-10-03T01:00:00.000+02:00",
				to: "2025-10-04T14:00:00.000+02:00",
				timeZone: "Europe/Berlin",
			},
		});
	});

	test.each<[given: string[], said: string]>([
		[["2025-10-01..", log], "audit compare needs two periods, then logs"],
		[
			["2025-10-01..", "..2025-10-02", "2025-10-01..", log],
			"audit compare needs two periods, then logs",
		],
		[
			["2025-10-02..2025-10-01", "2025-10-03..", log],
			"the period 2025-10-02..2025-10-01 ends before it begins",
		],
		[["..2025-10-02", "2025-10-03.."], "name files, as stdin can be read once"],
		[
			["..2025-10-02", "2025-10-03..", log, "--since", "2025-10-01"],
			"unknown option '--since'",
		],
		[
			["..2025-10-02", "2025-10-03..", log, "-o", "csv"],
			"Allowed choices are table, json",
		],
		[
			["..2025-10-02", "2025-10-03..", log, "--time-zone", "Mars"],
			'"Mars" is not a time zone such as Europe/Berlin or UTC',
		],
		[
			["..2025-10-02", "2025-10-03..", log, "--every", "day"],
			"unknown option '--every'",
		],
	])("%j is refused: %s", async (given, said) => {
		const { stderr, code } = await audit(...args, ...given);
		expect(stderr).toContain(said);
		expect(code).toBe(2);
	});
});
