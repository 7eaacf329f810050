/**
 * An index as a folder of shards: writes one for `robotrie index --shards`, and reads its manifest. The manifest is written last and names the
 * files that are in force, so a process that is killed leaves the index before it as it was.
 */
import { closeSync, openSync } from "node:fs";
import { mkdir, readdir, readFile, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Dialect, dialectNames } from "robotrie";

import { agentKind } from "#robotrie/common/agents";
import { isRecord } from "#robotrie/common/arguments";
import { list, number, oneOf, wholeNumber } from "#robotrie/common/kinds";
import {
	alone,
	isDraftName,
	keepOnExit,
	removeOnExit,
	syncFolder,
} from "../files/draft.ts";
import { failureOf, SitesError } from "../files/errors.ts";
import { writeFile } from "../files/output-file.ts";

/**
 * What says which files of a folder are an index. It is written last: until then the files of the
 * index before are in force. The manifest names files; everything else in the folder is left over,
 * or another program's.
 */
const MANIFEST = "index.json";
const VERSION = 1;
/** More shards would be files of a few origins each. */
export const MOST_SHARDS = 4096;

/** One file of an index. */
export interface ShardFile {
	readonly file: string;
	readonly bytes: number;
	readonly origins: number;
	/** What is known of its origins, where that is kept. */
	readonly facts?: { readonly file: string; readonly bytes: number };
}

/** Bytes of a shard on the disk. */
export const bytesOf = ({ bytes, facts }: ShardFile): number =>
	bytes + (facts?.bytes ?? 0);

/** An index in several files; the shard of a host is its place among them (docs/sharding.md). */
export interface Manifest {
	readonly version: number;
	readonly hash: "crc32";
	readonly agent: readonly string[];
	readonly dialect: Dialect;
	/** What it was built with, if that was not the default: updates read records in the same way. */
	readonly maxBytes?: number | undefined;
	readonly schemes?: readonly ("http" | "https")[] | undefined;
	readonly origins: number;
	readonly shards: readonly ShardFile[];
}

const SHARD_NAME = /^shard-[\da-f]{16}-\d{4}\.index$/;
const FACTS_NAME = /^shard-[\da-f]{16}-\d{4}\.facts$/;

/** Whether a file's name is that of a shard's rules or facts. */
export const isShardName = (name: string): boolean =>
	SHARD_NAME.test(name) || FACTS_NAME.test(name);

/**
 * A folder that is to hold an index. Files have new names in every run, so that a reader of the old
 * index keeps its files until it closes them.
 */
export class IndexFolder {
	readonly path: string;
	/** The first folder that was made for it. */
	readonly #made: string | undefined;
	/** So that its files have other names than those of the index before. */
	readonly #id = process
		.getBuiltinModule("node:crypto")
		.randomBytes(8)
		.toString("hex");
	readonly #shards: ShardFile[] = [];
	/** Paths of the files that were made. */
	readonly #created: string[] = [];
	#isCommitted = false;

	private constructor(path: string, made: string | undefined) {
		this.path = path;
		this.#made = made;
	}

	/** @throws {SitesError} When it cannot be, or holds other files. */
	static async open(path: string): Promise<IndexFolder> {
		let made: string | undefined;
		try {
			// Checked at once: a folder of someone else's files is not overwritten.
			made = await mkdir(path, { recursive: true });
			const names = await readdir(path);
			if (!names.includes(MANIFEST)) {
				const other = names.find(
					(name) => !isShardName(name) && !isDraftName(name),
				);
				if (other !== undefined)
					throw new SitesError(
						"unwritable",
						`cannot write ${path}: it holds no index, but ${other}; name a new or an empty folder`,
					);
			}
		} catch (error) {
			throw failureOf(`write ${path}`, error);
		}
		return new IndexFolder(path, made);
	}

