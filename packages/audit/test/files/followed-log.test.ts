import {
	appendFileSync,
	closeSync,
	copyFileSync,
	existsSync,
	ftruncateSync,
	mkdtempSync,
	openSync,
	readdirSync,
	renameSync,
	rmSync,
	statSync,
	writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { casesOf } from "../../../../test/cases.ts";
import { file, robotrie } from "../../../cli/test/run.ts";
import {
	type FilePosition,
	FollowedLog,
	GRACE,
	type LogPosition,
} from "../../src/files/followed-log.ts";
import { pack, unpack } from "../../src/state/state-codec.ts";

/**
 * Every line that is written is read once, however the log is rotated between two looks; where that cannot be, it is said. Looks and their
 * times are the tests': nothing here waits.
 */

/** What writes a log and rotates it. */
class Writer {
	readonly folder = mkdtempSync(join(tmpdir(), "robotrie-follow-"));
	readonly path = join(this.folder, "access.log");
	readonly written: string[] = [];
	/** Written to a file that was emptied before all of it can have been read. */
	readonly risked = new Set<string>();
	#descriptors = [openSync(this.path, "a")];
	/** Lines of the file that has the name. */
	#current: string[] = [];
	#rotations = 0;
	#half: string | undefined;

	/** @param back 0: to the file that has the name; 1: to the one before it, as after a graceful restart. */
	write(count: number, length: number, back = 0): void {
		const fd = this.#descriptors.at(-1 - back) ?? this.#descriptors[0];
		if (fd === undefined) return;
		for (let i = 0; i < count; i++) {
			const line = `${this.written.length} ${"x".repeat(length)}`;
			this.written.push(line);
			if (fd === this.#descriptors.at(-1)) this.#current.push(line);
			writeSync(fd, `${line}\n`);
		}
	}

	/** The files before get another name, too. */
	rename(isDated: boolean): void {
		renameSync(this.path, this.#rotated(isDated));
		this.#descriptors.push(openSync(this.path, "a"));
		this.#current = [];
	}

	/** The first half of a line. */
	begin(): void {
		this.#half = `${this.written.length} half`;
		this.written.push(this.#half);
		this.#current.push(this.#half);
		writeSync(this.#descriptors.at(-1) as number, this.#half.slice(0, -2));
	}

	/** The second one. */
	finish(): void {
		if (this.#half === undefined) return;
		const rest = this.#half.slice(-2);
		writeSync(this.#descriptors.at(-1) as number, `${rest}\n`);
		this.#half = undefined;
	}

	/** Rotated files go, after their writers. */
	delete(): void {
		this.forsakeOld();
		for (const name of readdirSync(this.folder))
			if (name !== "access.log") rmSync(join(this.folder, name));
	}

	copyAndEmpty(): void {
		copyFileSync(this.path, this.#rotated(false));
		for (const line of this.#current) this.risked.add(line);
		ftruncateSync(this.#descriptors.at(-1) as number);
		this.#current = [];
	}

	/** Of all files only that with the name is known to be the log's: others may have been there before it. */
	forsakeOld(): void {
		this.endOld();
		for (const line of this.written)
			if (!this.#current.includes(line)) this.risked.add(line);
	}

	get isEmpty(): boolean {
		return this.#current.length === 0;
	}

	/** Writers of files that have another name end. */
	endOld(): void {
		for (const fd of this.#descriptors.splice(0, this.#descriptors.length - 1))
			closeSync(fd);
	}

	end(): void {
		this.endOld();
		closeSync(this.#descriptors[0] as number);
		rmSync(this.folder, { recursive: true });
	}

	#rotated(isDated: boolean): string {
		const at = (number: number) => `${this.path}.${number}`;
		if (isDated) return `${this.path}-2026112800${100 + this.#rotations++}`;
		let last = 1;
		while (existsSync(at(last))) last++;
		for (; last > 1; last--) renameSync(at(last - 1), at(last));
		return at(1);
	}
}

/** As keys of positions are. */
function keyAt(folder: string, name: string): string {
	const found = statSync(join(folder, name), { bigint: true });
	return `${found.dev} ${found.ino} ${found.birthtimeNs}`;
}

/** What reads it, may be killed, and goes on from what it has kept last. */
class Reader {
	now = 0;
	losses = 0;
	lines: string[] = [];
	/** Of each file the beginning of a line. */
	readonly #rests = new Map<number, string>();
	#log: FollowedLog | undefined;
	#kept: { lines: string[]; position: LogPosition; losses: number } | undefined;

	async open(path: string): Promise<void> {
		const { lines = [], position, losses = 0 } = this.#kept ?? {};
		this.lines = [...lines];
		this.losses = losses;
		this.#rests.clear();
		const onLoss = () => {
			this.losses++;
		};
		// Stored as bytes, as a state is.
		const from = position && unpack(pack(position));
		this.#log = await FollowedLog.open(
			path,
			onLoss,
			from as LogPosition | undefined,
		);
		if (!from) this.keep();
	}

	/** Whether a file of those that it has kept is still in a folder: nothing else tells which of the others came later. */
	knowsOne(folder: string): boolean {
		const { files = [], known = [] } = this.#kept?.position ?? {};
		const keys = new Set([...known, ...files.map(({ key }) => key)]);
		return readdirSync(folder).some((name) => keys.has(keyAt(folder, name)));
	}

	/** Whether it has kept that bytes of the file with the log's name were read. */
	hasReadOf({ folder }: Writer): boolean {
		const key = keyAt(folder, "access.log");
		const { files = [] } = this.#kept?.position ?? {};
		return files.some((file) => file.key === key && file.at > 0);
	}

	/** @param most Bytes are taken so many times, and kept each time; more have been read. */
	async look(isLast = false, most = Number.POSITIVE_INFINITY): Promise<void> {
		const log = this.#log as FollowedLog;
		const found = isLast ? log.last(this.now) : log.look(this.now);
		let next = found.next();
		for (let times = 1; ; times++) {
			const { done, value } = await next;
			if (done) break;
			const { file, bytes, isCut } = value;
			const text = (this.#rests.get(file) ?? "") + Buffer.from(bytes ?? []);
			const isWhole = !bytes && !isCut;
			const end = isWhole ? text.length : text.lastIndexOf("\n") + 1;
			this.lines.push(...text.slice(0, end).split("\n").filter(Boolean));
			this.#rests.set(file, text.slice(end));
			// As follow-log.ts does: what was counted is kept once the next bytes are asked for, which may have come.
			next = found.next();
			if (most === Number.POSITIVE_INFINITY) continue;
			this.keep();
			await next;
			if (times === most) break;
		}
	}

	/** Files and their places, and what was counted up to there. */
	keep(): void {
		const { lines, losses } = this;
		const unfinished = (file: number | undefined) =>
			Buffer.byteLength(this.#rests.get(file ?? -1) ?? "");
		const position = (this.#log as FollowedLog).position(
			(file): Pick<FilePosition, "unfinished"> => ({
				unfinished: unfinished(file),
			}),
		);
		this.#kept = { lines: [...lines], position, losses };
	}

	close(): Promise<void> | undefined {
		return this.#log?.close();
	}
}

type Step =
	| { kind: "write" | "late"; count: number; length: number }
	| { kind: (typeof kinds)[number] };

/**
 * "keep": it looks, and keeps what it has; "kill": it is gone until the next look; "die": likewise, in the middle of a look, of which it keeps
 * some; "half": a line that is written to its end when something else is done; "delete": rotated files go while nobody looks.
 */
const kinds = [
	...(["rename", "rename", "date", "empty", "look", "wait", "keep"] as const),
	...(["keep", "kill", "die", "half", "delete"] as const),
] as const;

const step: fc.Arbitrary<Step> = fc.oneof(
	{
		weight: 5,
		arbitrary: fc.record({
			kind: fc.constantFrom("write" as const, "late" as const),
			count: fc.integer({ min: 1, max: 20 }),
			length: fc.nat(300),
		}),
	},
	{
		weight: 6,
		arbitrary: fc.record({
			kind: fc.constantFrom(...kinds),
		}),
	},
);

async function run(steps: readonly Step[]) {
	const writer = new Writer();
	const reader = new Reader();
	try {
		await reader.open(writer.path);
		let isSeen = false;
		let isAlive = true;
		/** A copy is all that is left of lines that were never read: without it nobody can know of them. */
		let isOnlyCopy = false;
		const revive = async () => {
			if (!isAlive) {
				if (!reader.knowsOne(writer.folder)) writer.forsakeOld();
				await reader.open(writer.path);
			}
			isAlive = true;
			isOnlyCopy = false;
		};
		const looks = ["look", "wait", "keep", "die"];
		for (const each of steps) {
			reader.now += 200;
			if (looks.includes(each.kind)) await revive();
			else if (each.kind !== "kill") writer.finish();
			if (each.kind === "keep") {
				await reader.look();
				reader.keep();
			} else if (each.kind === "kill" || each.kind === "die") {
				if (each.kind === "die") await reader.look(false, 3);
				if (isAlive) await reader.close();
				isAlive = false;
			} else if (each.kind === "half") writer.begin();
			else if (each.kind === "delete") {
				if (!isAlive && !isOnlyCopy) writer.delete();
			} else if (each.kind === "write") writer.write(each.count, each.length);
			else if (each.kind === "late") writer.write(each.count, each.length, 1);
			else if (each.kind === "look") await reader.look();
			else if (each.kind === "wait") {
				await reader.look();
				reader.now += GRACE;
				await reader.look();
				writer.endOld();
			} else if (each.kind === "empty" && (isSeen || !isAlive)) {
				isOnlyCopy ||= !reader.hasReadOf(writer);
				writer.copyAndEmpty();
			} else writer.rename(each.kind === "date");
			// Of a file of which nothing was read nobody can know that it was emptied.
			if (looks.includes(each.kind) && each.kind !== "die")
				isSeen = !writer.isEmpty;
			else if (!["write", "late", "half"].includes(each.kind)) isSeen = false;
		}
		writer.finish();
		await revive();
		await reader.look(true);
		return {
			written: writer.written,
			risked: writer.risked,
			lines: reader.lines,
			losses: reader.losses,
		};
	} finally {
		await reader.close();
		writer.end();
	}
}

const write: Step = { kind: "write", count: 10, length: 20 };
const late: Step = { kind: "late", count: 10, length: 20 };
const [rename, date, empty, look, keep, kill, die, half, del] = (
	[
		...(["rename", "date", "empty", "look", "keep"] as const),
		...(["kill", "die", "half", "delete"] as const),
	] as const
).map((kind): Step => ({ kind })) as [
	Step,
	Step,
	Step,
	Step,
	Step,
	Step,
	Step,
	Step,
	Step,
];

describe("Every line is read", () => {
	test.each<[string, Step[]]>([
		["nothing but a growing file", [write, look, write]],
		["a rename right before the end", [write, look, write, rename, write]],
		[
			"an old writer after the new file's first lines",
			[write, rename, write, look, late, look, late],
		],
		[
			"two rotations between two looks",
			[write, look, rename, write, rename, write, look],
		],
		["five, with dates", [write, ...Array(5).fill([date, write]).flat(), look]],
		[
			"numbers and dates",
			[write, look, date, write, rename, write, late, rename],
		],
		["a rotation without lines", [write, rename, rename, look, late]],
		["a kill", [write, keep, write, look, kill, write]],
		["a kill before anything was kept", [write, look, kill, write]],
		["a kill within a line", [write, half, keep, kill, write]],
		["a kill within a look", [write, rename, write, rename, write, die, late]],
		["a rename while nobody looks", [write, keep, kill, write, rename, write]],
		[
			"three, and an old writer",
			[write, keep, kill, rename, write, date, write, rename, late],
		],
		[
			"a kill after a rename, in the time in which the old file is read on",
			[write, keep, rename, write, keep, late, kill, late],
		],
		[
			"a copy of a file of which nothing was read",
			[write, rename, keep, kill, write, empty, write],
		],
		[
			"a copy beside a rename",
			[write, look, empty, write, rename, write, look],
		],
	])("%s", async (_, steps) => {
		const { written, lines } = await run(steps);
		expect(lines.map(Number.parseFloat).sort((a, b) => a - b)).toEqual(
			written.map((_, i) => i),
		);
	});

	test.each<[string, Step[], number]>([
		["emptied", [write, look, write, empty, write], 10],
		[
			"emptied, and longer than before at the next look",
			[write, look, write, empty, write, write, write, look],
			10,
		],
		[
			"emptied while nobody looks",
			[write, keep, kill, write, empty, write],
			10,
		],
		[
			"emptied while nobody looks, and longer than before",
			[write, keep, kill, write, empty, write, write, write],
			10,
		],
		["emptied within a line", [write, half, look, empty, write], 1],
		[
			"emptied within a line, and renamed before the next look",
			[write, half, keep, empty, rename],
			1,
		],
		[
			"gone while nobody looks",
			[write, keep, kill, write, rename, write, del],
			10,
		],
		[
			"all gone that were known, so that one beside it may be older than the log",
			[write, keep, kill, rename, del, write, rename, write],
			10,
		],
	])("or the loss is said: %s", async (_, steps, lost) => {
		const { written, lines, losses } = await run(steps);
		expect([written.length - lines.length, losses]).toEqual([lost, 1]);
	});

	test("property: once, or the loss is said", async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(step, { minLength: 1, maxLength: 25 }),
				async (steps) => {
					const { written, risked, lines, losses } = await run(steps);
					const read = new Set(lines);
					expect(read.size).toBe(lines.length);
					const all = new Set(written);
					expect(lines.filter((line) => !all.has(line))).toEqual([]);
					const missing = written.filter((line) => !read.has(line));
					expect(missing.filter((line) => !risked.has(line))).toEqual([]);
					if (missing.length > 0) expect(losses).toBeGreaterThan(0);
				},
			),
			{ numRuns: casesOf(300) },
		);
	});
});

test("other logs beside it are none of it", async () => {
	const writer = new Writer();
	const reader = new Reader();
	onTestFinished(async () => {
		await reader.close();
		writer.end();
	});
	await reader.open(writer.path);
	writer.write(1, 10);
	writer.rename(false);
	for (const name of ["access.log.json", "access.log-other", "access.log.1x"])
		appendFileSync(join(writer.folder, name), "another log\n");
	appendFileSync(`${writer.path}.2`, Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]));
	writer.write(1, 10);
	await reader.look(true);
	expect(reader.lines).toEqual(writer.written);
});

test("a log that is shorter than it was when it was opened is an error", async () => {
	const rules = file("shorter-robots.txt", "User-agent: *\nDisallow: /\n");
	const line =
		'192.0.2.1 - - [14/Oct/2025:00:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "GPTBot/1.0"\n';
	const log = file("shorter.log", line.repeat(10));
	const { openLogs } = await import("../../src/files/open-logs.ts");
	const { tasksOf, runTask } = await import("../../src/files/tasks.ts");
	const { LogScanner } = await import("../../src/scan/scanner.ts");
	const { scanSettings } = await import("../../src/options/options.ts");
	const robots = [{ file: rules, bytes: Buffer.from("") }];
	const [task] = tasksOf(await openLogs([log], undefined), false);
	file("shorter.log", line.repeat(9));
	const scanned = async () => {
		const scanner = new LogScanner(scanSettings({ robots }, false, undefined));
		for await (const _ of runTask(scanner, task as never));
	};
	await expect(scanned()).rejects.toThrow(
		"became shorter while it was read: lines are missing",
	);
	expect((await robotrie(["audit", "-r", rules, log])).code).toBe(0);
});
