import { RobotsIndex } from "../src/index.ts";
import { dump, u32 } from "./design-program.ts";
import { SYMBOLS } from "./symbols.ts";

/** A file's program for any crawler, as an index keeps it. */
export function compactProgram(file: string): Uint8Array {
	const index = new RobotsIndex({ agent: "ExampleBot" });
	index.set("https://example.com", file);
	const snapshot = index.toBytes();
	const at = 24 + u32(snapshot, 8);
	return snapshot.slice(at, at + (u32(snapshot, at) & 0xffffff));
}

/** Its prefix part, a line a field; the test of the page shows when fields have moved. */
export function compactDump(file: string): string {
	const bytes = compactProgram(file);
	const symbols = SYMBOLS.split(" ");
	const strings = (from: number, length: number) =>
		Array.from(bytes.subarray(from, from + length), (code) =>
			JSON.stringify(symbols[code]),
		).join(" ");
	const bits = (bytes[12] ?? 0) & 31;
	const sizes: readonly (readonly [size: number, text: string])[] = [
		[3, `bytes of the program: ${bytes.length}`],
		[1, "bytes of the header"],
		[1, "it has an unanchored part"],
		[1, "how URLs are normalised: table 0"],
		[1, "best priority for every path: no rule"],
		[3, "from the jump table to the prefilter: 31 bytes"],
		[1, "best priority of the unanchored part"],
		[1, "bits of the visited set"],
		[1, `jump table: 2^${bits} slots`],
		[1, "jump table: a bit for each slot that leads to code"],
		[3, "slot 0: tag, distance of its code"],
		[3, "slot 3: tag, distance of its code"],
		[1, "text that the path must end with"],
		[1, "  priority 3: allow"],
		[1, "  bytes of the other operands"],
		[1, "  bytes of the text"],
		[3, `  ${strings(24, 3)}`],
		[1, "stop"],
		[1, "text of 8 strings"],
		[8, `  ${strings(29, 8)}`],
		[1, "rule"],
		[1, "  priority 2: disallow"],
		[1, "text of 2 strings, then a rule, then stop"],
		[2, `  ${strings(40, 2)}`],
		[1, "  priority 3: allow"],
	];
	let next = 0;
	const fields = sizes.map(([size, text]) => {
		const at = next;
		next += size;
		return { at, size, text };
	});
	return dump(bytes.subarray(0, next), fields);
}
