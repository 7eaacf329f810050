import { gzipSync } from "node:zlib";
import { WARCRecord, WARCSerializer, type WARCType } from "warcio";
import { RobotsIndex } from "../../../src/index.ts";
import {
	compileTasks,
	IndexBuilder,
	ShardTables,
} from "../../sites/src/indexing/build.ts";
import type { CompileSettings } from "../../sites/src/indexing/compile-sites.ts";
import { tasksOf } from "../../sites/src/records/tasks.ts";

export const settings: CompileSettings = {
	agents: ["x"],
	shards: 1,
	dialect: "rfc9309",
	schemes: ["https"],
};

/** What came of reading files in this process. */
export interface Read {
	readonly index: RobotsIndex;
	readonly faults: readonly string[];
	readonly others: number;
	readonly followed: number;
	readonly unanswered: number;
}

export async function read(
	places: readonly string[],
	some: Partial<CompileSettings> = {},
): Promise<Read> {
	const all = { ...settings, ...some };
	const tables = new ShardTables(all);
	const builder = new IndexBuilder(all, tables);
	const faults: string[] = [];
	let others = 0;
	async function* tasks() {
		for (const place of places) yield* tasksOf(place);
	}
	for await (const { sites } of compileTasks(tasks(), all)) {
		await builder.add(sites);
		faults.push(...sites.faults.first);
		others += sites.others;
	}
	const redirects = await builder.followRedirects();
	const index = await RobotsIndex.load(tables.snapshot(0));
	return { index, faults, others, ...redirects };
}

/** A record of a WARC file. */
export interface Written {
	readonly url: string;
	readonly type?: WARCType;
	/** Status line and header fields; by default those of a plain 200. */
	readonly status?: string;
	readonly fields?: Readonly<Record<string, string>>;
	readonly body?: string | Uint8Array;
	readonly warcFields?: Readonly<Record<string, string>>;
	readonly date?: string;
}

/** The bytes of a record, as warcio writes them. */
export async function recordOf({
	url,
	type = "response",
	status = "HTTP/1.1 200 OK",
	fields = { "Content-Type": "text/plain" },
	body = "",
	warcFields = {},
	date = "2026-11-22T00:00:00Z",
}: Written): Promise<Buffer> {
	const record = WARCRecord.create(
		{
			url,
			type,
			date,
			warcHeaders: { ...warcFields },
			httpHeaders: { ...fields },
			statusline: status,
		},
		[Buffer.from(body as string)],
	);
	return Buffer.from(await WARCSerializer.serialize(record, { gzip: false }));
}

export async function warcOf(
	records: readonly Written[],
	pack: (record: Buffer) => Uint8Array = gzipSync,
): Promise<Buffer> {
	return Buffer.concat(
		(await Promise.all(records.map(recordOf))).map((record) => pack(record)),
	);
}
