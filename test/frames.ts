import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
	answerFrames,
	PROTOCOL_VERSION,
} from "../packages/cli/src/stream/frames.ts";
import { ByteReader, sourceOf } from "../packages/cli/src/stream/input.ts";
import { StreamRules } from "../packages/cli/src/stream/rules.ts";
import type { Agent } from "../src/common/agents.ts";
import type { Dialect } from "../src/robots-txt/dialect.ts";

/** Frames of `robotrie stream`, and what it answers to them. */

export function frame(type: string, ...payload: readonly Uint8Array[]): Buffer {
	const bytes = Buffer.concat(payload);
	const header = Buffer.alloc(5);
	header.write(type, "latin1");
	header.writeUInt32LE(bytes.length, 1);
	return Buffer.concat([header, bytes]);
}

export function recordFrame(
	origin: string,
	status: number,
	body: string | Uint8Array,
): Buffer {
	const name = Buffer.from(origin);
	const length = Buffer.alloc(4);
	length.writeUInt32LE(name.length);
	const code = Buffer.alloc(2);
	code.writeInt16LE(status);
	return frame("R", length, name, code, Buffer.from(body));
}

/** A column whose first offset is `start`. */
export function columnFrame(
	texts: readonly (string | Uint8Array)[],
	width: 4 | 8 = 4,
	start = 0,
): Buffer {
	const bytes = texts.map((text) => Buffer.from(text));
	let end = start;
	const offsets = [start, ...bytes.map(({ length }) => (end += length))];
	return offsetsFrame(
		width,
		offsets,
		Buffer.concat([Buffer.alloc(start, "x"), ...bytes]),
	);
}

export function offsetsFrame(
	width: number,
	offsets: readonly number[],
	bytes: Uint8Array,
): Buffer {
	const header = Buffer.alloc(5);
	header.writeUInt8(width);
	header.writeUInt32LE(offsets.length - 1, 1);
	const table =
		width === 4
			? Int32Array.from(offsets)
			: BigInt64Array.from(offsets, (offset) => BigInt(offset));
	return frame("A", header, Buffer.from(table.buffer), bytes);
}

/** The reply with these runs of verdicts, one for each crawler. */
export function reply(...runs: readonly Iterable<number>[]): Buffer {
	return repliedTo("A", ...runs);
}

/** The same to a frame of another type. */
export function repliedTo(
	type: string,
	...runs: readonly Iterable<number>[]
): Buffer {
	return frame(type, ...runs.map((run) => Buffer.from([...run])));
}

/** The frame that names what was wrong with another one. */
export function errorReply(message: string): Buffer {
	return frame("E", Buffer.from(message));
}

/** The frames in bytes. */
export function framesOf(bytes: Buffer): { type: string; payload: Buffer }[] {
	const found = [];
	for (let at = 0; at < bytes.length; ) {
		const end = at + 5 + bytes.readUInt32LE(at + 1);
		const type = String.fromCharCode(bytes[at] as number);
		found.push({ type, payload: bytes.subarray(at + 5, end) });
		at = end;
	}
	return found;
}

/** The first frame that `robotrie stream` writes. */
export function firstReply(
	agents: readonly Agent[],
	dialect: Dialect | null = agents.length > 0 ? "rfc9309" : null,
): Buffer {
	const names = agents.map((agent) => [agent].flat());
	const head = { version: PROTOCOL_VERSION, dialect, agents: names };
	return frame("V", Buffer.from(JSON.stringify(head)));
}

export interface Answered {
	/** All but the first, which `firstReply` gives. */
	readonly replies: Buffer;
	/** The sentence that ends it. */
	readonly error?: string;
	readonly badOrigins: readonly string[];
}

/** What `robotrie stream` answers, without a process. */
export async function answered(
	chunks: Iterable<Uint8Array>,
	agents: readonly Agent[],
	dialect?: Dialect,
): Promise<Answered> {
	const replies: Uint8Array[] = [];
	const badOrigins: string[] = [];
	async function* input() {
		yield* chunks;
	}
	const end = () => ({
		replies: Buffer.concat(replies.slice(1)),
		badOrigins,
	});
	try {
		await answerFrames(new ByteReader(sourceOf(input())), {
			rules: new StreamRules(agents, dialect),
			write: async (bytes) => {
				replies.push(bytes.slice());
			},
			onBadOrigin: (origin) => {
				badOrigins.push(origin);
			},
			reload: async () => {
				throw new Error("only processes load files");
			},
		});
	} catch (error) {
		if (!(error instanceof Error)) throw error;
		return { ...end(), error: error.message };
	}
	return end();
}

/** The blocks of bytes in docs/stream.md, lines of hexadecimal digits with words behind them: frames, then replies. */
export function documented(): readonly [frames: Buffer, replies: Buffer] {
	const page = readFileSync(
		join(import.meta.dirname, "../docs/stream.md"),
		"utf8",
	);
	const [frames = "", replies = ""] = [
		...page.matchAll(/```hex\n(.*?)```/gs),
	].map(([, block = ""]) => block.replace(/ {2,}.*$/gm, ""));
	return [hex(frames), hex(replies)];
}

function hex(digits: string): Buffer {
	return Buffer.from(digits.replace(/\s/g, ""), "hex");
}
