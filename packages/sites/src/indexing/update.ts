/**
 * `updateIndex`: new records into a folder of shards, or into a file. Of a folder only the shards that they touch are read and written; the
 * manifest, which is written last, names new files of these and the old ones of all others. What must hold: an update of a folder gives what a
 * build from all records would give, the old ones first, however they are divided (packages/sites/test/update.test.ts). A file keeps rules
 * alone: what an origin there redirected to is not known, so it has the rules that it had.
 */

import { realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { check, checkOptions } from "#robotrie/common/arguments";
import { textKind } from "#robotrie/common/kinds";
import { alone } from "../files/draft.ts";
import { failureOf, SitesError } from "../files/errors.ts";
import { writeFile } from "../files/output-file.ts";
import { isFolder } from "../files/stat.ts";
import type { Source } from "../records/tasks.ts";
import {
	bytesOf,
	IndexFolder,
	readManifest,
	type ShardFile,
} from "../shards/index-folder.ts";
import {
	type BeforeUpdate,
	IndexBuilder,
	type MadeShard,
	makeShards,
	type OldShard,
	type ShardPlan,
	ShardTables,
	startThreads,
	writeTables,
} from "./build.ts";
import type { CompileSettings } from "./compile-sites.ts";
import { ShardLog } from "./entries.ts";
import { factsIn, leadsIn, type Move, type Target } from "./facts.ts";
import {
	BOTH,
	type BuildReport,
	byShard,
	HELD,
	MEMORY,
	type ReadingOptions,
	read,
	readingOptions,
	sourcesKind,
	timeFor,
} from "./run.ts";

/**
 * Options of `updateIndex`. The crawler, the dialect and the number of shards are the index's; of a folder, `maxBytes` and `schemes` are by default
 * those that it was built with.
 */
export type UpdateOptions = Omit<ReadingOptions, "dialect">;

/** What an update did. */
export interface UpdateReport
	extends Pick<BuildReport, "records" | "damages" | "redirects"> {
	/** Origins in the index now. */
	readonly origins: number;
	/** Numbers of shards; of a file, 1. */
	readonly shards: {
		/** Those that were written. */
		readonly written: number;
		/** All there are. */
		readonly all: number;
	};
	/** Bytes on the disk, facts included. */
	readonly bytes: {
		/** Those that were written. */
		readonly written: number;
		/** The whole index's. */
		readonly all: number;
	};
}

const { dialect: _, ...updateOptions } = readingOptions;

/**
 * Updates an index with newer records, as if it had been built from the old ones and then these: of two answers of an origin the later record
 * counts, and redirects that lead to an origin which has changed are followed again. With `asOf` an answer counts only if it is not older
 * than the one before. The index is in force as it was until the new one is whole; who has it open goes on with the old one.
 *
 * An index in one file does not say where its origins redirected to: each keeps the rules that it had until it has a record of its own.
 * @param path A folder that `buildIndex` wrote with `facts`, or `robotrie index --facts`; or an index in one file, which is written anew.
 * @param sources As for `buildIndex`.
 * @throws {RobotrieError} invalid-argument; limit-exceeded; missing-package.
 * @throws {SitesError} unreadable; malformed: it is no index, or keeps too little for the options; unusable; unwritable. Nothing has changed.
 * @example
 * const { shards } = await updateIndex("sites", "today.ndjson");
 * shards; // { written: 1, all: 4 }
 */
export async function updateIndex(
	path: string,
	sources: Source | readonly Source[],
	options: UpdateOptions = {},
): Promise<UpdateReport> {
	const all = (Array.isArray(sources) ? sources : [sources]) as Source[];
	check("path", path, textKind);
	check("sources", all, sourcesKind);
	checkOptions("updateIndex", options, updateOptions);
	return isFolder(path)
		? updateFolder(path, all, options)
		: updateFile(path, all, options);
}

async function updateFile(
	path: string,
	sources: readonly Source[],
	options: UpdateOptions,
): Promise<UpdateReport> {
	const { maxBytes, schemes = BOTH, asOf, workers = 1 } = options;
	if (asOf !== undefined)
		throw new SitesError(
			"malformed",
			`cannot update ${path} as of a date: an index in one file does not say when its answers were recorded; build a folder with --shards and --facts`,
		);
	const before = await versionOf(path);
	const tables = await ShardTables.of(path, { shards: 1, maxBytes, schemes });
	const { settings } = tables;
	const threads = workers > 1 ? startThreads(settings, workers) : undefined;
	try {
		const builder = new IndexBuilder(settings, tables);
		const run = { sources, settings, options };
		const found = await read(builder, run, threads, () => ({
			origins: tables.size,
			programs: tables.programs,
		}));
		// Without anything new there is nothing to write.
		const isNew = builder.entries > 0;
		const written = isNew ? await replaceFile(path, before, tables) : 0;
		return {
			...found,
			origins: tables.size,
			shards: { written: isNew ? 1 : 0, all: 1 },
			bytes: { written, all: isNew ? written : Number(before.size) },
		};
	} finally {
		await threads?.end();
	}
}

/** Which file there is at a path, to tell it from one that takes its place. @throws {SitesError} */
async function versionOf(path: string) {
	try {
		const { ino, size, ctimeNs } = await stat(path, { bigint: true });
		return { ino, size, ctimeNs };
	} catch (error) {
		throw failureOf(`read the index ${path}`, error);
	}
}

/** Returns the bytes. @throws {SitesError} Where another process has replaced the file meanwhile, whose records would be lost. */
async function replaceFile(
	path: string,
	before: Awaited<ReturnType<typeof versionOf>>,
	tables: ShardTables,
): Promise<number> {
	const folder = dirname(await realpath(path));
	return alone(folder, async () => {
		const { ino, size, ctimeNs } = await versionOf(path);
		if (
			ino !== before.ino ||
			size !== before.size ||
			ctimeNs !== before.ctimeNs
		)
			throw new SitesError(
				"unwritable",
				`cannot write ${path}: another process has written an index there meanwhile; update that one`,
			);
		return writeTables(tables, 0, path, writeFile);
	});
}

async function updateFolder(
	path: string,
	all: readonly Source[],
	options: UpdateOptions,
): Promise<UpdateReport> {
	const old = await readManifest(path);
	const shards = old.shards.length;
	const settings: CompileSettings = {
		agents: [old.agent],
		shards,
		dialect: old.dialect,
		maxBytes: options.maxBytes ?? old.maxBytes,
		schemes: options.schemes ?? old.schemes ?? BOTH,
		asOf: options.asOf === undefined ? undefined : timeFor(options.asOf),
		facts: true,
	};
	const before = beforeUpdate(path, old.shards, settings);
	const { workers = 1, memory = MEMORY } = options;
	const folder = await IndexFolder.open(path);
	const threads = workers > 1 ? startThreads(settings, workers) : undefined;
	const log = new ShardLog(shards, Math.floor(memory / HELD), async () => path);
	try {
		const builder = new IndexBuilder(settings, log, before);
		const known = new Set(before.targets);
		const run = { sources: all, settings, options };
		const found = await read(builder, run, threads, () => ({
			origins: builder.entries,
			programs: undefined,
		}));
		const added = [...builder.targets].filter((target) => !known.has(target));
		const targetsOf = byShard(added, shards);
		const entries = old.shards.map((_, shard) =>
			log.entriesOf(shard).filter(({ length }) => length > 0),
		);
		const isTouched = (shard: number) =>
			(entries[shard]?.length ?? 0) > 0 || targetsOf.has(shard);
		const touched = [...old.shards.keys()].filter(isTouched);
		function* plans(): Generator<ShardPlan> {
			for (const shard of touched)
				yield {
					entries: entries[shard] ?? [],
					paths: [folder.create(shard)],
					facts: {
						path: folder.create(shard, "facts"),
						targets: targetsOf.get(shard) ?? [],
					},
					old: filesOf(path, old.shards, shard),
				};
		}
		const made = makeShards(plans(), settings, threads);
		let written = 0;
		let origins = 0;
		for (const [shard, before] of old.shards.entries()) {
			if (!isTouched(shard)) {
				folder.keep(before);
				origins += before.origins;
				continue;
			}
			const { value } = await made.next();
			const { origins: now, bytes, factBytes } = value as MadeShard;
			folder.add(now, bytes[0] ?? 0, factBytes);
			written += (bytes[0] ?? 0) + factBytes;
			origins += now;
		}
		const { agent, dialect, maxBytes, schemes } = old;
		// Without anything new there is nothing to write.
		const bytes =
			touched.length > 0
				? await folder.commit({ agent, dialect, maxBytes, schemes }, old)
				: old.shards.reduce((sum, shard) => sum + bytesOf(shard), 0);
		return {
			...found,
			origins,
			shards: { written: touched.length, all: shards },
			bytes: { written, all: bytes },
		};
	} catch (error) {
		await folder.discard();
		throw error;
	} finally {
		await log.end();
		await threads?.end();
	}
}

/** A shard's files. @throws {SitesError} Where its facts were not kept. */
function filesOf(
	folder: string,
	all: readonly ShardFile[],
	shard: number,
): OldShard {
	const { file, facts } = all[shard] as ShardFile;
	if (!facts)
		throw new SitesError(
			"malformed",
			`cannot update ${folder}: it was built without --facts, so it does not say where its sites redirect to; build it once more with --facts`,
		);
	return {
		path: join(folder, file),
		facts: { path: join(folder, facts.file), shard, shards: all.length },
	};
}

/** What is known of the index before: redirects of all of its shards, as what is new may be what they lead to. */
function beforeUpdate(
	folder: string,
	shards: readonly ShardFile[],
	settings: CompileSettings,
): BeforeUpdate {
	const moves = new Map<string, Move>();
	const targets: Target[] = [];
	const times = new Map<string, number>();
	for (const shard of shards.keys()) {
		const { facts } = filesOf(folder, shards, shard);
		const leads = leadsIn(facts);
		for (const [origin, move] of leads.moves) moves.set(origin, move);
		targets.push(...leads.targets);
		if (settings.asOf === undefined) continue;
		for (const { origin, time } of factsIn(facts))
			if (time !== undefined) times.set(origin, time);
	}
	return { moves, targets, times, programsOf };

	async function programsOf(shard: number, origins: readonly string[]) {
		const tables = new ShardTables(settings);
		await tables.begin(filesOf(folder, shards, shard).path);
		const found = new Map<string, Uint8Array>();
		for (const origin of origins) {
			const programs = tables.programsOf(origin);
			if (programs) found.set(origin, programs);
		}
		return found;
	}
}
