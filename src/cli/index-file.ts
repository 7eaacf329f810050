import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { RobotrieError } from "../common/errors.ts";
import { RobotsIndex } from "../sites/robots-index.ts";
import { Failure, systemReason } from "./failure.ts";

/** Bytes read at once: calls of the system end at 2 GiB, snapshots do not. */
const PART = 64 * 1024 * 1024;

/** The index in a file that `robotrie index` wrote. @throws {Failure} When it cannot be read, or is no index. */
export function readIndex(file: string): RobotsIndex {
	try {
		return RobotsIndex.fromBytes(readFile(file));
	} catch (error) {
		const reason =
			error instanceof RobotrieError ? error.message : systemReason(error);
		if (reason === undefined) throw error;
		throw new Failure(`cannot read the index ${file}: ${reason}`);
	}
}

function readFile(file: string): Uint8Array {
	const descriptor = openSync(file, "r");
	try {
		const bytes = new Uint8Array(fstatSync(descriptor).size);
		for (let at = 0; at < bytes.length; ) {
			const size = Math.min(PART, bytes.length - at);
			const read = readSync(descriptor, bytes, at, size, at);
			if (read === 0) break;
			at += read;
		}
		return bytes;
	} finally {
		closeSync(descriptor);
	}
}
