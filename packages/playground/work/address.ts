/**
 * Where the work of a tab is kept: in the address as a link, in this browser's database (kept.ts), and in the tab's storage the id that
 * joins the two. main.ts makes one Address, calls load() once and saveSoon() at each change. What must hold: work never overwrites other
 * work of the same id, and an address that was written here is not read back (`#ownHash`).
 */
import type { Asker } from "../page/asker.ts";
import { byId, delayed } from "../page/dom.ts";
import { part } from "../page/part.ts";
import {
	decodeState,
	LONGEST_LINK,
	type PageState,
	stateFromJson,
	stateToJson,
} from "../page/permalink.ts";

/**
 * Characters that browsers take for an address in passing. Of a longer link the address has the id, and the link is only made to be copied:
 * 600,000 characters took 100 ms for the address and 70 for the tab's storage at each pause in typing.
 */
const SHORT_LINK = 50_000;

/** An address is a packed state or this and an id: `=` is no character of base64url, so that the two cannot be confused. */
const KEPT = "kept=";

/** What is worked on. */
interface Work {
	readonly state: () => PageState;
	/** The parts of it that `linter` is not sent as its subject: they go with the question for a link. */
	readonly link: () => Pick<
		PageState,
		"pane" | "log" | "compare" | "ask" | "ai"
	>;
	/** Characters, or bytes, of its texts. */
	readonly length: () => number;
	/** @param keepsWork Crawler, dialect, robots.txt and URLs stay as they are. */
	readonly show: (state: PageState, keepsWork?: boolean) => void;
	/** What is shown where the address says nothing, or nothing that can be read. */
	readonly initial: PageState;
	readonly linter: Asker;
	readonly notify: (text: string) => void;
}

type KeptModule = typeof import("./kept.ts");

/** In the tab's storage: the id of the work that it shows, and the address that it had. The address alone is up to three seconds older. */
const TAB = "robotrie-work";

/** In the tab's storage: the work as it was when the page was left, until it is shown again. */
const LEFT = "robotrie-left";

/** In the browser's storage: the view of the work that was kept last, which a page without an address begins with. */
export const LAST_PANE = "robotrie-view";

/** Works longer than this are written when nobody types for a second: reading their text takes long. */
const QUICK = 1_000_000;

/** Versions are kept this many milliseconds apart, and before all of the work is replaced. */
const VERSION_EVERY = 5 * 60_000;

/**
 * Keeps the work. At every change this browser's database has it, so that a tab that is reloaded or killed loses nothing; the address carries
 * it as a link, or an id where it is too large for one.
 */
