import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** The log and the robots.txt of sample/, and a folder for what tests write. */

const bytesOf = (name: string) =>
	readFileSync(new URL(`../../../../sample/${name}`, import.meta.url));

export const robots = [{ file: "robots.txt", bytes: bytesOf("robots.txt") }];

/** Each with its line feed. */
export const lines = bytesOf("access.log")
	.toString()
	.split(/(?<=\n)/);

/** A folder that goes when the test file ends, and what writes a file to it. */
export function testFolder() {
	const folder = mkdtempSync(join(tmpdir(), "robotrie-audit-"));
	afterAll(() => rmSync(folder, { recursive: true, force: true }));
	const file = (name: string, content: string | Uint8Array) => {
		const path = join(folder, name);
		writeFileSync(path, content);
		return path;
	};
	return { folder, file };
}
