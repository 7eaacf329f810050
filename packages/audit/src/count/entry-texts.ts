/**
 * The texts of an entry as they may leave the scanner: with `anonymize`, something else stands in place of the addresses in them. Verdicts and
 * verifications are made of the real ones. EntryCounter and the classes that it counts with read entries through this.
 */

import {
	ENTRY_IP,
	ENTRY_IP_END,
	ENTRY_LINE,
	ENTRY_LINE_END,
	ENTRY_PATH_END,
	ENTRY_TARGET,
	ENTRY_TARGET_END,
	ENTRY_TYPE,
	ENTRY_TYPE_END,
} from "../../assembly/format.ts";
import { Anonymizer } from "../common/anonymize.ts";
import { addressBytes, type ScannerModule } from "../common/scanner-module.ts";
import type { ScanSettings } from "../options/options.ts";

const CR = 13;

/** Longest content type that is counted by itself; the longest in use has 73 characters. */
const LONGEST_TYPE = 80;

/** Bytes of a line or a target that are shown in messages. */
const BEGINNING = 200;

const decoder = new TextDecoder();

export class EntryTexts {
	readonly #module: ScannerModule;
	readonly #anonymizer: Anonymizer | undefined;

	constructor(module: ScannerModule, anonymize: ScanSettings["anonymize"]) {
		this.#module = module;
		this.#anonymizer = anonymize && new Anonymizer(anonymize);
	}

	/** No part of a line is safe to keep of which nobody knows what it consists of. */
	get isAnonymous(): boolean {
		return this.#anonymizer !== undefined;
	}

	/** What an address is called in the counters. */
	nameOf(address: string): string {
		return this.#anonymizer ? this.#anonymizer.address(address) : address;
	}

	/** The name of a crawler, which may be a whole header. */
	crawlerName(name: string): string {
		return this.#anonymizer?.text(name) ?? name;
	}

	target(at: number): Uint8Array {
		return this.#shown(at + ENTRY_TARGET, at + ENTRY_TARGET_END);
	}

	targetText(at: number): string {
		return decoder.decode(this.target(at));
	}

	/** The target up to its query. */
	path(at: number): string {
		return decoder.decode(this.#shown(at + ENTRY_TARGET, at + ENTRY_PATH_END));
	}

	/** The content type of the response, as "text/html" of "text/HTML; charset=utf-8"; "" if the line has none. */
	contentType(at: number): string {
		const bytes = this.#module.bytesBetween(
			at + ENTRY_TYPE,
			at + ENTRY_TYPE_END,
		);
		if (bytes.length === 0) return "";
		const [type = ""] = decoder.decode(bytes).toLowerCase().split(";", 1);
		const trimmed = type.trim();
		return trimmed === "-" ? "" : trimmed.slice(0, LONGEST_TYPE);
	}

	/** The line of an entry, with its line end. */
	line(at: number): Uint8Array {
		const { view, bytes } = this.#module;
		const end = view.getUint32(at + ENTRY_LINE_END, true);
		const feed = bytes[end] === CR ? end + 1 : end;
		const line = bytes.slice(view.getUint32(at + ENTRY_LINE, true), feed + 1);
		if (!this.#anonymizer) return line;
		const address = addressBytes(this.#module, at, ENTRY_IP, ENTRY_IP_END);
		return this.#anonymizer.line(line, address);
	}

	#shown(from: number, to: number): Uint8Array {
		const bytes = this.#module.bytesBetween(from, to);
		return this.#anonymizer?.bytes(bytes) ?? bytes;
	}
}

/** The beginning of a line or a target, for messages. Cut after addresses are replaced: half an address would not be found. */
export function beginningOf(bytes: Uint8Array): string {
	return decoder.decode(bytes.subarray(0, BEGINNING));
}
