/**
 * The bytes of a log that grows, across rotation of any kind, for `audit --follow`. follow.ts looks now and then; all that happens between two
 * looks must be found by the next one. Files are known by what they are, not by their names: a rename leaves a file the same, and the
 * name then means another one.
 */
import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { compressionOf } from "robotrie/internal";

/** The next bytes of one of the log's files; without bytes it has ended. */
export interface FollowedBytes {
	/** Each file has a number of its own, and another one once it was emptied. */
	readonly file: number;
	readonly bytes?: Uint8Array;
}

/**
 * Milliseconds that a file which was replaced is read on after its last byte. A server that is restarted gracefully writes to it until its last
 * requests have ended.
 */
export const GRACE = 60_000;
/** Replaced files that are read on; each holds a descriptor and a scanner. */
const MOST_REPLACED = 32;
const CHUNK = 256 * 1024;
/** Bytes before the next one to read that must still be the same: otherwise the file was emptied and has grown again. */
const TAIL = 1024;
/** First bytes by which a copy of a file is known, as copytruncate makes it. */
const HEAD = 256;
const MOST_HEADS = 64;
/** Passes over the names in one look: each finds what was renamed during the one before. */
const MOST_PASSES = 20;
/** What rotation adds to a name: numbers or a date. Other names may be other logs, which are rotated at the same time. */
const ROTATED = /^[.-]\d[\dT._:-]*$/;

/** A log and the files that it was, until each of them is read to its end. */
export class FollowedLog {
	readonly #path: string;
	readonly #folder: string;
	readonly #onCut: () => void;
	#current: FollowedFile;
	/** Files that others have replaced, the oldest first. */
	#replaced: FollowedFile[] = [];
	/** Rotated files beside the log that were there when all had been found. */
	#known: ReadonlySet<string> = new Set();
	/** First bytes of files that were read. */
	#heads: Buffer[] = [];
	#files = 0;
	readonly #buffer = Buffer.alloc(TAIL + CHUNK);

	private constructor(path: string, first: FollowedFile, onCut: () => void) {
		this.#path = path;
		this.#folder = dirname(path);
		this.#current = first;
		this.#onCut = onCut;
	}

	/** @param onCut Called when a file was emptied: what was written between the last look and then is lost. */
	static async open(path: string, onCut: () => void): Promise<FollowedLog> {
		const log = new FollowedLog(
			path,
			await FollowedFile.of(await open(path, "r"), false),
			onCut,
		);
		await log.#remember();
		return log;
	}

