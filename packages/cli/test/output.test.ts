import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
	chmodSync,
	closeSync,
	existsSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	openSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { fillFile } from "../../sites/src/files/output-file.ts";
import { writeOutput } from "../src/output/output-file.ts";
import {
	file,
	folder,
	robotrie,
	robotrieProcess,
	robots,
	root,
} from "./run.ts";

/** What was done to files by node:fs/promises in this process: a method and the names of files. */
const calls = vi.hoisted((): string[][] => []);
vi.mock("node:fs/promises", async (importOriginal) => {
	const fs = await importOriginal<typeof import("node:fs/promises")>();
	const { basename } = await import("node:path");
	return {
		...fs,
		open: async (file: string, ...rest: []) => {
			const handle = await fs.open(file, ...rest);
			const record = (word: string, name: "writeFile" | "sync" | "close") => {
				const method = handle[name].bind(handle) as (
					...values: unknown[]
				) => Promise<void>;
				handle[name] = async (...values: unknown[]) => {
					await method(...values);
					calls.push([word, basename(file)]);
				};
			};
			record("write", "writeFile");
			record("sync", "sync");
			record("close", "close");
			return handle;
		},
		rename: async (from: string, to: string) => {
			await fs.rename(from, to);
			calls.push(["rename", basename(from), "to", basename(to)]);
		},
	};
});

const request =
	'192.0.2.1 - - [14/Oct/2025:00:00:00 +0000] "GET /private/x HTTP/1.1" 200 5 "-" "Examplebot/1.0"\n';
const log = file("output.log", request.repeat(20_000));
const sites = file(
	"output.ndjson",
	'{"origin":"https://example.com","robots":"User-agent: *\\nDisallow: /a"}\n',
);

/** The options that name a file to write. */
const writers: Readonly<Record<string, (path: string) => readonly string[]>> = {
	"index -o": (path) => ["index", "-a", "x", sites, "-o", path],
	"audit --out": (path) => ["audit", "-r", robots, log, "--out", path],
	"audit --violations": (path) => [
		"audit",
		"-r",
		robots,
		log,
		"--violations",
		path,
		"--out",
		join(folder, "report"),
	],
};

/** A folder of each test's own. */
let place = "";
let path = "";
beforeEach(() => {
	place = mkdtempSync(join(folder, "output-"));
	path = join(place, "out");
});

/** Comparing megabytes one by one would take a while. */
function expectSame(actual: Buffer, expected: Buffer): void {
	expect(actual.length).toBe(expected.length);
	expect(actual.equals(expected)).toBe(true);
}

const DRAFT = /^\.robotrie-(.+-[\da-f]{8})-(\d+)-([\da-f]+)-[\da-f]{16}\.tmp$/;
/** What lies in the folder, drafts included. */
const contents = () => readdirSync(place).sort();

