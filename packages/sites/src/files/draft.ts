/**
 * Files on their way: a draft beside a file takes its place when it is whole, and is removed if the process ends before. output-file.ts and
 * index-folder.ts use it. A process that is killed cannot remove its drafts, so their names tell a later run whether the writer still lives.
 */
import {
	constants,
	readFileSync,
	readlinkSync,
	rmSync,
	type Stats,
} from "node:fs";
import {
	access,
	type FileHandle,
	open,
	opendir,
	readdir,
	rename,
	rm,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { failureOf, SitesError } from "./errors.ts";

/**
 * Files that have to be removed if the process ends now. Removed together when the process ends;
 * most runs have one.
 */
const unfinished = new Set<string>();

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * A file's next content: beside its place until it is whole, so that no reader sees half of it.
 * Written beside the file and renamed: readers see the old content or the new one, never a part of
 * either.
 */
export class Draft {
	readonly #target: string;
	readonly #path: string;
	readonly handle: FileHandle;

	private constructor(target: string, path: string, handle: FileHandle) {
		this.#target = target;
		this.#path = path;
		this.handle = handle;
	}

	/**
	 * @param target A regular file, or none yet; no link.
	 * @param found The file there is, whose permissions and owner stay.
	 */
	static async for(target: string, found: Stats | undefined): Promise<Draft> {
		// A user who may not write to a file may not replace it, either.
		if (found) await access(target, constants.W_OK);
		// Leftovers of killed runs are removed before another draft is added to the folder.
		await removeLeftDrafts(dirname(target));
		const path = join(dirname(target), draftName());
		removeOnExit(path);
		try {
			// "wx" fails if the name is taken, which random bytes make unlikely and this makes certain.
			const draft = new Draft(target, path, await open(path, "wx"));
			if (found) await draft.#resemble(found);
			return draft;
		} catch (error) {
			keepOnExit(path);
			throw error;
		}
	}

	async #resemble({ uid, gid, mode }: Stats): Promise<void> {
		try {
			// Only root may give files away; to oneself it changes nothing.
			await this.handle.chown(uid, gid).catch(() => {});
			await this.handle.chmod(mode & 0o777);
		} catch (error) {
			await this.discard();
			throw error;
		}
	}

	/** Puts it in its place, where it survives a power failure. */
	async commit(): Promise<void> {
		// Contents first, then the name, then the folder: after a power failure either all of it is
		// there or none.
		await this.handle.sync();
		await this.handle.close();
		await rename(this.#path, this.#target);
		keepOnExit(this.#path);
		await syncFolder(dirname(this.#target));
	}

	async discard(): Promise<void> {
		await this.handle.close().catch(() => {});
		await rm(this.#path, { force: true });
		keepOnExit(this.#path);
	}
}

/**
 * A new name for a draft: `.robotrie-HOST-PROCESS-START-RANDOM.tmp`. By it a later run finds out
 * whether the writer was killed. HOST ends with a hash that distinguishes machines, and containers,
 * of one name; START is the writer's start time and its machine's. A time of last change would not
 * do: a run may take hours, and a clock may be wrong.
 */
export function draftName(): string {
	const start = startOf(process.pid) ?? "0";
	const random = crypto().randomBytes(8).toString("hex");
	return `.robotrie-${host()}-${process.pid}-${start}-${random}.tmp`;
	// Names are compared with the host's, so they have no character that a path gives a meaning.
}

const DRAFT_NAME =
	/^\.robotrie-(.+-[\da-f]{8})-(\d{1,10})-([\da-f]+)-[\da-f]{16}\.(?:tmp|lock)$/;

/** Whether a file's name is a draft's, or that of a lock. */
export function isDraftName(name: string): boolean {
	return DRAFT_NAME.test(name);
}

/** Whether a process of this host has left a file that is gone. */
function isLeft(name: string): boolean {
	const [, writtenOn, pid = "", start = ""] = DRAFT_NAME.exec(name) ?? [];
	return writtenOn === host() && isGone(Number(pid), start);
}

/** Makes a lock; resolves to the name of another one whose process lives. */
async function lockBeside(
	folder: string,
	name: string,
): Promise<string | undefined> {
	try {
		await (await open(join(folder, name), "wx")).close();
		return (await readdir(folder)).find(
			(one) => one.endsWith(".lock") && one !== name && !isLeft(one),
		);
	} catch (error) {
		throw failureOf(`write ${folder}`, error);
	}
}

/** Milliseconds that one waits for another one who is alone in a folder, and at most between two looks. */
const PATIENCE = 60_000;
const LOOK = 50;

/**
 * Does what only one may do at a time in a folder. Each makes a file with a name like a draft's and then looks for those of others: of two at
 * least one sees the other's, and withdraws its own for a while. Who was killed is gone, so its file counts for nothing.
 * @throws {SitesError} unwritable: the other one takes too long.
 */
export async function alone<Result>(
	folder: string,
	run: () => Promise<Result>,
): Promise<Result> {
	const until = performance.now() + PATIENCE;
	for (;;) {
		const name = draftName().replace(/tmp$/, "lock");
		const path = join(folder, name);
		removeOnExit(path);
		try {
			const other = await lockBeside(folder, name);
			if (other === undefined) return await run();
			if (performance.now() > until)
				throw new SitesError(
					"unwritable",
					`cannot write ${folder}: by ${other} another process writes to it; remove that file if none does`,
				);
		} finally {
			await rm(path, { force: true }).catch(() => {});
			keepOnExit(path);
		}
		await new Promise((done) => setTimeout(done, Math.random() * LOOK));
	}
}

/** Folders that this process has looked through: a report may be written every second. */
const lookedThrough = new Set<string>();

/**
 * Removes the drafts in a folder that processes of this host have left which are gone. Those of
 * others may be written to. Another host's process cannot be looked up here, so its drafts stay,
 * however old.
 */
export async function removeLeftDrafts(folder: string): Promise<void> {
	if (lookedThrough.has(folder)) return;
	lookedThrough.add(folder);
	try {
		for await (const { name } of await opendir(folder))
			if (isLeft(name)) await rm(join(folder, name), { force: true });
	} catch {
		// A user who may write to a folder need not be allowed to read it.
	}
}

/** Loaded when a file is written: Node takes some milliseconds, and commands that write none share a file with those that do. */
const crypto = () => process.getBuiltinModule("node:crypto");

let knownHost: string | undefined;

/**
 * This host as names of drafts have it: processes that have the same one see each other. Two
 * machines with one shared folder may have equal host names, hence the hash.
 */
function host(): string {
	if (knownHost !== undefined) return knownHost;
	const { hostname } = process.getBuiltinModule("node:os");
	const parts = [
		hostname(),
		orEmpty(() => readFileSync("/etc/machine-id", "utf8")),
		// A container does not see the processes of another one, whose number may be the same.
		orEmpty(() => readlinkSync("/proc/self/ns/pid")),
	];
	const hash = crypto()
		.createHash("sha256")
		.update(parts.join("\0"))
		.digest("hex");
	const name = hostname()
		.replace(/[^\w.]+/g, "_")
		.slice(0, 48);
	knownHost = `${name || "host"}-${hash.slice(0, 8)}`;
	return knownHost;
}

/** Whether the process that had this number and start time has ended. */
function isGone(pid: number, start: string): boolean {
	// Signal 0 asks whether a process exists and sends nothing.
	try {
		process.kill(pid, 0);
	} catch (error) {
		// Of another user, for example.
		return error instanceof Error && "code" in error && error.code === "ESRCH";
	}
	// A number is used again after a while; the start time tells the processes apart.
	const found = startOf(pid);
	// Where no start times are to be had, another process may have the number; the draft stays until that has ended.
	return found !== undefined && start !== "0" && found !== start;
}

/**
 * When a process started, as hexadecimal digits: an id of the machine's start, and ticks since then. "dead" for one that was killed
 * and that nobody has waited for; undefined where the system does not say.
 */
function startOf(pid: number): string | undefined {
	// /proc is Linux's; elsewhere only the number decides.
	const stat = orEmpty(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
	// The second field, a name in parentheses, may hold anything (proc(5)).
	const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
	if (fields.length < 20) return undefined;
	if (fields[0] === "Z") return "dead";
	const boot = orEmpty(() =>
		readFileSync("/proc/sys/kernel/random/boot_id", "utf8"),
	);
	return boot.slice(0, 8) + Number(fields[19]).toString(16);
}

function orEmpty(read: () => string): string {
	try {
		return read();
	} catch {
		return "";
	}
}

/** What the folder holds survives a power failure then. */
export async function syncFolder(path: string): Promise<void> {
	try {
		const folder = await open(path, "r");
		await folder.sync().finally(() => folder.close());
	} catch {
		// Some systems cannot open folders, or sync them; the file is there all the same.
	}
}

/**
 * Has a file removed if the process ends, by a signal or otherwise. Listeners exist only while
 * there is something to remove: without them a signal ends the process at once.
 */
export function removeOnExit(path: string): void {
	if (unfinished.size === 0) {
		process.on("exit", removeAll);
		for (const signal of signals) process.on(signal, endBy);
	}
	unfinished.add(path);
}

/** It is finished, or gone. */
export function keepOnExit(path: string): void {
	unfinished.delete(path);
	if (unfinished.size > 0) return;
	process.off("exit", removeAll);
	for (const signal of signals) process.off(signal, endBy);
}

function removeAll(): void {
	// Synchronous, as nothing else runs once a process is ending.
	for (const path of unfinished) rmSync(path, { force: true });
	unfinished.clear();
}

/**
 * Ends the process as the signal would without us, unless somebody else listens to it, who then has
 * to. Signals have a number as exit code, which a shell reads; hence the process kills itself by
 * the same one.
 */
function endBy(signal: NodeJS.Signals): void {
	if (process.listenerCount(signal) > 1) return;
	removeAll();
	for (const each of signals) process.off(each, endBy);
	process.kill(process.pid, signal);
}
