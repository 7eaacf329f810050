/**
 * Writes a log format into the module's memory: the steps of its template, and for JSON the tree of keys whose values are wanted. The
 * layouts are STEP_ and KEY_ in assembly/format.ts; assembly/fields.ts and assembly/json.ts read them. The scanner calls placeFormat
 * whenever a log begins or a directive changes the fields.
 */

import {
	CLF_WIDTH,
	FIELD_AGENT,
	FIELD_BYTES,
	FIELD_HOST,
	FIELD_IP,
	FIELD_METHOD,
	FIELD_QUERY,
	FIELD_REFERRER,
	FIELD_REQUEST,
	FIELD_STATUS,
	FIELD_TARGET,
	FIELD_TIME,
	FIELD_TYPE,
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
	OPTION_ADDRESS,
	OPTION_ASKS,
	OPTION_BUCKET,
	OPTION_DIRECTIVES,
	OPTION_ESCAPED,
	OPTION_HOST_IN_TARGET,
	OPTION_IDENT,
	OPTION_JSON,
	OPTION_NO_HEADERS,
	OPTION_ROOTLESS,
	OPTION_SCHEMELESS,
	OPTION_TRANSCODED,
	STATUS_WIDTH,
	STEP_FIELD,
	STEP_FIRST_BYTES,
	STEP_FLAGS,
	STEP_LENGTH,
	STEP_MASK,
	STEP_SIZE,
	STEP_TEXT,
	STEP_WIDTH,
	TIME_CLF,
} from "../../assembly/format.ts";
import type { ScannerModule } from "../common/scanner-module.ts";
import {
	isChanging,
	isHeaderless,
	isRootless,
	type JsonFields,
	keyName,
	type LogField,
	type LogFormat,
} from "./log-format.ts";
import { isPlainJson } from "./records.ts";

/** Bytes of a step's text that are repeated in the step itself, where one comparison of eight bytes finds most mismatches. */
const MOST_FIRST_BYTES = STEP_MASK - STEP_FIRST_BYTES;

/** Puts a log format into the module. Returns the blocks that hold it, to be released once another format is in use. */
export function placeFormat(
	module: ScannerModule,
	format: LogFormat,
): readonly number[] {
	const { steps, time } = format.template;
	const texts = steps.map(({ text }) => new TextEncoder().encode(text));
	const day = new TextEncoder().encode(format.day ?? "");
	const size = texts.reduce(
		(sum, { length }) => sum + length,
		steps.length * STEP_SIZE + day.length,
	);
	// The block is built here and copied at once; addresses in it are final, as `pointer` is known.
	// Steps come first, then their texts, then the day. One `set` into linear memory in place of a
	// write for each number.
	const pointer = module.allocate(size, "a log format");
	const block = new Uint8Array(size);
	const view = new DataView(block.buffer);
	let textAt = steps.length * STEP_SIZE;
	steps.forEach(({ field, flags }, index) => {
		const text = texts[index] as Uint8Array;
		const at = index * STEP_SIZE;
		// The usual width of a field lets the module jump to its end (`fieldEnd` in assembly/fields.ts).
		const width =
			field === FIELD_TIME && time === TIME_CLF
				? CLF_WIDTH
				: // Hints, not constraints: a field of another width is found by searching.
					field === FIELD_STATUS
					? STATUS_WIDTH
					: 0;
		view.setUint32(at + STEP_FIELD, field, true);
		view.setUint32(at + STEP_FLAGS, flags | (width * STEP_WIDTH), true);
		view.setUint32(at + STEP_TEXT, pointer + textAt, true);
		view.setUint32(at + STEP_LENGTH, text.length, true);
		const firstBytes = text.subarray(0, MOST_FIRST_BYTES);
		block.set(firstBytes, at + STEP_FIRST_BYTES);
		const mask = at + STEP_MASK;
		block.fill(0xff, mask, mask + firstBytes.length);
		block.set(text, textAt);
		textAt += text.length;
	});
	block.set(day, textAt);
	module.bytes.set(block, pointer);
	// Without keys, all lines of JSON go to `JsonLines`. Keys that the module cannot express (a
	// bucket, a date, too many ranks) leave every line to JSON.parse.
	const keys =
		format.json && isPlainJson(format)
			? placeKeys(module, format.json)
			: undefined;
	if (keys !== undefined) module.calls.useKeys(keys);
	// The pointers are valid until the block is released, which happens only after the next format is
	// in use.
	module.calls.useFormat(
		pointer,
		steps.length,
		time,
		(format.directives ? OPTION_DIRECTIVES : 0) |
			// JsonLines escapes targets itself, whatever the format does with headers.
			(format.escaping === "backslash" || format.json ? OPTION_ESCAPED : 0) |
			(format.hostInTarget ? OPTION_HOST_IN_TARGET : 0) |
			(format.json || format.envelope ? OPTION_TRANSCODED : 0) |
			(format.bucketInTarget ? OPTION_BUCKET : 0) |
			(keys !== undefined ? OPTION_JSON : 0) |
			(format.json?.path?.some(isRootless) ? OPTION_ROOTLESS : 0) |
			(format.isSchemeless ? OPTION_SCHEMELESS : 0) |
			columnOptions(format),
		pointer + textAt,
		pointer + textAt + day.length,
	);
	return keys === undefined ? [pointer] : [pointer, keys];
}