export class Address {
	readonly #work: Work;
	/** What the page wrote to the address itself, so that it need not read it. */
	#ownHash = location.hash;
	#packed = "";
	#workId = "";
	/** What keeps work, once it is loaded and connected. */
	#kept: KeptModule | undefined;
	/** A page that is being closed waits for nothing, so this comes before the first change. */
	readonly #ready = part(async () => {
		const kept = await import("./kept.ts");
		await kept.connect();
		this.#kept = kept;
		return kept;
	});
	#isKept = true;
	/** Writes that are under way: a page that is left ends them. */
	#writes = 0;
	#isFull = false;
	/** How often an address was shown. */
	#shown = 0;
	#newId: Promise<string> | undefined;
	/** The tab's storage has what the work was at a moment that the page was left. */
	#isLeft = false;
	/** Until load() has shown something: there is no work yet that could be kept. */
	#isLoading = true;
	/** While load() shows something: the editors report changes then that nobody made. */
	#isShowing = false;
	/** Somebody has typed before there was anything of theirs on the screen. */
	#isTyped = false;
	/** Whether the page was reloaded and has not shown anything yet. */
	#isReload = performance
		.getEntriesByType("navigation")
		.some((entry) => "type" in entry && entry.type === "reload");
	/** Nothing of it is the reader's own, so no version of it is kept. */
	#isSample = false;
	#versionTime = Date.now();
	#keepTimer: number | undefined;
	/** When the oldest change was made that is not kept yet. */
	#firstUnkept = 0;
	readonly #packSoon = delayed(() => void this.save(), 400);
	/** When nobody has typed for a while, so that nobody waits. */
	readonly #writeLater = delayed(() => this.#write(), 2500);

	constructor(work: Work) {
		this.#work = work;
		// pagehide is for a tab that is closed or reloaded; visibilitychange for a phone that shows something else, and may then end the tab
		// without pagehide.
		addEventListener("pagehide", () => this.#keepAtOnce());
		document.addEventListener("visibilitychange", () => {
			if (document.visibilityState === "hidden") this.#keepAtOnce();
		});
		byId("earlier").addEventListener("click", () => void this.#goBack());
		addEventListener("hashchange", () => {
			if (location.hash !== this.#ownHash) void this.load();
		});
		const button = byId<HTMLButtonElement>("copy-link");
		button.addEventListener("click", () => this.copy(button));
	}

	/** Saves the work once nobody has changed it for a moment. */
	saveSoon(): void {
		if (this.#isLoading && !this.#isShowing) {
			this.#isTyped = true;
			return;
		}
		// What it would write is the state before this change.
		this.#writeLater.cancel();
		this.#packSoon();
		this.#keepSoon();
	}

	/** Another view is shown: the address says so, and there is nothing to keep. */
	saveLinkSoon(): void {
		if (this.#isLoading) return;
		this.#writeLater.cancel();
		this.#packSoon();
	}

	/** Keeps the present work as a version: all of it is about to be replaced. */
	async keepVersion(): Promise<void> {
		if (this.#workId === "" || this.#isSample) return;
		this.#versionTime = Date.now();
		await this.#kept
			?.keepVersion(this.#workId, this.#work.state())
			.catch(() => {});
	}

	/**
	 * Keeps the work at the next pause in typing, but not later than half a second (three, for long texts) after the oldest change. With a
	 * plain delay a reader who types on keeps nothing: a reload 1.8 s after typing lost the line.
	 */
	#keepSoon(): void {
		if (this.#isLoading) return;
		this.#isSample = false;
		const isLong = this.#work.length() > QUICK;
		const now = performance.now();
		if (this.#isKept) this.#firstUnkept = now;
		this.#isKept = false;
		const left = this.#firstUnkept + (isLong ? 3000 : 500) - now;
		clearTimeout(this.#keepTimer);
		this.#keepTimer = window.setTimeout(
			() => void this.#keepNow(),
			Math.max(0, Math.min(left, isLong ? 1000 : 100)),
		);
	}

	/** @throws {DOMException} where the browser cannot keep it. */
	async #store(): Promise<void> {
		const state = this.#work.state();
		const own = this.#workId;
		const shown = this.#shown;
		// Before the write: a change that comes while it is under way resets this and is written by a call of its own.
		this.#isKept = true;
		this.#writes++;
		try {
			const { keep, keepVersion, newId } = await this.#ready();
			await this.#haveId();
			// Another address may be shown by now, and that work is not this.
			const id = shown === this.#shown ? this.#workId : own || newId();
			this.#tellTab();
			await keep(id, state);
			tellView(state.pane);
			// Not sooner: until then the tab's storage may be the only place that has it.
			if (this.#isLeft) this.#forgetLeft();
			if (Date.now() > this.#versionTime + VERSION_EVERY) {
				this.#versionTime = Date.now();
				await keepVersion(id, state);
			}
		} catch (error) {
			this.#isKept = false;
			throw error;
		} finally {
			this.#writes--;
		}
	}

	async #keepNow(): Promise<void> {
		// Written meanwhile, as it is too large for a link.
		if (this.#isKept && !this.#isFull) return;
		try {
			await this.#store();
			if (this.#isFull) showNote("");
			this.#isFull = false;
		} catch {
			this.#isFull = true;
			showNote(
				"This browser cannot keep your work: what does not fit into the link is lost when you close the page.",
			);
		}
	}

	#keepAtOnce(): void {
		if ((this.#isKept && this.#writes === 0) || this.#workId === "") return;
		const state = this.#work.state();
		this.#kept?.keepAtOnce(this.#workId, state);
		this.#tellTab();
		this.#isKept = true;
		// For a reload: the database may drop what stands behind a write of another tab (kept.ts). Longer work would hold up the reload.
		if (this.#isLeft) this.#forgetLeft();
		if (this.#work.length() > QUICK) return;
		try {
			const left = { id: this.#workId, state: stateToJson(state) };
			sessionStorage.setItem(LEFT, JSON.stringify(left));
			this.#isLeft = true;
		} catch {
			// No room, or the browser lets no page keep anything.
		}
	}

	/** What work of an id was when the page was left, if the database may not have that. What is there of other work is removed. */
	#left(id: string): PageState | undefined {
		try {
			const { id: found, state } = JSON.parse(
				sessionStorage.getItem(LEFT) ?? "{}",
			);
			this.#isLeft = found === id;
			if (this.#isLeft) return stateFromJson(state);
		} catch {
			// As above, or it is damaged.
		}
		this.#forgetLeft();
		return undefined;
	}

	#forgetLeft(): void {
		this.#isLeft = false;
		try {
			sessionStorage.removeItem(LEFT);
		} catch {
			// As above.
		}
	}

	/** Gives this work an id, if it has none. Whoever asks meanwhile waits for the same one. */
	async #haveId(): Promise<void> {
		const { newId, ownId } = await this.#ready();
		if (this.#workId !== "") return;
		this.#newId ??= ownId(newId());
		const id = await this.#newId;
		this.#newId = undefined;
		this.#workId ||= id;
	}

	/** Notes for a reload of this tab which work it shows. */
	#tellTab(): void {
		if (this.#workId === "") return;
		try {
			sessionStorage.setItem(TAB, `${this.#workId} ${this.#ownHash}`);
		} catch {
			// The browser lets no page keep anything.
		}
	}

	/** The id of this tab's work, after a reload or if the address is still the one that was noted; the note of other work is removed. */
	#ofTab(): string {
		// The page runs on until its successor arrives and may write a new address meanwhile, but the one before is what is reloaded.
		const isReload = this.#isReload;
		this.#isReload = false;
		try {
			const [id = "", hash = ""] =
				sessionStorage.getItem(TAB)?.split(" ") ?? [];
			if (isReload || hash === location.hash) return id;
			// Another address in the same tab, pasted or from a bookmark, stands for other work.
			sessionStorage.removeItem(TAB);
			return "";
		} catch {
			return "";
		}
	}

	/** Lets the reader choose among what is kept. */
	async #goBack(): Promise<void> {
		const { notify, show } = this.#work;
		try {
			const { earlierWork, keptWork } = await this.#ready();
			const { chooseEarlier } = await import("./earlier.ts");
			const id = await chooseEarlier(await earlierWork(), this.#workId);
			const state = id === undefined ? undefined : await keptWork(id);
			if (!state) return;
			await this.keepVersion();
			show(state);
			this.saveSoon();
		} catch {
			notify(
				"This browser does not let the page keep anything, or the page is offline.",
			);
		}
	}

	/**
	 * Puts the work into the address, where it fits; `isCopied` if the address is about to be copied. A worker packs it, as that takes a while
	 * for large files.
	 */
	async save(isCopied = false): Promise<"packed" | "too large" | "outdated"> {
		// More than this takes long to pack, at every change, and no link could carry it.
		if (this.#work.length() > 8 * LONGEST_LINK) return this.#keep();
		const link = this.#work.link();
		const packed = await this.#work.linter.ask("link", { link });
		if (packed === undefined) return "outdated";
		if (packed.length > LONGEST_LINK) return this.#keep();
		const isShort = packed.length < SHORT_LINK;
		// Without a place in the browser the link is all that there is.
		const isKept = this.#workId !== "" && !this.#isFull;
		const isById = !isShort && !isCopied && isKept;
		this.#packed = isById ? KEPT + this.#workId : packed;
		showNote(
			isById
				? "Too long for the address: this work is kept in this browser. “Copy link” makes a link with all of it."
				: "",
		);
		if (isShort || isById) this.#write();
		else this.#writeLater();
		return "packed";
	}

	/** Shows the work that the address stands for. */
	async load(): Promise<void> {
		this.#isLoading = true;
		try {
			await this.#load();
		} finally {
			this.#isLoading = false;
		}
		if (this.#isTyped) {
			this.#isTyped = false;
			this.saveSoon();
		}
		// Not waited for, and where nothing can be kept, that is said with the first change.
		if (this.#workId === "") this.#haveId().catch(() => {});
		if (!this.#isKept) this.#keepSoon();
	}

	async #load(): Promise<void> {
		const own = this.#ofTab();
		// Other work than that of before: it gets an id of its own.
		this.#workId = "";
		const shown = ++this.#shown;
		this.#ownHash = location.hash;
		this.#isSample = false;
		// The tab's own work first: it has changes that the address does not have yet.
		if (own !== "" && (await this.#isShown(own))) return;
		if (location.hash.length < 2) {
			this.#showSample();
			return;
		}
		if (this.#ownHash.startsWith(`#${KEPT}`)) {
			await this.#loadKept(this.#ownHash.slice(KEPT.length + 1));
			return;
		}
		const state = await decodeState(this.#ownHash).catch(() => undefined);
		// Another address was opened meanwhile.
		if (shown !== this.#shown) return;
		if (state) this.#show(state);
		else {
			this.#showSample();
			this.#work.notify("The link is damaged; this is the sample instead.");
		}
	}

	/** The present work takes the place of what the address stands for. */
	replace(): void {
		this.#ownHash = location.hash;
		void this.save();
	}

	/** The work goes to the browser's database, and its id to the address: what stood there before is other work. */
	async #keep(): Promise<"too large"> {
		try {
			await this.#store();
			this.#packed = KEPT + this.#workId;
			showNote("Too large for a link: this work is kept in this browser.");
		} catch {
			this.#packed = "";
			showNote(
				"Too large for a link, and this browser cannot keep it: it is lost when the page is closed.",
			);
		}
		this.#write();
		return "too large";
	}

	#showSample(): void {
		// It was there from the first moment, and whoever was quick has changed it already.
		this.#show(this.#work.initial, this.#isTyped);
		this.#isSample = !this.#isTyped;
	}

	#show(state: PageState, keepsWork = false): void {
		if (this.#isTyped && !keepsWork) this.#keepTyped();
		this.#isShowing = true;
		try {
			this.#work.show(state, keepsWork);
		} finally {
			this.#isShowing = false;
		}
	}

	/** What was typed while older work was on its way is beside that work, in the list of what can be gone back to. */
	#keepTyped(): void {
		const state = this.#work.state();
		this.#isTyped = false;
		this.#ready()
			.then(({ keep, newId }) => keep(newId(), state))
			.catch(() => {});
	}

	async #loadKept(id: string): Promise<void> {
		if (await this.#isShown(id)) return;
		this.#showSample();
		this.#work.notify(
			"The work at this address is kept in another browser, or no longer; this is the sample instead.",
		);
	}

	/** Shows work of an id; false where there is none. */
	async #isShown(id: string): Promise<boolean> {
		try {
			const { keptWork, ownId } = await this.#ready();
			const left = this.#left(id);
			const state = left ?? (await keptWork(id));
			if (!state) return false;
			if (left) this.#isKept = false;
			// Switching to another view is no change that is kept; an entry of the history has it.
			const pane = history.state?.pane ?? state.pane;
			// A duplicated tab has the same storage and address: it gets another id, or two tabs would overwrite each other's work.
			this.#workId = await ownId(id);
			this.#tellTab();
			this.#show({ ...state, pane });
			return true;
		} catch {
			// The browser lets no page keep anything.
			return false;
		}
	}

	#write(): void {
		const hash = this.#packed === "" ? "" : `#${this.#packed}`;
		if (hash === this.#ownHash) return;
		this.#ownHash = hash;
		this.#tellTab();
		// Not `location.hash =`: that would add an entry to the history at every change, and fire hashchange.
		history.replaceState(
			history.state,
			"",
			hash || location.pathname + location.search,
		);
	}

	/** Copies a link with all of the work; the button says so. */
	async copy(button: HTMLButtonElement): Promise<void> {
		// A newer change may have replaced the question: the link that is copied has the newest.
		let result = await this.save(true);
		while (result === "outdated") result = await this.save(true);
		if (result === "too large") {
			this.#work.notify("The files are too large for a link.");
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

function tellView(pane: string): void {
	try {
		localStorage.setItem(LAST_PANE, pane);
	} catch {
		// The browser lets no page keep anything.
	}
}

function showNote(text: string): void {
	byId("link-note").textContent = text;
	byId("link-note").hidden = text === "";
}
