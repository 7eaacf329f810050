import { randomBytes } from "node:crypto";
import { constants, rmSync, type Stats } from "node:fs";
import { access, type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Files that have to be removed if the process ends now. */
const unfinished = new Set<string>();

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** A file's next content: beside its place until it is whole, so that nobody ever reads half of it. */
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
		// Whoever may not write to a file may not replace it, either.
		if (found) await access(target, constants.W_OK);
		const name = `.robotrie-${randomBytes(16).toString("hex")}.tmp`;
		const path = join(dirname(target), name);
		removeOnExit(path);
		try {
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

/** What the folder holds survives a power failure then. */
export async function syncFolder(path: string): Promise<void> {
	try {
		const folder = await open(path, "r");
		await folder.sync().finally(() => folder.close());
	} catch {
		// Some systems cannot open folders, or sync them; the file is there all the same.
	}
}

/** Has a file removed if the process ends, by a signal or otherwise. */
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
	for (const path of unfinished) rmSync(path, { force: true });
	unfinished.clear();
}

/** Ends the process as the signal would without us, unless somebody else listens to it, who then has to. */
function endBy(signal: NodeJS.Signals): void {
	if (process.listenerCount(signal) > 1) return;
	removeAll();
	for (const each of signals) process.off(each, endBy);
	process.kill(process.pid, signal);
}
