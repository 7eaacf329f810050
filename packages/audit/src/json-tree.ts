import {
	FIELD_AGENT,
	FIELD_BYTES,
	FIELD_HOST,
	FIELD_IP,
	FIELD_QUERY,
	FIELD_REQUEST,
	FIELD_STATUS,
	FIELD_TARGET,
	FIELD_TIME,
	KEY_CHILD,
	KEY_FIELD,
	KEY_FIRST_BYTES,
	KEY_LENGTH,
	KEY_MASK,
	KEY_RANK,
	KEY_SIZE,
	KEY_TEXT,
	KEY_TWIN,
	KEY_WHOLE,
	KEYS_HEADER,
	KEYS_LENGTHS,
} from "../assembly/format.ts";
import type { JsonFields, LogField } from "./json-formats.ts";
import { isRootless } from "./json-lines.ts";
import type { ScannerModule } from "./scanner-module.ts";

/** The fields of the scanner that those of JSON are. */
const fieldNumbers = {
	path: FIELD_TARGET,
	request: FIELD_REQUEST,
	query: FIELD_QUERY,
	agent: FIELD_AGENT,
	status: FIELD_STATUS,
	time: FIELD_TIME,
	host: FIELD_HOST,
	ip: FIELD_IP,
	bytes: FIELD_BYTES,
};

/** Fields that only JSON.parse's lines can have. */
function isSupported(name: string): name is keyof typeof fieldNumbers {
	return name in fieldNumbers;
}

/** What a key of an object is for. */
interface WantedKey {
	readonly uses: { readonly field: number; readonly rank: number }[];
	/** Whether the text has dots, that is, can stand for keys within keys. */
	isWhole: boolean;
	/** Wanted keys of the object that it holds. */
	readonly within: Map<string, WantedKey>;
}

/**
 * Puts the tree of wanted keys into the module; undefined if it cannot express them, so that all lines have to be read here.
 * @returns The block that holds it.
 */
export function placeKeys(
	module: ScannerModule,
	fields: JsonFields,
): number | undefined {
	const root = treeOf(fields);
	if (!root) return undefined;
	const objects: Map<string, WantedKey>[] = [];
	const list = (keys: Map<string, WantedKey>) => {
		if (keys.size === 0) return;
		objects.push(keys);
		for (const { within } of keys.values()) list(within);
	};
	list(root);
	const starts = new Map<Map<string, WantedKey>, number>();
	let size = 0;
	for (const keys of objects) {
		starts.set(keys, size);
		size += KEYS_HEADER + keys.size * KEY_SIZE;
	}
	const texts = new TextEncoder();
	for (const keys of objects)
		for (const text of keys.keys()) size += texts.encode(text).length;
	const pointer = module.allocate(size, "the keys of a log format");
	const block = new Uint8Array(size);
	const view = new DataView(block.buffer);
	let textAt = size;
	for (const keys of objects) {
		let at = starts.get(keys) ?? 0;
		view.setUint32(at, keys.size, true);
		let lengths = 0n;
		const lengthsAt = at + KEYS_LENGTHS;
		at += KEYS_HEADER;
		for (const [text, key] of keys) {
			const bytes = texts.encode(text);
			textAt -= bytes.length;
			block.set(bytes, textAt);
			lengths |= 1n << BigInt(Math.min(bytes.length, 63));
			const child = starts.get(key.within);
			const [use, twin] = key.uses;
			view.setUint32(at + KEY_TEXT, pointer + textAt, true);
			view.setUint32(at + KEY_LENGTH, bytes.length, true);
			const first = bytes.subarray(0, KEY_MASK - KEY_FIRST_BYTES);
			block.set(first, at + KEY_FIRST_BYTES);
			block.fill(0xff, at + KEY_MASK, at + KEY_MASK + first.length);
			view.setUint32(
				at + KEY_CHILD,
				child === undefined ? 0 : pointer + child,
				true,
			);
			view.setUint32(at + KEY_FIELD, use?.field ?? 0, true);
			view.setUint32(
				at + KEY_RANK,
				(use?.rank ?? 0) | (key.isWhole ? KEY_WHOLE : 0),
				true,
			);
			if (twin)
				view.setUint32(
					at + KEY_TWIN,
					twin.field | (twin.rank * KEY_WHOLE),
					true,
				);
			at += KEY_SIZE;
		}
		view.setBigUint64(lengthsAt, lengths, true);
	}
	module.bytes.set(block, pointer);
	return pointer;
}

function treeOf(fields: JsonFields): Map<string, WantedKey> | undefined {
	const root = new Map<string, WantedKey>();
	const rootless = fields.path?.filter(isRootless).length ?? 0;
	// Slashes are put in front of all paths or of none.
	if (rootless > 0 && rootless < (fields.path?.length ?? 0)) return undefined;
	for (const [name, keys] of Object.entries(fields) as [
		LogField,
		readonly string[],
	][]) {
		if (!isSupported(name)) return undefined;
		if (2 * keys.length >= KEY_WHOLE) return undefined;
		const field = fieldNumbers[name];
		keys.forEach((given, index) => {
			const key = name === "path" && isRootless(given) ? given.slice(1) : given;
			const whole = keyOf(root, key);
			whole.uses.push({ field, rank: 2 * index });
			const parts = key.split(".");
			if (parts.length === 1) return;
			whole.isWhole = true;
			let keysOf = root;
			let found: WantedKey | undefined;
			for (const part of parts) {
				found = keyOf(keysOf, part);
				keysOf = found.within;
			}
			found?.uses.push({ field, rank: 2 * index + 1 });
		});
	}
	return isExpressible(root) ? root : undefined;
}

function keyOf(keys: Map<string, WantedKey>, text: string): WantedKey {
	const key = keys.get(text) ?? { uses: [], isWhole: false, within: new Map() };
	keys.set(text, key);
	return key;
}

function isExpressible(keys: Map<string, WantedKey>): boolean {
	return [...keys.values()].every(
		({ uses, within }) => uses.length <= 2 && isExpressible(within),
	);
}
