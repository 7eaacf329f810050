import {
	CLF_WIDTH,
	FIELD_STATUS,
	FIELD_TIME,
	HOST_FIRST_SITE,
	HOST_WITHOUT_ROBOTS,
	OPTION_BUCKET,
	OPTION_DIRECTIVES,
	OPTION_ESCAPED,
	OPTION_HOST_IN_TARGET,
	OPTION_JSON,
	OPTION_ROOTLESS,
	OPTION_TRANSCODED,
	SITE_SIZE,
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
} from "../assembly/format.ts";
import { type LogFormat, tells } from "./formats.ts";
import { isRootless } from "./json-lines.ts";
import { placeKeys } from "./json-tree.ts";
import type { RuleBook } from "./rule-book.ts";
import type { ScannerModule } from "./scanner-module.ts";
import { isPlainJson } from "./transcoder.ts";

/** Bytes of a step's text that stand in the step itself. */
const MOST_FIRST_BYTES = STEP_MASK - STEP_FIRST_BYTES;

/** Puts a log format into the module. Returns the blocks that hold it, to be released when another one is used. */
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
	const pointer = module.allocate(size, "a log format");
	const block = new Uint8Array(size);
	const view = new DataView(block.buffer);
	let textAt = steps.length * STEP_SIZE;
	steps.forEach(({ field, flags }, index) => {
		const text = texts[index] as Uint8Array;
		const at = index * STEP_SIZE;
		const width =
			field === FIELD_TIME && time === TIME_CLF
				? CLF_WIDTH
				: field === FIELD_STATUS
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
	const keys =
		format.json && isPlainJson(format)
			? placeKeys(module, format.json)
			: undefined;
	if (keys !== undefined) module.calls.useKeys(keys);
	module.calls.useFormat(
		pointer,
		steps.length,
		time,
		(format.directives ? OPTION_DIRECTIVES : 0) |
			// What JsonLines makes of a path has escapes, whatever its header has.
			(format.escaping === "backslash" || format.json ? OPTION_ESCAPED : 0) |
			(format.hostInTarget ? OPTION_HOST_IN_TARGET : 0) |
			(format.json || format.envelope ? OPTION_TRANSCODED : 0) |
			(format.bucketInTarget ? OPTION_BUCKET : 0) |
			(keys !== undefined ? OPTION_JSON : 0) |
			(format.json?.path?.some(isRootless) ? OPTION_ROOTLESS : 0),
		pointer + textAt,
		pointer + textAt + day.length,
	);
	return keys === undefined ? [pointer] : [pointer, keys];
}

/** The module's tables of sites and of the times from which robots.txt files hold. */
export class SiteTables {
	readonly #module: ScannerModule;
	readonly #book: RuleBook;
	readonly #sites: number;
	readonly #starts: number;

	constructor(module: ScannerModule, book: RuleBook) {
		this.#module = module;
		this.#book = book;
		const sites = new Uint32Array((book.sites.length * SITE_SIZE) / 4);
		book.sites.forEach(({ firstVersion, versions }, index) => {
			sites.set([firstVersion, versions], index * 2);
		});
		const starts = Float64Array.from(book.versions, ({ since }) => since);
		this.#sites = module.place(new Uint8Array(sites.buffer), "the sites");
		this.#starts = module.place(new Uint8Array(starts.buffer), "the sites");
	}

	/** Lines of a format without a host are all of the site that is given without one, or of the only one. */
	use(format: LogFormat): void {
		const { sites, hostless } = this.#book;
		// Of a format with directives, fields come later.
		const hasHost = format.directives
			? format.template.steps.length === 0 ||
				tells({ ...format, directives: false }, "host")
			: tells(format, "host");
		const only =
			this.#book.siteOf("-") ??
			(!hasHost && sites.length === 1 ? 0 : undefined);
		const single =
			hasHost && !hostless
				? 0
				: only === undefined
					? HOST_WITHOUT_ROBOTS
					: HOST_FIRST_SITE + only;
		this.#module.calls.useSites(this.#sites, this.#starts, single);
	}
}
