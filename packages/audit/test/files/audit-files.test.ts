import {
	createReadStream,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RobotrieErrorCode } from "../../../../src/index.ts";
import { casesOf } from "../../../../test/cases.ts";
import { robotrie } from "../../../cli/test/run.ts";
import type {
	AuditFilesOptions,
	FilesProgress,
	FilesRemark,
	LogSource,
	OpenedLog,
} from "../../src/files.ts";
import type { AuditReport, LogAudit } from "../../src/index.ts";
import { testFolder } from "./sample.ts";

/** Threads run what the build made; all else here runs it, too, so that there is one class of errors. */
const dist = (name: string) =>
	new URL(`../../dist/${name}.js`, import.meta.url).href;
const { auditFiles, readNetworks } = (await import(
	dist("files")
)) as typeof import("../../src/files.ts");
const { LogAudit: OnePass } = (await import(
	dist("index")
)) as typeof import("../../src/index.ts");

const { folder, file } = testFolder();

const sample = (name: string) =>
	new URL(`../../../../sample/${name}`, import.meta.url);
const robotsFile = "sample/robots.txt";
const robots = [
	{ file: robotsFile, bytes: readFileSync(sample("robots.txt")) },
];
const lines = readFileSync(sample("access.log"), "utf8").split(/(?<=\n)/);
const whole = lines.join("");

/** What LogAudit counts of one log after the other. */
async function onePass(
	texts: readonly (readonly [name: string, text: string])[],
	options: Partial<AuditFilesOptions> = {},
): Promise<LogAudit> {
	const audit = new OnePass({ robots, ...options });
	for (const [name, text] of texts) await audit.add(name, [Buffer.from(text)]);
	return audit;
}

const expected = (await onePass([["access.log", whole]])).report();

/** More than a thread's smallest part of a file, so that it is cut. */
const large = whole.repeat(40);
const largeFile = file("large.log", large);
const zipped = file("large.log.gz", gzipSync(large, { level: 1 }));

describe("A large file has one report", () => {
	const rows = [1, 3].flatMap((workers) => [
		{ what: "plain", workers, log: largeFile },
		{ what: "gzip", workers, log: zipped },
	]);
	test.each(rows)("$what, with $workers threads", async ({ workers, log }) => {
		const audit = await auditFiles(log, { robots, workers });
		expect(audit.lines).toBe(40 * expected.lines);
		expect(audit.report()).toEqual((await onePass([[log, large]])).report());
	});

	test("which is the command's", async () => {
		const { stdout, code } = await robotrie([
			"audit",
			"-r",
			robotsFile,
			"-o",
			"json",
			largeFile,
		]);
		const report = (
			await auditFiles(largeFile, { robots, workers: 2 })
		).report();
		expect(code).toBe(0);
		expect(JSON.parse(stdout.toString())).toMatchObject(
			JSON.parse(JSON.stringify(report)) as AuditReport,
		);
	});
});

test("any parts of a log, plain or not, in any order, with any number of threads: the report of the whole", () =>
	fc.assert(
		fc.asyncProperty(
			fc.uniqueArray(fc.nat(lines.length - 1), { maxLength: 6 }),
			fc.infiniteStream(fc.constantFrom("plain", "gzip", "stream")),
			fc.infiniteStream(fc.nat()),
			fc.integer({ min: 1, max: 3 }),
			async (cuts, kinds, ranks, workers) => {
				const ends = [...cuts.sort((a, b) => a - b), lines.length];
				const logs = ends.map((end, i): LogSource => {
					const text = lines.slice(ends[i - 1] ?? 0, end).join("");
					const bytes = Buffer.from(text);
					switch (kinds.next().value) {
						case "plain":
							return file(`part-${i}.log`, bytes);
						case "gzip":
							return file(`part-${i}.log.gz`, gzipSync(bytes));
						default:
							return { name: `part-${i}`, chunks: [gzipSync(bytes)] };
					}
				});
				const rank = new Map(logs.map((log) => [log, ranks.next().value]));
				const order = (log: LogSource) => rank.get(log) ?? 0;
				const shuffled = logs.toSorted((a, b) => order(a) - order(b));
				const audit = await auditFiles(shuffled, { robots, workers });
				expect({ ...audit.report(), logs: expected.logs }).toEqual(expected);
			},
		),
		{ numRuns: casesOf(10) },
	));