	/**
	 * Makes an empty file for a shard, which is removed if the process ends before `commit`. Threads
	 * write to it and make no files: one that still runs while a signal has the files removed leaves
	 * nothing.
	 * @throws {SitesError}
	 */
	create(shard: number, kind: "index" | "facts" = "index"): string {
		const path = join(this.path, this.#nameOf(shard, kind));
		removeOnExit(path);
		this.#created.push(path);
		try {
			closeSync(openSync(path, "wx"));
		} catch (error) {
			throw failureOf(`write ${path}`, error);
		}
		return path;
	}

	#nameOf(shard: number, kind: "index" | "facts"): string {
		return `shard-${this.#id}-${String(shard).padStart(4, "0")}.${kind}`;
	}

	/** Adds the next shard, whose files are written. Until `commit` the index before it stays. */
	add(origins: number, bytes: number, factBytes?: number): void {
		// Sizes are known after writing, so shards are added in their order.
		const shard = this.#shards.length;
		const file = this.#nameOf(shard, "index");
		const facts =
			factBytes === undefined
				? {}
				: { facts: { file: this.#nameOf(shard, "facts"), bytes: factBytes } };
		this.#shards.push({ file, bytes, origins, ...facts });
	}

	/** Adds the next shard as it is in the index before. */
	keep(shard: ShardFile): void {
		this.#shards.push(shard);
	}

	/** Those that were added, in their order. */
	get shards(): readonly ShardFile[] {
		return this.#shards;
	}

	/**
	 * Puts the shards into force and removes those of the index before. Returns the bytes of all.
	 * @param before The index that this one is made from, if it is: another one that took its place meanwhile must not be lost.
	 * @throws {SitesError} unwritable.
	 */
	async commit(
		about: Pick<Manifest, "agent" | "dialect" | "maxBytes" | "schemes">,
		before?: Manifest,
	): Promise<number> {
		const shards = this.#shards;
		const manifest: Manifest = {
			version: VERSION,
			hash: "crc32",
			...about,
			origins: shards.reduce((sum, { origins }) => sum + origins, 0),
			shards,
		};
		const text = `${JSON.stringify(manifest, undefined, "\t")}\n`;
		// Alone, or another process could remove these files after they were found, as not its own.
		await alone(this.path, async () => {
			// Before the manifest, so that it never names files that are gone.
			if (before) await this.#checkBefore(before);
			await this.#checkOwn();
			// The folder's own entries must be on the disk before the manifest names them.
			await syncFolder(this.path);
			// From here on the manifest may be in its place.
			for (const path of this.#created) keepOnExit(path);
			await writeFile(join(this.path, MANIFEST), [Buffer.from(text)]);
			this.#isCommitted = true;
			// The old index is gone only once the new one is in force.
			await this.#removeOthers();
		});
		return shards.reduce((sum, shard) => sum + bytesOf(shard), 0);
	}

	async #checkBefore(before: Manifest): Promise<void> {
		const now = await readManifest(this.path);
		if (JSON.stringify(now) !== JSON.stringify(before))
			throw new SitesError(
				"unwritable",
				`cannot write ${this.path}: another process has written an index there meanwhile; update that one`,
			);
	}

	/** Another process that wrote to the folder meanwhile has removed them. */
	async #checkOwn(): Promise<void> {
		for (const name of this.#names)
			await stat(join(this.path, name)).catch((error) => {
				throw failureOf(`write ${join(this.path, name)}`, error);
			});
	}

	/** The files of all shards that were added. */
	get #names(): string[] {
		return this.#shards.flatMap(({ file, facts }) =>
			facts ? [file, facts.file] : [file],
		);
	}