describe.each(Object.entries(writers))("%s", (_, writer) => {
	let expected = Buffer.alloc(0);
	beforeAll(async () => {
		const first = join(folder, "first");
		expect(await robotrie(writer(first))).toMatchObject({ code: 0 });
		expected = readFileSync(first);
		rmSync(first);
		expect(expected.length).toBeGreaterThan(50);
	});
	const run = async (to: string) => {
		const result = await robotrie(writer(to));
		expect(result).toMatchObject({ code: 0, stderr: "" });
		return result;
	};

	test("a new file", async () => {
		await run(path);
		expect(contents()).toEqual(["out"]);
		expect(statSync(path).mode & 0o111).toBe(0);
	});

	test("a file is replaced as a whole, and keeps its permissions", async () => {
		writeFileSync(path, "old");
		chmodSync(path, 0o664);
		const before = openSync(path, "r");
		await run(path);
		// Whoever reads it reads on.
		expect(readFileSync(before, "utf8")).toBe("old");
		closeSync(before);
		expectSame(readFileSync(path), expected);
		expect(statSync(path).mode & 0o777).toBe(0o664);
		expect(contents()).toEqual(["out"]);
	});

	test.each([
		["a file", "target", true],
		["no file yet", "target", false],
		["a file in another folder", "inner/target", true],
		["no file yet in another folder", "inner/target", false],
	])("a link to %s stays a link", async (_, target, exists) => {
		mkdirSync(join(place, "inner"));
		if (exists) writeFileSync(join(place, target), "old");
		// By way of another link, relative to where that stands.
		symlinkSync("second", path);
		symlinkSync(target, join(place, "second"));
		await run(path);
		expect(lstatSync(path).isSymbolicLink()).toBe(true);
		expectSame(readFileSync(join(place, target)), expected);
		expect([...contents(), ...readdirSync(join(place, "inner"))]).toEqual(
			["inner", "out", "second", "target"]
				.filter((name) => name !== "target" || target === name)
				.concat(target === "target" ? [] : ["target"]),
		);
	});

	test("a named pipe is written to, not replaced", async () => {
		execFileSync("mkfifo", [path]);
		const reader = spawn("cat", [path]);
		const got: Buffer[] = [];
		reader.stdout.on("data", (chunk: Buffer) => got.push(chunk));
		const closed = once(reader, "close");
		await run(path);
		await closed;
		expectSame(Buffer.concat(got), expected);
		expect(lstatSync(path).isFIFO()).toBe(true);
		expect(contents()).toEqual(["out"]);
	});

	test("a link to stdout, such as /dev/stdout", async () => {
		symlinkSync("/proc/self/fd/1", path);
		const { stdoutSize, stdout } = await run(path);
		expect(stdoutSize).toBe(expected.length);
		expectSame(stdout, expected.subarray(0, stdout.length));
		expect(lstatSync(path).isSymbolicLink()).toBe(true);
		expect(contents()).toEqual(["out"]);
	});

	test("a link to stdout, which is appended to a file", async () => {
		symlinkSync("/proc/self/fd/1", path);
		const appended = join(place, "appended");
		writeFileSync(appended, "before\n");
		const descriptor = openSync(appended, "a");
		const child = spawn(
			process.execPath,
			[join(root, "packages/cli/main.js"), ...writer(path)],
			{ cwd: root, stdio: ["ignore", descriptor, "inherit"] },
		);
		expect(await once(child, "close")).toEqual([0, null]);
		closeSync(descriptor);
		expectSame(
			readFileSync(appended),
			Buffer.concat([Buffer.from("before\n"), expected]),
		);
		expect(contents()).toEqual(["appended", "out"]);
	});

	test.each([
		["no such folder", "nowhere/out", "no such file or directory"],
		["a folder", "", "it is a directory"],
		["below a file", "plain/out", "not a directory"],
		["links in a circle", "circle", "too many symbolic links encountered"],
	])("%s is an error", async (_, name, reason) => {
		writeFileSync(join(place, "plain"), "");
		symlinkSync("circle", join(place, "circle"));
		const to = join(place, name);
		expect(await robotrie(writer(to))).toMatchObject({
			code: 2,
			stderr: `robotrie: cannot write ${to}: ${reason}\n`,
		});
		expect(contents()).toEqual(["circle", "plain"]);
	});

	test("a full disk leaves the old file", async () => {
		writeFileSync(path, "old");
		const command = ["-c", 'ulimit -f 0; exec "$0" "$@"', process.execPath];
		const cli = join(root, "packages/cli/main.js");
		const child = spawn("sh", [...command, cli, ...writer(path)], {
			cwd: root,
			stdio: ["ignore", "ignore", "pipe"],
		});
		let stderr = "";
		child.stderr.on("data", (chunk) => {
			stderr += chunk;
		});
		expect((await once(child, "close"))[0]).toBe(2);
		expect(stderr).toBe(`robotrie: cannot write ${path}: file too large\n`);
		expect(readFileSync(path, "utf8")).toBe("old");
		expect(contents()).toEqual(["out"]);
	});
});

describe("A file that takes another's place", () => {
	test.each([0o600, 0o620, 0o640, 0o644, 0o664, 0o666, 0o755, 0o777])(
		"has its permissions: %o",
		async (mode) => {
			writeFileSync(path, "old");
			chmodSync(path, mode);
			await writeOutput(path, [Buffer.from("new")]);
			expect([
				statSync(path).mode & 0o7777,
				readFileSync(path, "utf8"),
			]).toEqual([mode, "new"]);
		},
	);

	/** What survives a power failure is what was synced before the next step. */
	const steps = ["write draft", "sync draft", "close draft"];
	const taking = ["rename draft to out", "sync folder", "close folder"];
	test.each<[what: string, write: () => Promise<void>, done: string[]]>([
		[
			"a new file",
			() => writeOutput(path, [Buffer.from("new")]),
			[...steps, ...taking],
		],
		[
			"a file that there is",
			async () => {
				writeFileSync(path, "old");
				await writeOutput(path, [Buffer.from("new")]);
			},
			[...steps, ...taking],
		],
		[
			"one in pieces",
			() => writeOutput(path, [Buffer.from("a"), Buffer.from("b")]),
			["write draft", ...steps, ...taking],
		],
		[
			"one that stays where it is, of an index",
			async () => {
				writeFileSync(path, "");
				await fillFile(path, [Buffer.from("new")]);
			},
			["write out", "sync out", "close out"],
		],
	])(
		"is synced before it is there, and its folder after: %s",
		async (_, write, done) => {
			calls.splice(0);
			await write();
			const nameOf = (name: string) =>
				name === basename(place) ? "folder" : name.replace(DRAFT, "draft");
			expect(calls.map((words) => words.map(nameOf).join(" "))).toEqual(done);
		},
	);
});