/** Two logs, so that there is work for two threads. */
const halves = [lines.slice(0, 1700), lines.slice(1700)].map(
	(half, i) => [join(folder, `half-${i}.log`), half.join("")] as const,
);
for (const [path, text] of halves) writeFileSync(path, text);
const paths = halves.map(([path]) => path);

describe("With options,", () => {
	const systemOf = () => "AS64500 Example";
	const networks = file(
		"asn.csv",
		"network,asn,as_name\n0.0.0.0/0,AS64500,Example\n::/0,AS64500,Example\n",
	);
	/** DNS that knows no address: crawlers whose operators document domains are "claimed". */
	const resolve = {
		resolvePtr: async () => [],
		resolve4: async () => [],
		resolve6: async () => [],
	};
	test.each<[string, Partial<AuditFilesOptions>, Partial<AuditFilesOptions>?]>([
		["a format and crawlers", { format: "combined", agents: ["ExampleAI"] }],
		["a period", { since: new Date("2025-10-14T12:00:00Z") }],
		["paths and suspects", { paths: true, suspects: true }],
		["a time zone and steps", { timeZone: "Europe/Berlin", every: "hour" }],
		["anonymous addresses", { anonymize: true }],
		["what names networks", { systemOf }],
		["files that name networks", { asn: [networks] }, { systemOf }],
		["DNS", { resolve, crawlers: ["Example*"] }],
	])(
		"%s: the report is that of LogAudit",
		async (_, options, same = options) => {
			const given = { robots, ...options, workers: 2 };
			const audit = await auditFiles(paths, given);
			const one = await onePass(halves, same);
			expect(audit.report()).toEqual(one.report());
		},
	);

	test("what readNetworks gives, the report is that of its files", async () => {
		const options = { robots, workers: 2 };
		const given = { ...options, systemOf: await readNetworks(networks) };
		const [named, read] = await Promise.all([
			auditFiles(paths, given),
			auditFiles(paths, { ...options, asn: [networks] }),
		]);
		expect(named.report()).toEqual(read.report());
	});

	test("keepState, the state has the same bytes with any number of threads, and those of the command", async () => {
		const states = await Promise.all(
			[1, 2, 3].map(async (workers) => {
				const options = { robots, workers, keepState: true };
				return (await auditFiles(paths, options)).state();
			}),
		);
		const path = join(folder, "command.state");
		await robotrie(["audit", "-r", robotsFile, "--state", path, ...paths]);
		const [first = new Uint8Array(0), ...others] = states;
		for (const state of [...others, readFileSync(path)])
			expect(Buffer.compare(state, first)).toBe(0);
		const merged = new OnePass({ robots });
		await merged.addState(first);
		expect(merged.lines).toBe(expected.lines);
	});

	test.each([1, 2])(
		"each, violations and state, %d threads write what the command writes",
		async (workers) => {
			for (const format of ["ndjson", "csv"] as const) {
				const out = ["each", "violations", "state"].map((name) =>
					join(folder, `${name}.${format}`),
				);
				const [each = "", violations = "", state = ""] = out;
				await robotrie([
					...["audit", "-r", robotsFile, "--each", each, "--each-all"],
					...["--violations", violations, "--state", state, ...paths],
				]);
				const written: Uint8Array[][] = out.map(() => []);
				const to = (index: number) => async (bytes: Uint8Array) => {
					await new Promise(setImmediate);
					written[index]?.push(bytes);
				};
				await auditFiles(paths, {
					robots,
					workers,
					each: { format, all: true, write: to(0) },
					violations: to(1),
					state: to(2),
				});
				for (const [index, path] of out.entries())
					expect(
						Buffer.concat(written[index] ?? []).equals(readFileSync(path)),
					).toBe(true);
			}
		},
	);

	test("each, a single log's rows do not name it", async () => {
		const parts: Uint8Array[] = [];
		const write = (bytes: Uint8Array) => void parts.push(bytes);
		await auditFiles(paths[0] ?? "", { robots, each: { write } });
		const [first = ""] = Buffer.concat(parts).toString().split("\n");
		expect(JSON.parse(first)).toMatchObject({ line: 1 });
		expect(first).not.toContain("file");
	});

	test("what writes bytes may end the audit by its error", async () => {
		const error = new Error("no room");
		const write = () => Promise.reject(error);
		const options = { robots, workers: 2, each: { write } };
		await expect(auditFiles(paths, options)).rejects.toBe(error);
	});

	test("onOpen, logs are told in their order before anything is written", async () => {
		const calls: unknown[] = [];
		const write = () => void calls.push("written");
		const onOpen = async (logs: readonly OpenedLog[]) => {
			await new Promise(setImmediate);
			calls.push(...logs);
		};
		const shuffled = paths.toReversed();
		await auditFiles(shuffled, { robots, state: write, onOpen });
		expect(calls.slice(0, 3)).toEqual([
			...paths.map((name) => ({
				name,
				format: "combined",
				bytes: statSync(name).size,
			})),
			"written",
		]);
	});

	test("withPeople, headers of people are counted as well", async () => {
		const options = { robots, groupBy: "header", withPeople: true } as const;
		const report = (await auditFiles(paths, options)).report();
		const categories = report.crawlers.map(({ category }) => category);
		expect(categories).toContain("person");
	});

	test("withPeople, those of a log that is added later count as well", async () => {
		const options = { robots, groupBy: "header", withPeople: true } as const;
		const [first = "", second = ""] = paths;
		const audit = await auditFiles(first, options);
		await audit.add(second, createReadStream(second));
		expect(audit.report()).toEqual((await auditFiles(paths, options)).report());
	});

	test("onProgress, the last call has all bytes and lines", async () => {
		const calls: FilesProgress[] = [];
		const logs = [...paths, file("third.log.gz", gzipSync(whole))];
		await auditFiles(logs, {
			robots,
			workers: 2,
			onProgress: (progress) => calls.push(progress),
		});
		const total = logs.reduce((sum, log) => sum + statSync(log).size, 0);
		expect(calls.at(-1)).toEqual({
			bytes: total,
			total,
			lines: 2 * expected.lines,
			crawlers: expected.crawlers.length,
		});
		for (const name of ["bytes", "lines", "crawlers"] as const) {
			const values = calls.map((call) => call[name]);
			expect(values).toEqual(values.toSorted((a, b) => a - b));
		}
	});

	test("onRemark, logs are told that count twice, or have nothing for trustedProxies", async () => {
		const one = file("one.log", whole);
		const same = file("same.log.gz", gzipSync(whole));
		const remarks: string[] = [];
		const codes: string[] = [];
		const onRemark = (text: string, { code, log }: FilesRemark) => {
			remarks.push(text);
			codes.push(`${code} ${log}`);
		};
		const options = { robots, onRemark, trustedProxies: ["1"] };
		await auditFiles([one, same], options);
		expect(remarks).toEqual([
			...[one, same].map(
				(name) =>
					`lines of ${name} have no X-Forwarded-For, so trustedProxies changes nothing there`,
			),
			`${same} has the same content as ${one}, so that its requests count twice`,
		]);
		expect(codes).toEqual([
			`without-forwarded ${one}`,
			`without-forwarded ${same}`,
			`same-content ${same}`,
		]);
	});
});