	/** Removes what was made, and the folder if it was made for that, unless it is in force. */
	async discard(): Promise<void> {
		if (this.#isCommitted) return;
		for (const path of this.#created) {
			await rm(path, { force: true }).catch(() => {});
			keepOnExit(path);
		}
		// Other folders above it stay: they are empty, or somebody uses them.
		if (this.#made !== undefined) await rmdir(this.path).catch(() => {});
	}

	/** Removes the shards of indexes before, and those that killed processes left. */
	async #removeOthers(): Promise<void> {
		const own = new Set(this.#names);
		for (const name of await readdir(this.path))
			if (isShardName(name) && !own.has(name))
				await rm(join(this.path, name), { force: true }).catch(() => {});
	}
}

/** @throws {SitesError} When the folder cannot be read, or holds no index. */
export async function readManifest(folder: string): Promise<Manifest> {
	let text: string;
	try {
		text = await readFile(join(folder, MANIFEST), "utf8");
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		if (code === "ENOENT")
			throw new SitesError(
				"malformed",
				`cannot read the index ${folder}: the folder has no ${MANIFEST}, which robotrie index writes`,
			);
		throw failureOf(`read the index ${folder}`, error);
	}
	let manifest: unknown;
	try {
		manifest = JSON.parse(text);
	} catch {}
	const version = isRecord(manifest) ? manifest.version : undefined;
	// A newer manifest may have files that this version cannot read, so it says so instead of
	// guessing.
	if (typeof version === "number" && version > VERSION)
		throw new SitesError(
			"malformed",
			`cannot read the index ${folder}: its ${MANIFEST} has version ${version}, this robotrie reads version ${VERSION}: a newer one wrote it`,
		);
	if (!isManifest(manifest))
		throw new SitesError(
			"malformed",
			`cannot read the index ${folder}: its ${MANIFEST} is not what robotrie index writes`,
		);
	// A host's shard is a place in the list: with one missing, or two in each other's place, every site would be unknown.
	const misplaced = manifest.shards.findIndex(
		({ file, facts }, i) =>
			numberOf(file) !== i || (facts && numberOf(facts.file) !== i),
	);
	const origins = manifest.shards.reduce(
		(sum, shard) => sum + shard.origins,
		0,
	);
	if (misplaced >= 0 || origins !== manifest.origins)
		throw new SitesError(
			"malformed",
			`cannot read the index ${folder}: its ${MANIFEST} was changed, ${
				misplaced >= 0
					? `shard ${misplaced} is ${manifest.shards[misplaced]?.file}`
					: `its shards have ${origins} origins, not ${manifest.origins}`
			}`,
		);
	return manifest;
}

/** The place of a shard, which its name ends with. */
const numberOf = (file: string) =>
	Number(/(\d{4})\.(?:index|facts)$/.exec(file)?.[1]);

export const schemesKind = list(oneOf(["http", "https"]), "schemes");
const sizeKind = wholeNumber(0, Number.MAX_SAFE_INTEGER);

function isManifest(value: unknown): value is Manifest {
	if (!isRecord(value)) return false;
	const { version, hash, agent, dialect, origins, shards } = value;
	const { maxBytes, schemes } = value;
	return (
		version === VERSION &&
		hash === "crc32" &&
		agentKind.accepts(agent) &&
		oneOf(dialectNames).accepts(dialect) &&
		(maxBytes === undefined ||
			number(0, Number.POSITIVE_INFINITY, "of bytes").accepts(maxBytes)) &&
		(schemes === undefined || schemesKind.accepts(schemes)) &&
		sizeKind.accepts(origins) &&
		Array.isArray(shards) &&
		shards.length > 0 &&
		shards.length <= MOST_SHARDS &&
		shards.every(
			(shard: unknown) =>
				isRecord(shard) &&
				typeof shard.file === "string" &&
				SHARD_NAME.test(shard.file) &&
				sizeKind.accepts(shard.bytes) &&
				sizeKind.accepts(shard.origins) &&
				(shard.facts === undefined ||
					(isRecord(shard.facts) &&
						typeof shard.facts.file === "string" &&
						FACTS_NAME.test(shard.facts.file) &&
						sizeKind.accepts(shard.facts.bytes))),
		)
	);
}

/**
 * The files of all shards, opened: they can be read even when another index has taken their place. Numbers of open files hold for all
 * threads.
 */
export function openShards(folder: string, { shards }: Manifest): number[] {
	const files: number[] = [];
	try {
		for (const { file } of shards)
			files.push(openSync(join(folder, file), "r"));
		return files;
	} catch (error) {
		for (const file of files) closeSync(file);
		throw failureOf(`read the index ${folder}`, error);
	}
}
