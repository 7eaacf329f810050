/**
 * Files that are written: indexes, and what options of commands name (--out, --each, --violations). A regular file has its new content once
 * all of it is written, or keeps the old one (draft.ts); a pipe or a device is written to as bytes come.
 */

import { constants, type Stats } from "node:fs";
import { lstat, open, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { Draft } from "./draft.ts";
import { failureOf } from "./errors.ts";
import { statOf } from "./stat.ts";

/** What a terminal is shown of bytes, which a site may have written: control characters could drive it. */
type Shown = (bytes: Uint8Array) => Uint8Array | string;

/**
 * What is written to. What writes to the three kinds of target; the class above it turns errors
 * into messages.
 */
interface Sink {
	write(bytes: Uint8Array): Promise<void>;
	commit(): Promise<void>;
	discard(): Promise<void>;
}

/**
 * A file that an option names. A regular one, or a new one, has its new content once all of it is
 * written, or never; links are followed. A pipe, a device or any other file that is not regular is
 * written to as bytes come. Callers end with `commit` or `discard`, one of them, once.
 */
export class OutputFile {
	readonly #path: string;
	readonly #sink: Sink;

	private constructor(path: string, sink: Sink) {
		this.#path = path;
		this.#sink = sink;
	}

	/** @throws {SitesError} When it cannot be written. */
	static async open(path: string, shown?: Shown): Promise<OutputFile> {
		try {
			return new OutputFile(path, await sinkFor(path, shown));
		} catch (error) {
			throw writingFailure(path, error);
		}
	}

	/** Stdout instead of a file. */
	static ofStdout(shown?: Shown): OutputFile {
		return new OutputFile("<stdout>", streamSink(process.stdout, shown));
	}

	/** @throws {SitesError} When it cannot be written. */
	async write(bytes: Uint8Array): Promise<void> {
		try {
			await this.#sink.write(bytes);
		} catch (error) {
			throw writingFailure(this.#path, error);
		}
	}

	/** All is written. @throws {SitesError} When it cannot be put in its place; it is discarded then. */
	async commit(): Promise<void> {
		try {
			await this.#sink.commit();
		} catch (error) {
			// Discarded here, so that a caller need not know how far a failed commit came.
			await this.discard();
			throw writingFailure(this.#path, error);
		}
	}

	/** Leaves the file as it was, where that is possible. */
	async discard(): Promise<void> {
		await this.#sink.discard().catch(() => {});
	}
}

/**
 * Writes all chunks to a file. For content that is there as a whole; several outputs at once need
 * OutputFile itself.
 * @throws {SitesError} When it cannot be written.
 */
export async function writeFile(
	path: string,
	chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
	shown?: Shown,
): Promise<void> {
	const file = await OutputFile.open(path, shown);
	try {
		for await (const chunk of chunks) await file.write(chunk);
	} catch (error) {
		await file.discard();
		throw error;
	}
	await file.commit();
}

/**
 * Writes all chunks to a file that is there and empty; then it survives a power failure. Files of
 * an index are made first and written by threads, so nothing is created here.
 * @throws {SitesError} When it cannot be written.
 */
export async function fillFile(
	path: string,
	chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
	try {
		const handle = await open(path, constants.O_WRONLY);
		try {
			for await (const chunk of chunks) await handle.writeFile(chunk);
			await handle.sync();
		} finally {
			await handle.close();
		}
	} catch (error) {
		throw writingFailure(path, error);
	}
}

/** The reader of a pipe has ended, as `head` does. */
function isClosedPipe(error: unknown): boolean {
	return error instanceof Error && "code" in error && error.code === "EPIPE";
}

/** As `failureOf`. A reader that has gone is no failure: program.ts ends quietly for it. */
function writingFailure(path: string, error: unknown): unknown {
	return isClosedPipe(error) ? error : failureOf(`write ${path}`, error);
}

async function sinkFor(path: string, shown?: Shown): Promise<Sink> {
	const found = await statOrMissing(path);
	const stream = found && standardStream(found);
	if (stream) return streamSink(stream, shown);
	// A pipe or a device cannot be renamed over, and must not be.
	if (found && !found.isFile()) return throughSink(path);
	// A link stays a link: the file that it leads to is what is replaced.
	const target = found ? await realpath(path) : await targetOf(path);
	const draft = await Draft.for(target, found);
	return {
		write: (bytes) => draft.handle.writeFile(bytes),
		commit: () => draft.commit(),
		discard: () => draft.discard(),
	};
}

async function statOrMissing(path: string): Promise<Stats | undefined> {
	try {
		return await stat(path);
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
}

function isMissing(error: unknown): boolean {
	return error instanceof Error && "code" in error && error.code === "ENOENT";
}

/** Our stdout or stderr, if that is what a path leads to, as /dev/stdout does; opening it anew fails for sockets, and would cut files. */
function standardStream(found: Stats): NodeJS.WriteStream | undefined {
	return [process.stdout, process.stderr].find(({ fd }) => {
		try {
			const { dev, ino } = statOf(fd);
			return Number(dev) === found.dev && Number(ino) === found.ino;
		} catch {
			// It is closed.
			return false;
		}
	});
}

function streamSink(
	stream: NodeJS.WriteStream,
	shown: Shown = (bytes) => bytes,
): Sink {
	return {
		write: (bytes) =>
			new Promise((done, fail) => {
				const text = stream.isTTY ? shown(bytes) : bytes;
				stream.write(text, (error) => (error ? fail(error) : done()));
			}),
		commit: async () => {},
		discard: async () => {},
	};
}

async function throughSink(path: string): Promise<Sink> {
	const handle = await open(path, constants.O_WRONLY);
	return {
		write: (bytes) => handle.writeFile(bytes),
		commit: () => handle.close(),
		discard: () => handle.close(),
	};
}

/** How many links are followed, as Linux does. */
const MOST_LINKS = 40;

/** Where a new file belongs: links may lead to it. */
async function targetOf(path: string): Promise<string> {
	let target = resolve(path);
	for (let links = 0; links < MOST_LINKS; links++) {
		// A link that leads upwards does so from where its folder really is. Each folder on the way may
		// be a link, too, so it is resolved before the next step.
		const folder = await realpath(dirname(target));
		target = join(folder, basename(target));
		const isLink = await lstat(target).then(
			(found) => found.isSymbolicLink(),
			() => false,
		);
		if (!isLink) return target;
		target = resolve(folder, await readlink(target));
	}
	return target;
}