test("a stream may be stdin, a file's stream or compressed chunks", async () => {
	const gzip = gzipSync(whole);
	const chunks = Array.from({ length: 10 }, (_, i) =>
		gzip.subarray((i * gzip.length) / 10, ((i + 1) * gzip.length) / 10),
	);
	for (const stream of [createReadStream(sample("access.log")), chunks]) {
		const log = { name: "access.log", chunks: stream };
		const audit = await auditFiles(log, { robots, workers: 3 });
		expect(audit.report()).toEqual(expected);
	}
});

describe("A stream is ended, also before it was counted,", () => {
	const ended: string[] = [];
	const streams = (...texts: string[]) => {
		ended.length = 0;
		return texts.map((text, i) => {
			async function* chunks() {
				try {
					// More than is read to open it.
					for (const line of text.split(/(?<=\n)/)) yield Buffer.from(line);
				} finally {
					ended.push(`log ${i}`);
				}
			}
			return { name: `log ${i}`, chunks: chunks() };
		});
	};

	test("when the next one's format cannot be detected", async () => {
		const logs = streams(whole, "?\n".repeat(100_000));
		await expect(auditFiles(logs, { robots })).rejects.toThrow("log 1");
		expect(ended.toSorted()).toEqual(["log 0", "log 1"]);
	});

	test("when onOpen throws", async () => {
		const error = new Error("no room");
		const onOpen = () => Promise.reject(error);
		const logs = streams(whole, whole);
		await expect(auditFiles(logs, { robots, onOpen })).rejects.toBe(error);
		expect(ended).toEqual(["log 0", "log 1"]);
	});
});