/** What the module has to look at in lines that it could cut. */
function columnOptions(format: LogFormat): number {
	const { columns, template } = format;
	const asks = isChanging(format) ? OPTION_ASKS : 0;
	if (!columns) return asks;
	const hasAddress = template.steps.some(({ field }) => field === FIELD_IP);
	return (
		asks |
		(hasAddress ? OPTION_ADDRESS : 0) |
		(columns === "client" ? OPTION_IDENT : 0) |
		// Who chose it knows that there is no header.
		(isHeaderless(format) && !format.isChosen ? OPTION_NO_HEADERS : 0)
	);
}

/** The scanner's fields that the keys of JSON are for. */
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
	method: FIELD_METHOD,
	referrer: FIELD_REFERRER,
	type: FIELD_TYPE,
};

/** Whether the module knows a field. A format with `date` or `bucket` is read by `JsonLines` alone. */
function isSupported(name: string): name is keyof typeof fieldNumbers {
	return name in fieldNumbers;
}

/**
 * A key of an object whose value is wanted. The tree has a node per key of an object: "a.b" needs
 * one for "a" within the root and one for "b" within that.
 */
interface WantedKey {
	/** The fields that its value is for; rank 0 is the key that counts most. */
	readonly uses: { readonly field: number; readonly rank: number }[];
	/** The text has dots, so that it also stands for nested keys. */
	isWhole: boolean;
	/** Wanted keys of the object that is its value. */
	readonly within: Map<string, WantedKey>;
}

/**
 * Puts the tree of wanted keys into the module; undefined if the tree cannot express them, so that
 * `JsonLines` has to read all lines. See `treeOf`.
 * @returns The block that holds it.
 */
function placeKeys(
	module: ScannerModule,
	fields: JsonFields,
): number | undefined {
	const root = treeOf(fields);
	if (!root) return undefined;
	// First all objects with wanted keys, so that the addresses of inner ones are known when outer ones are written.
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
	// Texts are written from the end of the block towards its beginning. From both ends: headers grow
	// upwards and texts downwards, and they meet exactly.
	let textAt = size;
	for (const keys of objects) {
		let at = starts.get(keys) ?? 0;
		view.setUint32(at, keys.size, true);
		// Most keys of a record have a length that no wanted key has: one bit tests that. `lengths`
		// rejects most keys of a record with one test; bit 63 stands for 63 bytes and more.
		let lengths = 0n;
		const lengthsAt = at + KEYS_LENGTHS;
		at += KEYS_HEADER;
		for (const [text, key] of keys) {
			const bytes = texts.encode(text);
			textAt -= bytes.length;
			block.set(bytes, textAt);
			// Two fields may want one key, such as a host that is taken from a URL: the second is the
			// twin.
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

/**
 * The tree of wanted keys; undefined if the module cannot express it. "a.b" wants the key "a.b" itself and key b in object a, in this
 * order of rank, as `keyPath` in json-lines.ts looks them up.
 */
function treeOf(fields: JsonFields): Map<string, WantedKey> | undefined {
	const root = new Map<string, WantedKey>();
	const rootless = fields.path?.filter(isRootless).length ?? 0;
	// The module adds the missing slash to all paths or to none (OPTION_ROOTLESS).
	if (rootless > 0 && rootless < (fields.path?.length ?? 0)) return undefined;
	// Ranks grow by two per alternative: 2 * index for the whole key, 2 * index + 1 for its nested
	// reading.
	for (const [name, keys] of Object.entries(fields) as [
		LogField,
		readonly string[],
	][]) {
		if (!isSupported(name)) return undefined;
		if (2 * keys.length >= KEY_WHOLE) return undefined;
		const field = fieldNumbers[name];
		keys.forEach((given, index) => {
			const key = name === "path" ? keyName(given) : given;
			const whole = keyOf(root, key);
			whole.uses.push({ field, rank: 2 * index });
			// A key without dots has one reading only.
			const names = key.split(".");
			if (names.length === 1) return;
			whole.isWhole = true;
			let keysOf = root;
			let found: WantedKey | undefined;
			for (const inner of names) {
				found = keyOf(keysOf, inner);
				keysOf = found.within;
			}
			found?.uses.push({ field, rank: 2 * index + 1 });
		});
	}
	return isExpressible(root) ? root : undefined;
}

/** The wanted key of a text, added if it is new. */
function keyOf(keys: Map<string, WantedKey>, text: string): WantedKey {
	const key = keys.get(text) ?? { uses: [], isWhole: false, within: new Map() };
	keys.set(text, key);
	return key;
}

/** A key of the module has at most two uses: itself and its twin. */
function isExpressible(keys: Map<string, WantedKey>): boolean {
	return [...keys.values()].every(
		({ uses, within }) => uses.length <= 2 && isExpressible(within),
	);
}
