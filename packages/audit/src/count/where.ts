/**
 * The option `where`: conditions that a judged request must meet to be counted and to get a row. EntryCounter asks for each entry, so lines
 * of people and lines that cannot be parsed are never asked about. A condition is "field=value" or "field!=value"; "*" in a value stands for
 * anything. Values are lists of texts, not regular expressions, so that no condition can make an audit slow.
 */

import {
	ENTRY_HOST,
	ENTRY_HOST_END,
	ENTRY_METHOD,
	ENTRY_METHOD_END,
	ENTRY_STATUS,
	ENTRY_TARGET,
	ENTRY_TARGET_END,
} from "../../assembly/format.ts";
import type { ScannerModule } from "../common/scanner-module.ts";
import {
	type Condition,
	conditionsOf,
	type WhereField,
} from "../options/conditions.ts";
import { purposeNames, purposeOf } from "../options/purposes.ts";
import type { Pair } from "./pairs.ts";

/** Whether a text is the given ones in order with anything between them; one text alone has to be equal. */
function isLike(
	text: string,
	[first = "", ...rest]: readonly string[],
): boolean {
	const last = rest.pop();
	if (last === undefined) return text === first;
	if (!text.startsWith(first)) return false;
	// The first occurrence of each text leaves the most for those that follow.
	let at = first.length;
	for (const middle of rest) {
		const found = text.indexOf(middle, at);
		if (found < 0) return false;
		at = found + middle.length;
	}
	return text.length - last.length >= at && text.endsWith(last);
}

const decoder = new TextDecoder();

/**
 * The conditions of an audit. Those with "=" on the same field are alternatives; all fields that have one must be met, and every condition
 * with "!=".
 */
export class Where {
	readonly #byField = new Map<WhereField, Condition[]>();
	/** What the conditions on a pair's crawler and purpose came to. */
	readonly #pairs = new WeakMap<Pair, boolean>();

	/** @throws {RobotrieError} invalid-argument. */
	constructor(conditions: readonly string[]) {
		for (const condition of conditionsOf(conditions)) {
			const list = this.#byField.get(condition.field) ?? [];
			list.push(condition);
			this.#byField.set(condition.field, list);
		}
	}

	/** Whether there is a condition on a field. */
	has(field: WhereField): boolean {
		return this.#byField.has(field);
	}

	/** Whether the judged entry at an address meets the conditions. */
	accepts(module: ScannerModule, at: number, pair: Pair): boolean {
		let isPair = this.#pairs.get(pair);
		if (isPair === undefined) {
			const { name, category, agent } = pair.agentClass;
			const purpose = purposeOf(category);
			const { title } = purposeNames[purpose];
			isPair =
				this.#meets("crawler", name, agent) &&
				this.#meets("purpose", category, purpose, title);
			this.#pairs.set(pair, isPair);
		}
		// The pair's conditions first: they are known for all of its entries, and a text is decoded only where a condition asks for it.
		if (!isPair) return false;
		const text = (from: number, to: number) =>
			decoder.decode(module.bytesBetween(at + from, at + to));
		return (
			(!this.has("status") ||
				this.#meetsStatus(module.view.getUint32(at + ENTRY_STATUS, true))) &&
			(!this.has("method") ||
				this.#meets("method", text(ENTRY_METHOD, ENTRY_METHOD_END))) &&
			(!this.has("host") ||
				this.#meetsHost(text(ENTRY_HOST, ENTRY_HOST_END))) &&
			(!this.has("path") ||
				this.#meetsPath(text(ENTRY_TARGET, ENTRY_TARGET_END)))
		);
	}

	/** Whether the conditions on a field hold, given the names of its value, any of which may be meant. */
	#meets(field: WhereField, ...values: readonly string[]): boolean {
		const lower = values.map((value) => value.toLowerCase());
		return this.#hold(field, ({ texts }) =>
			lower.some((value) => isLike(value, texts)),
		);
	}

	#meetsStatus(status: number): boolean {
		const text = status === 0 ? "-" : String(status);
		return this.#hold("status", ({ texts }) => text.startsWith(texts[0] ?? ""));
	}

	/** With its port or without. */
	#meetsHost(host: string): boolean {
		return this.#meets("host", host, host.replace(/:\d+$/, ""));
	}

	/** The path of an absolute URL; without its query, unless the condition has one. */
	#meetsPath(target: string): boolean {
		const whole = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, "");
		const [path = ""] = whole.split("?", 1);
		return this.#hold("path", ({ texts, hasQuery }) =>
			isLike(hasQuery ? whole : path, texts),
		);
	}

	#hold(field: WhereField, isTrue: (condition: Condition) => boolean): boolean {
		const conditions = this.#byField.get(field) ?? [];
		const wanted = conditions.filter(({ isNot }) => !isNot);
		return (
			(wanted.length === 0 || wanted.some(isTrue)) &&
			!conditions.some((condition) => condition.isNot && isTrue(condition))
		);
	}
}
