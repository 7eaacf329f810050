import { describe, expect, test } from "vitest";
import { sortLogs } from "../src/index.ts";

const bytes = (text: string) => Buffer.from(text);

/** A request on a day of October 2025. */
const line = (day: number) =>
	`192.0.2.1 - - [${day}/Oct/2025:03:00:00 +0000] "GET /a HTTP/1.1" 200 5 "-" "GPTBot/1.0"\n`;

const log = (name: string, ...chunks: readonly string[]) => ({
	name,
	open: () => chunks.map(bytes),
});

describe("Logs in order", () => {
	test("of their first times, those without one at the end", async () => {
		const logs = [
			log("empty"),
			log("b", line(12)),
			log("c", "GET /a\n"),
			log("a", line(11), line(13)),
		];
		const sorted = await sortLogs(logs, { format: "combined" });
		expect(sorted.map(({ log, format }) => [log.name, format])).toEqual([
			["a", "combined"],
			["b", "combined"],
			["empty", "combined"],
			["c", "combined"],
		]);
		expect(sorted[0]?.log).toBe(logs[3]);
	});

	test("tells whose lines have no User-Agent", async () => {
		const common = line(11).replace(/ "-".*$/m, "");
		const [first, second] = await sortLogs([
			log("a", common),
			log("b", line(12)),
		]);
		expect(first).toMatchObject({ format: "common", tellsAgent: false });
		expect(second).toMatchObject({ format: "combined", tellsAgent: true });
	});

	test("reads the beginning of each, and lets go of the rest", async () => {
		let given = 0;
		let isLeft = false;
		const open = function* () {
			try {
				for (;;) {
					given++;
					yield bytes(line(11).repeat(100));
				}
			} finally {
				isLeft = true;
			}
		};
		await sortLogs([{ name: "long", open }]);
		expect(isLeft).toBe(true);
		expect(given).toBeLessThan(10);
	});

	test("says where a format is not detected what to do", async () => {
		const odd = log("odd.log", "what is this\n");
		const advice = { choose: "choose it above", fields: "name them above" };
		await expect(sortLogs([odd], { advice })).rejects.toThrow(
			/^the format of odd\.log is not one of .*; choose it above$/,
		);
		await expect(sortLogs([odd])).rejects.toThrow(/log_format string$/);
	});

	test("refuses logs without hosts where robots.txt files are of several", async () => {
		const robots = ["a.test", "b.test"].map((host) => ({
			file: host,
			bytes: bytes(""),
			host,
		}));
		await expect(sortLogs([log("a", line(11))], { robots })).rejects.toThrow(
			"lines of a (combined) have no host",
		);
	});

	test("takes hosts that differ in case for one", async () => {
		const robots = ["A.test", "a.test"].map((host, at) => ({
			file: host,
			bytes: bytes(""),
			host,
			since: at,
		}));
		const [sorted] = await sortLogs([log("a", line(11))], { robots });
		expect(sorted?.format).toBe("combined");
	});
});