test("a file that is gone when copies are looked for was counted nevertheless", async () => {
	const logs = ["kept", "rotated", "copy"].map((name) =>
		file(`${name}.log`, whole),
	);
	const [kept, rotated = "", copy] = logs;
	const total = logs.length * Buffer.byteLength(whole);
	const remarks: string[] = [];
	const audit = await auditFiles(logs, {
		robots,
		workers: 1,
		onProgress: ({ bytes }) => {
			if (bytes === total) rmSync(rotated);
		},
		onRemark: (text) => remarks.push(text),
	});
	expect(audit.lines).toBe(3 * expected.lines);
	expect(remarks).toEqual([
		`${copy} has the same content as ${kept}, so that its requests count twice`,
	]);
});

describe("What cannot be audited is a RobotrieError", () => {
	const missing = join(folder, "missing.log");
	const cut = file("cut.log.gz", gzipSync(whole).subarray(0, 1000));
	const parquet = { name: "a stream", chunks: [Buffer.from("PAR1PAR1")] };
	const stream = (...chunks: unknown[]) => ({
		name: "a stream",
		chunks: chunks as Uint8Array[],
	});
	const xml = { format: "xml", write: () => {} };
	test.each<
		[
			what: string,
			logs: unknown,
			code: RobotrieErrorCode,
			message: string,
			options?: object,
		]
	>([
		[
			"a missing file",
			missing,
			"unreadable",
			`cannot read ${missing}: no such`,
		],
		["one of several", [...paths, missing], "unreadable", "cannot read"],
		["a folder", folder, "unreadable", "is a directory; name its files"],
		["cut gzip", cut, "malformed", `${cut} holds damaged gzip data`],
		["a thread's cut gzip", [cut, cut], "malformed", "damaged gzip"],
		["no format", stream(Buffer.from("?\n")), "invalid-argument", "format of"],
		["Parquet as a stream", parquet, "malformed", "name a file"],
		["chunks of text", stream("text"), "invalid-argument", "chunk of bytes"],
		["no log", [], "invalid-argument", "needs a log"],
		["a number", 7, "invalid-argument", "logs"],
		["no robots.txt", paths, "invalid-argument", "robots", { robots: [] }],
		["no threads", paths, "invalid-argument", "workers", { workers: 0 }],
		["no option", paths, "invalid-argument", "worker", { worker: 2 }],
		[
			"a file of no networks",
			paths,
			"malformed",
			"is not a file of networks",
			{ asn: [zipped] },
		],
		["rows of XML", paths, "invalid-argument", "format", { each: xml }],
		["rows that go nowhere", paths, "invalid-argument", "write", { each: {} }],
		[
			"people in a state",
			paths,
			"invalid-argument",
			"withPeople",
			{ withPeople: true, keepState: true },
		],
		[
			"networks twice",
			paths,
			"invalid-argument",
			"asn and systemOf",
			{ asn: [zipped], systemOf: () => undefined },
		],
	])("%s", async (_, logs, code, message, options = {}) => {
		const all = { robots, workers: 2, ...options };
		await expect(auditFiles(logs as LogSource, all)).rejects.toMatchObject({
			name: "RobotrieError",
			code,
			message: expect.stringContaining(message),
		});
	});

	test.each([
		["that is missing", missing, "unreadable"],
		["of other content", zipped, "malformed"],
	])("a file of networks %s", async (_, path, code) => {
		await expect(readNetworks(path)).rejects.toMatchObject({
			name: "RobotrieError",
			code,
		});
	});
});