test("a damaged log leaves the old file of violations", async () => {
	writeFileSync(path, "old");
	const damaged = file(
		"damaged.gz",
		gzipSync(request.repeat(1000)).subarray(0, -9),
	);
	const args = ["audit", "-r", robots, log, damaged, "--violations", path];
	expect((await robotrie(args)).code).toBe(2);
	expect(readFileSync(path, "utf8")).toBe("old");
	expect(contents()).toEqual(["out"]);
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
	"%s removes the draft and leaves the old file",
	async (signal) => {
		writeFileSync(path, "old");
		const begun = await unfinished();
		expect(await begun.end(signal)).toEqual([null, signal]);
		expect(contents()).toEqual(["out"]);
		expect(readFileSync(path, "utf8")).toBe("old");
	},
);

/** An audit that has begun a draft in the test's folder, and waits for the rest of its log. */
async function unfinished() {
	const child = spawn(process.execPath, [
		join(root, "packages/cli/main.js"),
		"audit",
		"-r",
		robots,
		"-f",
		"combined",
		"--violations",
		path,
	]);
	child.stdin.write(request.repeat(1000));
	const ended = once(child, "close");
	const end = async (signal: NodeJS.Signals) => {
		child.kill(signal);
		return ended;
	};
	for (;;) {
		const name = readdirSync(place).find(
			(found) => DRAFT.exec(found)?.[2] === String(child.pid),
		);
		if (name !== undefined) return { name, end };
		expect(child.exitCode).toBe(null);
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
}

describe("a draft that SIGKILL left", () => {
	test.each(Object.entries(writers))(
		"is removed by the next %s, and no other file is",
		async (_, writer) => {
			const living = await unfinished();
			const killed = await unfinished();
			const [, host = "", pid, start = ""] = DRAFT.exec(killed.name) ?? [];
			await killed.end("SIGKILL");
			expect(contents()).toEqual([killed.name, living.name].sort());
			const random = "0123456789abcdef";
			const others = [
				// Of another host, where this number may be that of a process.
				`.robotrie-${host.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"))}-${pid}-${start}-${random}.tmp`,
				`.robotrie-other-01234567-${pid}-${start}-${random}.tmp`,
				// Of no such program.
				`.robotrie-${random}${random}.tmp`,
				".robotrie.tmp",
			];
			for (const name of others) writeFileSync(join(place, name), "");
			// A number that another process has by now: this one.
			const reused = `.robotrie-${host}-${process.pid}-${start}-${random}.tmp`;
			writeFileSync(join(place, reused), "");
			await robotrieProcess(writer(join(place, "other")));
			expect(contents()).toEqual([...others, living.name, "other"].sort());
			await living.end("SIGTERM");
		},
	);

	test("in a folder of shards is removed by the next index, one that is written to is not", async () => {
		const living = await unfinished();
		const killed = await unfinished();
		await killed.end("SIGKILL");
		const { code } = await robotrieProcess([
			"index",
			"-a",
			"x",
			"--shards",
			"2",
			sites,
			"-o",
			place,
		]);
		expect(code).toBe(0);
		const left = contents().filter((name) => name.startsWith("."));
		expect(left).toEqual([living.name]);
		await living.end("SIGTERM");
	});
});

test("a folder of robots.txt files with a pipe in it", async () => {
	writeFileSync(join(place, "example.com"), "User-agent: *\nDisallow: /\n");
	execFileSync("mkfifo", [join(place, "pipe.example")]);
	const { code, stderr } = await robotrie(["audit", "-r", place, log]);
	expect([code, existsSync(join(place, "pipe.example"))]).toEqual([0, true]);
	expect(stderr).toContain(
		`robotrie: warning: ${place}/pipe.example is not a regular file and is left out\n`,
	);
});
