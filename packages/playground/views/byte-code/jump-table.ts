/**
 * What a program's jump tables lead to, for jump-table-view.ts: of each slot the keys that hash there, its code and its rules, and where a
 * path is led. A table holds no keys, only parts of their hashes: they are read from the code, which compares them first.
 */
import { keyBytes, slotOf } from "robotrie/disassemble";
import type { Instruction, Listing, Trace } from "../../page/messages.ts";
import { armsOf, isLastText, kindOf, nameOf, textOf } from "./instruction.ts";

export type JumpTable = Listing["tables"][number];

/** Code that a jump table leads to. */
export interface Entry {
	/** null for the patterns that are shorter than a key. */
	readonly slot: number | null;
	/** Of short patterns the bytes that they begin with. */
	readonly keys: readonly Uint8Array[];
	/** Offsets of its code in the program; `to` is not included. */
	readonly from: number;
	readonly to: number;
	/** Those that it may note. */
	readonly rules: Listing["rules"];
	/** It may also note that /robots.txt itself is allowed, which no line says. */
	readonly isForRobotsTxt: boolean;
}

/** The entries of a table in the order of their code: short patterns first, then slots. */
export function entriesOf(
	{ slots, short, to }: JumpTable,
	{ instructions, rules }: Listing,
): readonly Entry[] {
	const indices = new Map(
		instructions.map(({ offset }, index) => [offset, index]),
	);
	const begins = [
		...(short ? [{ slot: null, offset: short.offset }] : []),
		...slots,
	];
	return begins.map(({ slot, offset: from }, i): Entry => {
		const end = begins[i + 1]?.offset ?? to;
		const own = instructions.filter(
			({ offset }) => offset >= from && offset < end,
		);
		const lines = new Set(own.map(({ line }) => line));
		return {
			slot,
			keys:
				slot === null
					? (short?.bytes ?? []).map((byte) => Uint8Array.of(byte))
					: withoutDoubles(keysFrom(instructions, indices, from, [])),
			...{ from, to: end },
			rules: rules.filter(({ line }) => lines.has(line)),
			isForRobotsTxt: own.some(({ text }) =>
				text.endsWith("; /robots.txt itself"),
			),
		};
	});
}

/** The keys that the code at an offset compares with what follows some bytes. */
function* keysFrom(
	instructions: readonly Instruction[],
	indices: ReadonlyMap<number, number>,
	offset: number,
	before: readonly number[],
): Generator<Uint8Array> {
	let bytes = before;
	for (let index = indices.get(offset) ?? -1; ; index++) {
		const instruction = instructions[index];
		if (!instruction || nameOf(instruction).name === "stop") return;
		const arms = armsOf(instruction);
		for (const [added, target] of arms) {
			const longer = [...bytes, ...added];
			if (longer.length < keyBytes)
				yield* keysFrom(instructions, indices, target, longer);
			else yield Uint8Array.from(longer);
		}
		if (arms.length > 0) return;
		if (kindOf(instruction) !== "compare") continue;
		const longer = [...bytes, ...textOf(instruction)];
		const isWhole = longer.length >= keyBytes;
		if (isWhole) yield Uint8Array.from(longer.slice(0, keyBytes));
		// A literal must match for the code to go on; other texts are tried one after the other at the same place.
		const isLiteral = nameOf(instruction).name === "literal";
		if (isLiteral ? isWhole : isLastText(instruction)) return;
		if (isLiteral) bytes = longer;
	}
}

function withoutDoubles(keys: Iterable<Uint8Array>): readonly Uint8Array[] {
	const known = new Map<string, Uint8Array>();
	for (const key of keys) known.set(String(key), key);
	return [...known.values()];
}

/** Where a path is led by a table. */
interface Way {
	/** Offsets of the code that it is led to. */
	readonly offsets: ReadonlySet<number>;
	/** Sentences. */
	readonly words: string;
}

/** The way of a path, which the engine looks up in the prefixes' table once, after its first byte, and in the other one anywhere. */
export function wayOf(
	table: JumpTable,
	entries: readonly Entry[],
	trace: Trace,
): Way {
	if (trace.verdict === "invalid")
		return { offsets: new Set(), words: "This is not a URL." };
	const path = new TextEncoder().encode(trace.path);
	return table.part === "prefixes"
		? wayOfPrefix(table, entries, path)
		: wayOfPlaces(entries, trace, path);
}

function wayOfPrefix(
	{ size, short }: JumpTable,
	entries: readonly Entry[],
	path: Uint8Array,
): Way {
	const offsets = new Set<number>();
	const sentences: string[] = [];
	if (path.length > keyBytes) {
		const key = path.subarray(1, 1 + keyBytes);
		const slot = slotOf(path, 1, size);
		const entry = entries.find((one) => one.slot === slot);
		const isKnown = entry?.keys.some((one) => String(one) === String(key));
		if (entry && isKnown) offsets.add(entry.from);
		sentences.push(
			`The path's first ${keyBytes} bytes after “/” are ${shownKey(key)}: slot ${slot}, ${entry && isKnown ? `whose code begins at ${entry.from}` : entry ? "whose code is for another key" : "which has no code"}.`,
		);
	} else
		sentences.push(
			`Fewer than ${keyBytes} bytes follow the path's “/”: no slot is for it.`,
		);
	if (short) {
		// After the end there is the end of the line.
		const isTried = short.bytes.includes(path[1] ?? 0x0a);
		if (isTried) offsets.add(short.offset);
		sentences.push(
			`${isTried ? "A" : "No"} shorter pattern begins like it${isTried ? `: code at ${short.offset}` : ""}.`,
		);
	}
	return { offsets, words: sentences.join(" ") };
}

/** Places that are named. */
const MOST_PLACES = 5;

function wayOfPlaces(
	entries: readonly Entry[],
	{ steps }: Trace,
	path: Uint8Array,
): Way {
	const begins = new Set(entries.map(({ from }) => from));
	const entered = steps.filter(({ offset }) => begins.has(offset));
	const places = [...new Set(entered.map(({ at }) => at))];
	const named = places
		.slice(0, MOST_PLACES)
		.map(
			(at) => `${shownKey(path.subarray(at, at + keyBytes))} at byte ${at + 1}`,
		);
	const more = places.length - named.length;
	return {
		offsets: new Set(entered.map(({ offset }) => offset)),
		words:
			places.length === 0
				? "Nothing in this path leads to code."
				: `In this path these lead to code: ${named.join(", ")}${more > 0 ? ` and ${more.toLocaleString("en")} more` : ""}.`,
	};
}

/** Bytes as text, in quotes; those that are not printable ASCII as in the listing. */
export function shownKey(key: Uint8Array): string {
	const shown = Array.from(key, (byte) =>
		byte < 33 || byte > 126
			? `\\x${byte.toString(16).padStart(2, "0")}`
			: String.fromCharCode(byte),
	);
	return `“${shown.join("")}”`;
}
