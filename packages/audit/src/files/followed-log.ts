/**
 * The bytes of a log that grows, across rotation of any kind. follow-log.ts looks now and then; all that happens between two
 * looks must be found by the next one. Files are known by what they are, not by their names: a rename leaves a file the same, and the
 * name then means another one. `position` says how far the files were read, and `open` goes on from there in another process.
 */
import { createHash } from "node:crypto";
import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { compressionOf } from "#robotrie/common/compression";

/** How some bytes of a file are known again, without keeping them. */
export interface Digest {
	readonly length: number;
	readonly sha256: string;
}

/** How far a file was read. */
export interface FilePosition {
	readonly key: string;
	/** Bytes that were taken; the last of these are in `tail`. */
	readonly at: number;
	readonly tail: Digest;
	/** The last of these that are to be read again, as they are a line without its end. */
	readonly unfinished: number;
}

/** How far a log was read. */
export interface LogPosition<Place extends FilePosition = FilePosition> {
	/** Files that others have replaced, and last the one that has the log's name. */
	readonly files: readonly Place[];
	/** Rotated files that are none of these, by their keys. */
	readonly known: readonly string[];
	/** First bytes of files that were read. */
	readonly heads: readonly Digest[];
}

/** A file that is read on. */
export interface ResumedFile<Place extends FilePosition = FilePosition> {
	readonly place: Place;
	readonly number: number;
	/** Where reading goes on. */
	readonly at: number;
	/** Bytes before that. */
	read(from: number, length: number): Promise<Uint8Array>;
}

/** What happened to a file so that lines may be lost. */
export type Loss = "emptied" | "gone";

/** The next bytes of one of the log's files; without bytes it has ended. */
export interface FollowedBytes {
	/** Each file has a number of its own, and another one once it was emptied. */
	readonly file: number;
	readonly bytes?: Uint8Array;
	/** It was emptied, or is not read on: what has no line end may be half a line. */
	readonly isCut?: boolean;
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
	readonly #onLoss: (loss: Loss) => void;
	#current: FollowedFile;
	/** Files that others have replaced, the oldest first. */
	#replaced: FollowedFile[] = [];
	/** Rotated files beside the log that were there when all had been found. */
	#known: ReadonlySet<string> = new Set();
	/** First bytes of files that were read. */
	#heads: Digest[] = [];
	#files = 0;
	readonly #buffer = Buffer.alloc(TAIL + CHUNK);

	private constructor(
		path: string,
		first: FollowedFile,
		onLoss: (loss: Loss) => void,
	) {
		this.#path = path;
		this.#folder = dirname(path);
		this.#current = first;
		this.#onLoss = onLoss;
	}

