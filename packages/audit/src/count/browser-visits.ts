/** The requests of browsers in a segment, by client: what `suspects` judges by. EntryCounter hands it their entries, which no crawler counts. */

import {
	ENTRY_REFERRER,
	ENTRY_REFERRER_END,
	ENTRY_TIME,
	OUTCOME_INVALID,
	OUTCOME_ROBOTS_TXT,
} from "../../assembly/format.ts";
import type { ScannerModule } from "../common/scanner-module.ts";
import type { EntryClients } from "./entry-clients.ts";
import type { EntryTexts } from "./entry-texts.ts";
import type { Pair } from "./pairs.ts";
import {
	NO_VISITS,
	OTHER,
	ROBOTS_TXT,
	targetOf,
	VisitLog,
	type VisitsData,
} from "./visits.ts";

const DASH = 0x2d;
/** In milliseconds. */
const MINUTE = 60_000;

export class BrowserVisits {
	readonly #module: ScannerModule;
	readonly #texts: EntryTexts;
	readonly #clients: EntryClients;
	#log = new VisitLog();

	constructor(module: ScannerModule, texts: EntryTexts, clients: EntryClients) {
		this.#module = module;
		this.#texts = texts;
		this.#clients = clients;
	}

	/** Begins a segment. */
	start(): void {
		if (this.#log.size > 0) this.#log = new VisitLog();
	}

	get size(): number {
		return this.#log.size;
	}

	take(): VisitsData {
		return this.#log.size > 0 ? this.#log.toData() : NO_VISITS;
	}

	/** Counts a request. Clients are told apart by their addresses, so one without is not counted. */
	add(at: number, { site }: Pair, outcome: number): void {
		const address = this.#clients.addressOf(at);
		if (address === undefined) return;
		const { view, bytes } = this.#module;
		const isPage =
			outcome !== OUTCOME_ROBOTS_TXT && outcome !== OUTCOME_INVALID;
		const target = isPage
			? targetOf(this.#texts.target(at), this.#texts.contentType(at), site)
			: undefined;
		const referrer = view.getUint32(at + ENTRY_REFERRER, true);
		const length = view.getUint32(at + ENTRY_REFERRER_END, true) - referrer;
		const visit = {
			kind:
				target?.kind ?? (outcome === OUTCOME_ROBOTS_TXT ? ROBOTS_TXT : OTHER),
			page: target?.page ?? 0,
			hasReferrer: length > 1 || (length === 1 && bytes[referrer] !== DASH),
			isDisallowed: outcome > 0 && (outcome & 1) === 0,
			minute: Math.floor(view.getFloat64(at + ENTRY_TIME, true) / MINUTE),
		};
		const { systemOf } = this.#clients;
		this.#log.add(
			this.#texts.nameOf(address),
			visit,
			systemOf && (systemOf(address) ?? ""),
		);
	}
}
