/**
 * LmdbStore, a store in a folder of this machine, by LMDB. Most of it deals with what LMDB does not promise: full disks, writes that several
 * processes lose, and keys that are too long.
 */

import { createHash } from "node:crypto";
import { mkdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { crc32 } from "node:zlib";
import type { RootDatabase } from "lmdb";
import { RobotrieError } from "robotrie";
import { check } from "#robotrie/common/arguments";
import { optionalPackage } from "#robotrie/common/optional-package";
import { quote } from "#robotrie/common/quote";
import { turns } from "../common/turns.ts";
import { TimeLimit } from "./guarded-store.ts";
import type { RobotsStore } from "./store.ts";
import { checkKey, checkOpened, entryArgument, locationKind } from "./store.ts";

/** How often an entry is written before the store counts as broken. */
const MOST_ATTEMPTS = 5;

/** Milliseconds for one write, and for closing. */
const TIMEOUT = 5000;

/** Bytes that have to be free on the disk beyond those of the entry: LMDB copies the pages that it changes. */
const RESERVE = 1 << 20;

/**
 * With this many free bytes, the disk is not asked again for BELIEVED milliseconds: nothing fills
 * it that fast. A gigabyte does not fill up in a tenth of a second.
 */
const PLENTY = 2 ** 30;
const BELIEVED = 100;

/** Longest key that LMDB surely accepts, in bytes; URLs may have longer host names. */
const LONGEST_KEY = 500;

/**
 * Keeps entries in a folder on this machine, in LMDB. Several processes may use it at a time. What is set is on disk when
 * the promise resolves, and a process that is killed leaves the folder intact.
 * @example
 * const store = await LmdbStore.open("robots");
 * await using client = new RobotsClient({ agent: "ExampleBot", store });
 */
export class LmdbStore implements RobotsStore {
	readonly #folder: string;
	readonly #database: RootDatabase<Buffer, string>;
	/** Bytes that are being written. */
	#underWay = 0;
	/** Bytes free on the disk, once that is known, and until when it is believed. */
	#free: Promise<number> | undefined;
	#freeUntil = 0;
	readonly #limit = new TimeLimit(TIMEOUT, "lmdb");
	/** Why nothing is written any more. */
	#broken: RobotrieError | undefined;
	#closed = false;
	/** Which file it is, to notice when it is deleted: LMDB writes on to what no name leads to. */
	readonly #identity: string;

	private constructor(
		folder: string,
		identity: string,
		database: RootDatabase<Buffer, string>,
	) {
		this.#folder = folder;
		this.#identity = identity;
		checkOpened("LmdbStore", database);
		this.#database = database;
	}

	/**
	 * Opens the store in a folder, which is made if it is not there.
	 * @throws {RobotrieError} missing-package, without the package lmdb; store-unavailable, with the reason; invalid-argument.
	 */
	static async open(folder: string): Promise<LmdbStore> {
		check("folder", folder, locationKind);
		const { open } = await optionalPackage(
			"lmdb",
			"the LMDB store",
			(name): Promise<typeof import("lmdb")> =>
				import(/* webpackIgnore: true */ /* @vite-ignore */ name),
		);
		try {
			await mkdir(folder, { recursive: true });
			const database = open<Buffer, string>({
				path: folder,
				noSubdir: false,
				encoding: "binary",
				compression: true,
			});
			return new LmdbStore(folder, await identify(folder), database);
		} catch (error) {
			throw new RobotrieError(
				"store-unavailable",
				`cannot open the store ${quote(folder)}: ${error instanceof Error ? error.message : error}`,
			);
		}
	}

	/** The entry of a key, or undefined. @throws {RobotrieError} invalid-argument, if the key is not a string. */
	async get(key: string): Promise<Uint8Array | undefined> {
		checkKey(key);
		return this.#open.get(keyOf(key));
	}

	/**
	 * @throws {RobotrieError} store-unavailable, when the entry does not stay, when the disk is full, and always after a write
	 * that failed or took more than 5 seconds.
	 */
	async set(key: string, entry: Uint8Array): Promise<void> {
		checkKey(key);
		const bytes = entryArgument(entry);
		const name = keyOf(key);
		const value = Buffer.from(bytes);
		// Not itself, which would be one more buffer for the garbage collector.
		const before = sumOf(this.#peek(name));
		for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
			await this.#write(value.length, () => this.#database.put(name, value));
			// One commit resolves the promises of all that were set meanwhile.
			await nextTurn();
			const wait = turns.wait();
			if (wait) await wait;
			// lmdb 3.5.6 lost one commit of some 10,000 where two processes wrote without a pause, putSync ones and those without
			// overlappingSync, too: the other process's next commit had not seen it. So what is acknowledged is read again.
			const now = this.#peek(name);
			if (now?.equals(value)) return;
			if (now && sumOf(now) !== before) return;
		}
		throw this.#failure(`it lost ${quote(key)} ${MOST_ATTEMPTS} times`);
	}

	/** What a name has now, in memory that lmdb uses again for the next one. */
	#peek(name: string): Buffer | undefined {
		const found = this.#open.getBinaryFast(name);
		// Its length is less than what its memory has room for.
		return found?.subarray(0, found.length);
	}

	/** Deletes an entry, if there is one. @throws {RobotrieError} as `set`. */
	async delete(key: string): Promise<void> {
		checkKey(key);
		const database = this.#open;
		await this.#write(0, () => database.remove(keyOf(key)));
	}

	/** Closes the database; does nothing after a failed write. */
	async close(): Promise<void> {
		this.#closed = true;
		// After a failed write lmdb waits for it for ever.
		if (this.#broken) return;
		await this.#limit.run(this.#database.close()).catch(ignore);
	}

	/** The database, while it is open: what lmdb says of a closed one names neither the store nor the cause. */
	get #open(): RootDatabase<Buffer, string> {
		if (this.#closed) throw this.#failure("it was closed");
		return this.#database;
	}

	async #write(size: number, call: () => Promise<boolean>): Promise<void> {
		this.#underWay += size;
		try {
			const needed = RESERVE + 2 * this.#underWay;
			if ((await this.#freeBytes()) < needed)
				throw this.#failure(`less than ${needed} bytes are free on its disk`);
			await this.#commit(call);
		} finally {
			this.#underWay -= size;
		}
	}

	/**
	 * Bytes that are free on the disk. Asking costs as much as a write: writes that begin together
	 * ask once, and seldom if there is plenty.
	 */
	#freeBytes(): Promise<number> {
		if (performance.now() > this.#freeUntil) {
			this.#freeUntil = Number.POSITIVE_INFINITY;
			this.#free = this.#askFree();
		}
		return this.#free as Promise<number>;
	}

	async #askFree(): Promise<number> {
		let until = 0;
		try {
			const identity = await identify(this.#folder).catch(() => "");
			if (identity !== this.#identity)
				throw this.#failure("its folder was deleted or replaced");
			const { bavail, bsize } = await statfs(this.#folder);
			const free = bavail * bsize;
			if (free > PLENTY) until = performance.now() + BELIEVED;
			return free;
		} finally {
			this.#freeUntil = until;
		}
	}

	async #commit(call: () => Promise<boolean>): Promise<void> {
		if (this.#broken) throw this.#broken;
		try {
			const write = async () => {
				const written = call();
				// lmdb makes a second promise for the batch, whose rejection would end the process.
				setImmediate(() => this.#database.committed.then(ignore, ignore));
				await written;
				// The commit is visible to others at once; this waits until the disk has it.
				await this.#database.flushed;
			};
			await this.#limit.run(write());
		} catch (error) {
			// lmdb 3.5.6 overwrites memory that is not its own, and ends the process, if it goes on writing after that.
			this.#broken = this.#failure(
				error instanceof Error ? error.message : String(error),
			);
			// So does that of the promise for the reason.
			if (error instanceof Error && "commitError" in error)
				Promise.resolve(error.commitError).catch(ignore);
			throw this.#broken;
		}
	}

	#failure(reason: string): RobotrieError {
		return new RobotrieError(
			"store-unavailable",
			`the store ${quote(this.#folder)} failed: ${reason}`,
		);
	}
}

function sumOf(bytes: Buffer | undefined): number | undefined {
	return bytes && crc32(bytes);
}

function ignore(): void {}

/** Tells a folder's file from another one that later has its name. */
async function identify(folder: string): Promise<string> {
	const { dev, ino } = await stat(join(folder, "data.mdb"), { bigint: true });
	return `${dev}:${ino}`;
}

function keyOf(key: string): string {
	if (Buffer.byteLength(key) <= LONGEST_KEY) return key;
	return `sha256 ${createHash("sha256").update(key).digest("hex")}`;
}