	/** What was written since the last look. @param now In milliseconds, of any clock. */
	async *look(now: number): AsyncGenerator<FollowedBytes> {
		for (const file of [...this.#replaced, this.#current])
			yield* this.#rest(file, now);
		for (let pass = 0; pass < MOST_PASSES; pass++) {
			const found = await this.#successors();
			for (const file of found) {
				this.#replaced.push(this.#current);
				this.#current.since = now;
				this.#current = file;
				yield* this.#rest(file, now);
			}
			if (found.length > 0) continue;
			const key = await keyOf(this.#path);
			if (key === this.#current.key) await this.#remember();
			// Another rotation while names were read: a file may have had a name that was read already.
			if (key === undefined || key === this.#current.key) break;
		}
		const isDone = (file: FollowedFile, index: number) =>
			now - file.since >= GRACE ||
			this.#replaced.length - index > MOST_REPLACED;
		yield* this.#end(this.#replaced.filter(isDone));
	}

	/** The last look: replaced files end; of the last one, half a line may be left. */
	async *last(now: number): AsyncGenerator<FollowedBytes> {
		yield* this.look(now);
		yield* this.#end(this.#replaced);
	}

	async close(): Promise<void> {
		for (const { handle } of [...this.#replaced, this.#current])
			await handle.close();
	}

	async *#end(files: readonly FollowedFile[]): AsyncGenerator<FollowedBytes> {
		for (const file of files) {
			this.#replaced = this.#replaced.filter((other) => other !== file);
			await file.handle.close();
			if (file.number !== undefined) yield { file: file.number };
		}
	}

	/** What has not been read of a file. Bytes are copied, as the buffer is reused and the chunk is kept. */
	async *#rest(file: FollowedFile, now: number): AsyncGenerator<FollowedBytes> {
		for (;;) {
			const { tail } = file;
			// One call for both, so that nothing can happen between looking whether it was emptied and reading on.
			const { bytesRead } = await file.handle.read(
				this.#buffer,
				0,
				tail.length + CHUNK,
				file.at - tail.length,
			);
			const read = this.#buffer.subarray(0, bytesRead);
			if (!read.subarray(0, tail.length).equals(tail)) {
				this.#onCut();
				if (file.number !== undefined) yield { file: file.number };
				file.restart();
				continue;
			}
			const bytes = new Uint8Array(read.subarray(tail.length));
			if (bytes.length === 0) return;
			if (file.number === undefined) {
				if (file.isFoundBeside && this.#isForeign(bytes)) {
					file.at = Number.MAX_SAFE_INTEGER;
					return;
				}
				file.number = this.#files++;
			}
			if (file.at === 0)
				this.#heads = [headOf(bytes), ...this.#heads].slice(0, MOST_HEADS);
			file.at += bytes.length;
			file.since = now;
			file.tail = Buffer.from(read.subarray(Math.max(0, bytesRead - TAIL)));
			yield { file: file.number, bytes };
		}
	}

	/** Whether a file that was found beside the log is none of its own: a copy of what was read, or compressed. */
	#isForeign(bytes: Uint8Array): boolean {
		const head = headOf(bytes);
		return (
			compressionOf(bytes) !== "plain" ||
			this.#heads.some((other) => {
				const length = Math.min(other.length, head.length);
				return other.subarray(0, length).equals(head.subarray(0, length));
			})
		);
	}

	/** Files that have taken the log's place since the current one, in their order: what has its name now, and before it what had it between two looks. */
	async #successors(): Promise<FollowedFile[]> {
		if ((await keyOf(this.#path)) === this.#current.key) return [];
		const found: FollowedFile[] = [];
		for (const path of [...(await this.#beside()), this.#path]) {
			const handle = await open(path, "r").catch(() => undefined);
			if (!handle) continue;
			const file = await FollowedFile.of(handle, path !== this.#path);
			const isOpen = [...found, ...this.#replaced, this.#current].some(
				({ key }) => key === file.key,
			);
			const isOld = file.isFoundBeside && this.#known.has(file.key);
			if (isOpen || isOld || !file.isRegular) await handle.close();
			else found.push(file);
		}
		// What has the name now is the last one; the others in the order of their birth.
		return found.sort(
			(a, b) =>
				Number(b.isFoundBeside) - Number(a.isFoundBeside) ||
				Number(a.birth - b.birth),
		);
	}

	async #beside(): Promise<string[]> {
		const name = basename(this.#path);
		const names = await readdir(this.#folder).catch((): string[] => []);
		return names
			.filter(
				(each) =>
					each.startsWith(name) && ROTATED.test(each.slice(name.length)),
			)
			.map((each) => join(this.#folder, each));
	}

	async #remember(): Promise<void> {
		const keys = await Promise.all((await this.#beside()).map(keyOf));
		this.#known = new Set(keys.filter((key) => key !== undefined));
	}
}

/** One file, by its handle. */
class FollowedFile {
	readonly handle: FileHandle;
	readonly key: string;
	readonly birth: bigint;
	readonly isRegular: boolean;
	/** Whether it never had the log's name when somebody looked. */
	readonly isFoundBeside: boolean;
	/** Set with its first bytes. */
	number: number | undefined;
	/** Bytes read so far, and the last ones of these. */
	at = 0;
	tail = Buffer.alloc(0);
	/** When it grew, or was replaced. */
	since = 0;

	private constructor(
		handle: FileHandle,
		found: Identity & { readonly birthtimeNs: bigint; isFile(): boolean },
		isFoundBeside: boolean,
	) {
		this.handle = handle;
		this.key = identity(found);
		this.birth = found.birthtimeNs;
		this.isRegular = found.isFile();
		this.isFoundBeside = isFoundBeside;
	}

	static async of(
		handle: FileHandle,
		isFoundBeside: boolean,
	): Promise<FollowedFile> {
		const found = await handle.stat({ bigint: true });
		return new FollowedFile(handle, found, isFoundBeside);
	}

	/** It is read from its beginning again, as another file. */
	restart(): void {
		this.at = 0;
		this.tail = Buffer.alloc(0);
		this.number = undefined;
	}
}

interface Identity {
	readonly dev: bigint;
	readonly ino: bigint;
	readonly birthtimeNs: bigint;
}

/** The number of a file that was deleted is soon that of another one; the time of its birth tells them apart, where the file system has it. */
const identity = ({ dev, ino, birthtimeNs }: Identity) =>
	`${dev} ${ino} ${birthtimeNs}`;

async function keyOf(path: string): Promise<string | undefined> {
	const found = await stat(path, { bigint: true }).catch(() => undefined);
	return found && identity(found);
}

const headOf = (bytes: Uint8Array) => Buffer.from(bytes.subarray(0, HEAD));