	/**
	 * @param onLoss Called when a file was emptied, or is gone: what was written between the last look and then is lost.
	 * @param from Where reading goes on.
	 * @param resume Called for each file of it that is still there.
	 */
	static async open<Place extends FilePosition>(
		path: string,
		onLoss: (loss: Loss) => void,
		from?: LogPosition<Place>,
		resume?: (file: ResumedFile<Place>) => Promise<void>,
	): Promise<FollowedLog> {
		const first = await FollowedFile.of(await open(path, "r"), false);
		const log = new FollowedLog(path, first, onLoss);
		try {
			if (!from) await log.#remember();
			else
				for (const file of await log.#resume(from, first)) await resume?.(file);
		} catch (error) {
			await log.close();
			throw error;
		}
		return log;
	}

	/**
	 * How far the bytes were taken that `look` gave: all but the last ones, until it is asked for the next.
	 * @param more What else is to be known of a file, by its number; undefined if none of its bytes was taken.
	 */
	position<More extends { readonly unfinished: number }>(
		more: (file: number | undefined) => More,
	): LogPosition<FilePosition & More> {
		const files = [...this.#replaced, this.#current];
		return {
			files: files
				.filter(({ isForeign }) => !isForeign)
				.map(({ key, number, taken }) => ({
					key,
					...taken,
					...more(taken.at > 0 ? number : undefined),
				})),
			known: [
				...this.#known,
				...files.filter(({ isForeign }) => isForeign).map(({ key }) => key),
			],
			heads: this.#heads,
		};
	}

	/** Finds the files of a position, and others that came since. */
	async #resume<Place extends FilePosition>(
		{ files, known, heads }: LogPosition<Place>,
		named: FollowedFile,
	): Promise<ResumedFile<Place>[]> {
		const found = [named, ...(await this.#rotated(named))];
		// Keys change where a file system gets another number, or files are copied. Then nothing but its bytes tells which file is which, and
		// one that was never read may have been there before: it is not read.
		const keys = new Set([...known, ...files.map(({ key }) => key)]);
		const isSame = found.some(({ key }) => keys.has(key));
		const own: FollowedFile[] = [];
		const resumed: ResumedFile<Place>[] = [];
		for (const place of files) {
			const left = found.filter((file) => !own.includes(file));
			const file = isSame
				? left.find(({ key }) => key === place.key)
				: await findWith(place, left);
			if (file) own.push(file);
			if (!file || !(await file.has(place)))
				this.#onLoss(file ? "emptied" : "gone");
			else if (place.at > 0) {
				file.number = this.#files++;
				const { handle, number } = file;
				const at = place.at - place.unfinished;
				await file.goOn(at);
				const read = (from: number, length: number) =>
					bytesOf(handle, from, length);
				resumed.push({ place, number, at, read });
			}
		}
		this.#heads = [...heads];
		const isNew = (file: FollowedFile) =>
			isSame && !keys.has(file.key) && !own.includes(file);
		this.#known = new Set(
			found
				.filter((file) => !own.includes(file) && !isNew(file))
				.map(({ key }) => key),
		);
		// If it still has the log's name, other new files are copies of it, as it was copied and emptied; else `look` finds them.
		const last = own.at(-1) ?? named;
		this.#current = own.includes(named) ? named : last;
		const added =
			this.#current === named
				? found
						.filter((file) => file !== named && isNew(file))
						.sort((a, b) => Number(a.birth - b.birth))
				: [];
		this.#replaced = [
			...added,
			...own.filter((file) => file !== this.#current),
		];
		for (const file of found)
			if (file !== this.#current && !this.#replaced.includes(file))
				await file.handle.close();
		return resumed;
	}

	/** Rotated files beside the log. */
	async #rotated(named: FollowedFile): Promise<FollowedFile[]> {
		const found: FollowedFile[] = [];
		for (const path of await this.#beside()) {
			const handle = await open(path, "r").catch(() => undefined);
			const file = handle && (await FollowedFile.of(handle, true));
			if (!file) continue;
			const isDouble = [named, ...found].some(({ key }) => key === file.key);
			if (file.isRegular && !isDouble) found.push(file);
			else await file.handle.close();
		}
		return found;
	}

	/** What was written since the last look. @param now In milliseconds, of any clock. */
	async *look(now: number): AsyncGenerator<FollowedBytes> {
		// Of a file that was replaced while nobody looked, the grace begins now.
		for (const file of this.#replaced) file.since ||= now;
		for (const file of [...this.#replaced, this.#current])
			yield* this.#rest(file, now);
		for (let pass = 0; pass < MOST_PASSES; pass++) {
			const found = await this.#successors();
			const left = [...found];
			try {
				for (const file of found) {
					this.#replaced.push(this.#current);
					this.#current.since = now;
					this.#current = file;
					left.shift();
					yield* this.#rest(file, now);
				}
			} finally {
				// Whoever reads no further has no use for the others.
				for (const { handle } of left) await handle.close();
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

	/** The last look: replaced files end, perhaps within a line, as their writers may go on. */
	async *last(now: number): AsyncGenerator<FollowedBytes> {
		yield* this.look(now);
		yield* this.#end(this.#replaced, true);
	}

	async close(): Promise<void> {
		for (const { handle } of [...this.#replaced, this.#current])
			await handle.close();
	}

	async *#end(
		files: readonly FollowedFile[],
		isCut = false,
	): AsyncGenerator<FollowedBytes> {
		for (const file of files) {
			if (file.number !== undefined) yield { file: file.number, isCut };
			this.#replaced = this.#replaced.filter((other) => other !== file);
			await file.handle.close();
		}
	}

	/** What has not been read of a file. Bytes are copied, as the buffer is reused and the chunk is kept. */
	async *#rest(file: FollowedFile, now: number): AsyncGenerator<FollowedBytes> {
		while (!file.isForeign) {
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
				this.#onLoss("emptied");
				if (file.number !== undefined) yield { file: file.number, isCut: true };
				file.restart();
				continue;
			}
			const bytes = new Uint8Array(read.subarray(tail.length));
			if (bytes.length === 0) return;
			if (file.number === undefined) {
				if (file.isFoundBeside && this.#isForeign(bytes)) {
					file.isForeign = true;
					return;
				}
				file.number = this.#files++;
			}
			const isFirst = file.at === 0;
			file.at += bytes.length;
			file.since = now;
			file.tail = Buffer.from(read.subarray(Math.max(0, bytesRead - TAIL)));
			yield { file: file.number, bytes };
			// Who asks for the next bytes has taken these.
			if (isFirst) {
				const head = digestOf(bytes.subarray(0, HEAD));
				this.#heads = [head, ...this.#heads].slice(0, MOST_HEADS);
			}
			file.taken = { at: file.at, tail: digestOf(file.tail) };
		}
	}

	/** Whether a file that was found beside the log is none of its own: a copy of what was read, or compressed. */
	#isForeign(bytes: Uint8Array): boolean {
		return (
			compressionOf(bytes) !== "plain" ||
			this.#heads.some((head) =>
				isDigestOf(bytes.subarray(0, head.length), head),
			)
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

const NOTHING_TAKEN = { at: 0, tail: digestOf(new Uint8Array(0)) };

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
	/** The same of bytes that were taken. */
	taken = NOTHING_TAKEN;
	/** It was found beside the log and is none of its files. */
	isForeign = false;
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
		this.taken = NOTHING_TAKEN;
		this.number = undefined;
	}

	/** Whether its bytes before a place are still those that were read. */
	async has({ at, tail }: FilePosition): Promise<boolean> {
		const from = at - tail.length;
		return isDigestOf(await bytesOf(this.handle, from, tail.length), tail);
	}

	/** It was read up to here by another process. */
	async goOn(at: number): Promise<void> {
		const from = Math.max(0, at - TAIL);
		this.tail = Buffer.from(await bytesOf(this.handle, from, at - from));
		this.at = at;
		this.taken = { at, tail: digestOf(this.tail) };
	}
}

/** The file that has the bytes before a place. Nothing is known of one that was empty. */
async function findWith(
	place: FilePosition,
	files: readonly FollowedFile[],
): Promise<FollowedFile | undefined> {
	if (place.at === 0) return undefined;
	for (const file of files) if (await file.has(place)) return file;
	return undefined;
}

async function bytesOf(
	handle: FileHandle,
	from: number,
	length: number,
): Promise<Uint8Array> {
	const bytes = new Uint8Array(length);
	const { bytesRead } = await handle.read(bytes, 0, length, from);
	return bytes.subarray(0, bytesRead);
}

interface Identity {
	readonly dev: bigint;
	readonly ino: bigint;
	readonly birthtimeNs: bigint;
}

/** The number of a file that was deleted is soon that of another one; the time of its birth tells them apart, where the file system has it. */
const identity = ({ dev, ino, birthtimeNs }: Identity) =>
	`${dev} ${ino} ${birthtimeNs}`;

/** Which file has a name now. */
export async function keyOf(path: string): Promise<string | undefined> {
	const found = await stat(path, { bigint: true }).catch(() => undefined);
	return found && identity(found);
}

/** By its hash: first and last lines hold addresses, and a position is stored. */
function digestOf(bytes: Uint8Array): Digest {
	return {
		length: bytes.length,
		sha256: createHash("sha256").update(bytes).digest("hex"),
	};
}

const isDigestOf = (bytes: Uint8Array, { length, sha256 }: Digest) =>
	bytes.length === length && digestOf(bytes).sha256 === sha256;
