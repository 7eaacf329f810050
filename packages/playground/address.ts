import type { Asker } from "./asker.ts";
import { byId, delayed } from "./dom.ts";
import { decodeState, LONGEST_LINK, type PageState } from "./permalink.ts";

/** Characters that browsers take for an address in passing; a million of them takes 100 ms. */
const SHORT_LINK = 50_000;

/** In front of an id in the address. */
const KEPT = "kept=";

/** What is worked on. */
interface Work {
	readonly state: () => PageState;
	/** The parts of it that `linter` does not know. */
	readonly link: () => Pick<PageState, "pane" | "log" | "compare">;
	/** Characters, or bytes, of its texts. */
	readonly length: () => number;
	readonly show: (state: PageState) => void;
	/** What is shown where the address says nothing, or nothing that can be read. */
	readonly initial: PageState;
	readonly linter: Asker;
	readonly notify: (text: string) => void;
}

/** The page's address: it carries the work, or an id by which this browser keeps what is too large for a link. */
export class Address {
	readonly #work: Work;
	/** What the page wrote to the address itself, so that it need not read it. */
	#ownHash = location.hash;
	#packed = "";
	#workId = "";
	readonly #packSoon = delayed(() => void this.save(), 400);
	/** When nobody has typed for a while, so that nobody waits. */
	readonly #writeLater = delayed(() => this.#write(), 2500);

	constructor(work: Work) {
		this.#work = work;
		addEventListener("hashchange", () => {
			if (location.hash !== this.#ownHash) void this.load();
		});
		const button = byId<HTMLButtonElement>("copy-link");
		button.addEventListener("click", () => this.#copy(button));
	}

	/** Saves the work once nobody has changed it for a moment. */
	saveSoon(): void {
		this.#writeLater.cancel();
		this.#packSoon();
	}

	/** Puts the work into the address, where it fits. A worker packs it, as that takes a while for large files. */
	async save(): Promise<"packed" | "too large" | "outdated"> {
		// More than this takes long to pack, at every change, and no link could carry it.
		if (this.#work.length() > 8 * LONGEST_LINK) return this.#keep();
		const link = this.#work.link();
		const packed = await this.#work.linter.ask("link", { link });
		if (packed === undefined) return "outdated";
		if (packed.length > LONGEST_LINK) return this.#keep();
		this.#packed = packed;
		showNote("");
		if (packed.length < SHORT_LINK) this.#write();
		else this.#writeLater();
		return "packed";
	}

	/** Shows the work that the address stands for. */
	async load(): Promise<void> {
		const { show, initial, notify } = this.#work;
		if (location.hash.length < 2) {
			show(initial);
			return;
		}
		this.#ownHash = location.hash;
		if (this.#ownHash.startsWith(`#${KEPT}`)) {
			await this.#loadKept(this.#ownHash.slice(KEPT.length + 1));
			return;
		}
		try {
			show(await decodeState(this.#ownHash));
		} catch {
			show(initial);
			notify("The link is damaged; this is the sample instead.");
		}
	}

	/** The present work takes the place of what the address stands for. */
	replace(): void {
		this.#ownHash = location.hash;
		void this.save();
	}

	/** The work goes to the browser's database, and its id to the address: what stood there before is other work. */
	async #keep(): Promise<"too large"> {
		const state = this.#work.state();
		try {
			const { keep, newId } = await import("./kept.ts");
			this.#workId ||= newId();
			await keep(this.#workId, state);
			this.#packed = KEPT + this.#workId;
			showNote("Too large for a link: this work is kept in this browser.");
		} catch {
			this.#packed = "";
			showNote(
				"Too large for a link, and this browser cannot keep it: this work is lost when the page is closed.",
			);
		}
		this.#write();
		return "too large";
	}

	async #loadKept(id: string): Promise<void> {
		const { show, initial, notify } = this.#work;
		try {
			const { keptWork, ownId } = await import("./kept.ts");
			const state = await keptWork(id);
			if (state) {
				this.#workId = await ownId(id);
				show(state);
				return;
			}
		} catch {
			// The browser lets no page keep anything.
		}
		show(initial);
		notify(
			"This address stands for work that another browser keeps, or that is no longer kept; this is the sample instead.",
		);
	}

	#write(): void {
		const hash = this.#packed === "" ? "" : `#${this.#packed}`;
		if (hash === this.#ownHash) return;
		this.#ownHash = hash;
		history.replaceState(
			history.state,
			"",
			hash || location.pathname + location.search,
		);
	}

	async #copy(button: HTMLButtonElement): Promise<void> {
		let result = await this.save();
		while (result === "outdated") result = await this.save();
		if (result === "too large") {
			this.#work.notify(
				"The files are too large for a link, which would not show them.",
			);
			return;
		}
		this.#write();
		try {
			await navigator.clipboard.writeText(location.href);
			button.textContent = "Copied";
		} catch {
			button.textContent = "Link is in the address bar";
		}
		setTimeout(() => {
			button.textContent = "Copy link";
		}, 2000);
	}
}

function showNote(text: string): void {
	byId("link-note").textContent = text;
	byId("link-note").hidden = text === "";
}
