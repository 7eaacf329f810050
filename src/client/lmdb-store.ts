import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { RootDatabase } from "lmdb";
import { check } from "../common/arguments.ts";
import { quote, RobotrieError } from "../common/errors.ts";
import {
	checkEntry,
	checkKey,
	checkOpened,
	locationKind,
} from "./check-store.ts";
import { optionalPackage } from "./optional-package.ts";
import type { RobotsStore } from "./store.ts";

/** How often an entry is written before the store counts as broken. */
const MOST_ATTEMPTS = 5;

/** Bytes of a key that LMDB takes for certain; URLs may have longer host names. */
const LONGEST_KEY = 500;

/**
 * Keeps entries in a folder on this machine, in LMDB. Several processes may use it at a time. What is set is on disk when
 * the promise resolves, and a process that is killed leaves the folder intact.
 */
export class LmdbStore implements RobotsStore {
	readonly #database: RootDatabase<Buffer, string>;

	private constructor(database: RootDatabase<Buffer, string>) {
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
			() => import("lmdb"),
		);
		try {
			await mkdir(folder, { recursive: true });
			return new LmdbStore(
				open<Buffer, string>({
					path: folder,
					noSubdir: false,
					encoding: "binary",
					compression: true,
				}),
			);
		} catch (error) {
			throw new RobotrieError(
				"store-unavailable",
				`cannot open the store ${quote(folder)}: ${error instanceof Error ? error.message : error}`,
			);
		}
	}

	async get(key: string): Promise<Uint8Array | undefined> {
		checkKey(key);
		return this.#database.get(keyOf(key));
	}

	/** @throws {RobotrieError} store-unavailable, when the entry does not stay. */
	async set(key: string, entry: Uint8Array): Promise<void> {
		checkKey(key);
		checkEntry(entry);
		const name = keyOf(key);
		const value = Buffer.from(entry);
		const before = this.#database.get(name);
		for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
			await this.#database.put(name, value);
			// The commit is visible to others at once; this waits until the disk has it.
			await this.#database.flushed;
			await nextTurn();
			// lmdb 3.5.6 lost one commit of some 10,000 where two processes wrote without a pause, putSync ones and those without
			// overlappingSync, too: the other process's next commit had not seen it. So what is acknowledged is read again.
			const now = this.#database.get(name);
			const isLost = now === undefined || (before?.equals(now) ?? false);
			if (!isLost || now?.equals(value)) return;
		}
		throw new RobotrieError(
			"store-unavailable",
			`the store lost ${quote(key)} ${MOST_ATTEMPTS} times`,
		);
	}

	async delete(key: string): Promise<void> {
		checkKey(key);
		await this.#database.remove(keyOf(key));
		await this.#database.flushed;
	}

	async close(): Promise<void> {
		await this.#database.close();
	}
}

function keyOf(key: string): string {
	if (Buffer.byteLength(key) <= LONGEST_KEY) return key;
	return `sha256 ${createHash("sha256").update(key).digest("hex")}`;
}