describe("A signal that is aborted ends the audit with its reason", () => {
	const reason = new Error("enough");
	test("before it begins", async () => {
		const signal = AbortSignal.abort(reason);
		await expect(
			auditFiles(join(folder, "none"), { robots, signal }),
		).rejects.toBe(reason);
	});

	test.each([1, 2])("after some lines, with %d threads", async (workers) => {
		const controller = new AbortController();
		let calls = 0;
		const onProgress = () => {
			calls++;
			controller.abort(reason);
		};
		const { signal } = controller;
		const options = { robots, workers, signal, onProgress };
		await expect(auditFiles(paths, options)).rejects.toBe(reason);
		expect(calls).toBe(1);
	});

	test("while onOpen waits: nothing is written or told afterwards", async () => {
		const controller = new AbortController();
		const calls: string[] = [];
		const call = (name: string) => () => void calls.push(name);
		let release = () => {};
		const held = new Promise<void>((resolve) => {
			release = resolve;
		});
		let isEnded = false;
		async function* chunks() {
			try {
				for (const line of lines) yield Buffer.from(line);
			} finally {
				isEnded = true;
			}
		}
		const audit = auditFiles(
			{ name: "a stream", chunks: chunks() },
			{
				robots,
				signal: controller.signal,
				onOpen: () => {
					controller.abort(reason);
					return held;
				},
				each: { format: "csv", write: call("each") },
				violations: call("violations"),
				state: call("state"),
				onProgress: call("progress"),
			},
		);
		await expect(audit).rejects.toBe(reason);
		release();
		await expect.poll(() => isEnded).toBe(true);
		expect(calls).toEqual([]);
	});

	test("while something is written: nothing is written afterwards", async () => {
		const controller = new AbortController();
		const calls: string[] = [];
		let release = () => {};
		const held = new Promise<void>((resolve) => {
			release = resolve;
		});
		let isEnded = false;
		async function* chunks() {
			try {
				// The last chunk is not read by the time of the first rows.
				for (let i = 0; i < 20; i++) yield Buffer.from(whole);
			} finally {
				isEnded = true;
			}
		}
		const audit = auditFiles(
			{ name: "a stream", chunks: chunks() },
			{
				robots,
				signal: controller.signal,
				each: {
					write: () => {
						calls.push("each");
						controller.abort(reason);
						return held;
					},
				},
				state: (bytes) => {
					if (calls.length > 0) calls.push(`state of ${bytes.length}`);
				},
				onProgress: () => calls.push("progress"),
			},
		);
		await expect(audit).rejects.toBe(reason);
		release();
		await expect.poll(() => isEnded).toBe(true);
		expect(calls).toEqual(["each"]);
	});

	test("while a stream gives nothing, which is ended", async () => {
		const controller = new AbortController();
		let isEnded = false;
		let release = () => {};
		const held = new Promise<void>((resolve) => {
			release = resolve;
		});
		async function* silent() {
			try {
				yield Buffer.from(whole);
				controller.abort(reason);
				await held;
				yield Buffer.from(whole);
			} finally {
				isEnded = true;
			}
		}
		const { signal } = controller;
		const log = { name: "a stream", chunks: silent() };
		await expect(auditFiles(log, { robots, signal })).rejects.toBe(reason);
		release();
		await expect.poll(() => isEnded).toBe(true);
	});
});
