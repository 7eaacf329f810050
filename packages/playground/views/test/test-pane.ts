/**
 * The Test pane: robots.txt on one side, URLs with their verdicts on the other, and under them why. main.ts makes it with the page; it holds
 * the texts that all other panes are about. It asks three kinds of questions at each change (verdicts, reasons, findings), which may come
 * back in any order: each place shows the newest answer, marked as stale until then.
 */
import type { Edit } from "robotrie/lint";
import { explanationOf } from "../../answer/explanation.ts";
import type { WhoCard } from "../../answer/who-card.ts";
import { RobotsEditor } from "../../editor/robots-editor.ts";
import { UrlsEditor } from "../../editor/urls-editor.ts";
import {
	acceptFiles,
	bytesOfRobots,
	othersText,
	Turns,
	textOrBytes,
} from "../../files/files.ts";
import type { Asker, Subject } from "../../page/asker.ts";
import { byId, counted, delayed, make, once, pause } from "../../page/dom.ts";
import type { Judgement, Setting } from "../../page/messages.ts";
import { part } from "../../page/part.ts";
import { Stale, sayWhenLong } from "../../page/stale.ts";

/** Findings that say that verdicts mean little: the file is something else. */
const foreignCodes: ReadonlySet<string> = new Set([
	"html-page",
	"not-robots-txt",
	"utf-16",
]);

/** What the pane needs of the page. */
export interface Page {
	readonly setting: () => Setting;
	/** No longer in the dialect that was chosen by hand. */
	readonly useOwnDialect: () => void;
	/** Whose name or header the crawler's field holds has been found out. */
	readonly onRecognised: (recognised: Judgement["recognised"]) => void;
	/** Questions about verdicts. */
	readonly judge: Asker;
	/** Questions that may take a second. */
	readonly linter: Asker;
	readonly notify: (text: string) => void;
	/** What to ask before a URL is judged by a sample. */
	readonly question: (url: string) => HTMLElement | undefined;
	/** robots.txt or URLs have changed. */
	readonly onChange: () => void;
	/** All of a text is about to be replaced. */
	readonly beforeReplaced: () => Promise<void>;
}

/** robots.txt on one side, URLs with their verdicts on the other. */
export class TestPane {
	readonly #page: Page;
	readonly #robots: RobotsEditor;
	#urls!: UrlsEditor;
	/**
	 * A new object at each change: Asker compares by identity, and sends the texts anew. They are read when they are sent, not at every letter.
	 */
	#robotsSource: Subject["robots"] = { source: once(() => this.robots) };
	#urlsSource: Subject["urls"] = { text: () => "" };
	/**
	 * What was opened, until it is edited: the editor keeps neither CRLF nor bytes that are not UTF-8, and both change verdicts
	 * where a dialect limits the size.
	 */
	#opened: string | Uint8Array | undefined;
	/** Until the page is complete there is nobody to ask: who types at once is answered with what the page shows first. */
	#isReady = false;
	/** Until then only what other views need of it is found out, and nothing is drawn. */
	#isShown = false;
	readonly #verdicts = new Stale(
		[byId("urls-editor"), byId("counts"), byId("reading")],
		sayWhenLong(byId("judging"), "Judging …"),
	);
	readonly #reasons = new Stale([byId("explanation")]);
	readonly #findings = new Stale([byId("findings-list")]);
	readonly #robotsTurns = new Turns();
	readonly #urlsTurns = new Turns();
	#judgedAgent: string | undefined;
	#who: WhoCard | undefined;
	/** The page tells that a question could not be answered. */
	#failed = false;

	/**
	 * Makes an editor at a time, so that no step of the start keeps the page from drawing.
	 * @param texts What the editors begin with; as a later change they would be drawn twice.
	 */
	static async open(
		page: Page,
		texts: { readonly robots: string; readonly urls: string },
	): Promise<TestPane> {
		const pane = new TestPane(page, texts.robots);
		await pause();
		pane.#addUrls(texts.urls);
		return pane;
	}

	private constructor(page: Page, robots: string) {
		this.#page = page;
		const lint = delayed(() => this.#lint(), 250);
		const changed = () => {
			this.#robotsSource = { source: once(() => this.robots) };
			this.update();
			lint();
			page.onChange();
		};
		this.#robots = new RobotsEditor(
			byId("robots-editor"),
			() => {
				this.#opened = undefined;
				changed();
			},
			(line) => this.#showFinding(line),
			{ text: robots },
		);
		const who = byId<HTMLDetailsElement>("who");
		const loadWho = part(async () => {
			const { WhoCard } = await import("../../answer/who-card.ts");
			const { judge } = page;
			this.#who = new WhoCard({
				...{ card: who, place: byId("who-body"), choosesList: true },
				judge,
				url: () => (page.question(this.url) ? "" : this.url),
				goToLine: (line) => this.goToLine(line),
			});
		});
		who.addEventListener("toggle", () => {
			this.#who?.update();
			if (who.open)
				loadWho().catch(() => {
					who.open = false;
					page.notify("This could not be loaded. Are you offline?");
				});
		});
		for (const [card, input] of [
			[cardOf("robots-editor"), byId<HTMLInputElement>("robots-file")],
			[byId("whose"), byId<HTMLInputElement>("whose-file")],
			[byId("ask-form"), undefined],
		] as const)
			acceptFiles(card, input, (file, all) => this.#openRobots(file, all));
		byId("repair-all").addEventListener("click", () => void this.#repair());
		this.#changed = changed;
	}

	async #openRobots(file: File, all: readonly File[]): Promise<void> {
		const page = this.#page;
		const isLast = this.#robotsTurns.next();
		const bytes = await this.#answer(
			bytesOfRobots(file, (packed) =>
				page.linter.ask("read", { file: packed }),
			),
			isLast,
		);
		if (!bytes) return;
		await page.beforeReplaced();
		if (!isLast()) return;
		this.setRobots(textOrBytes(bytes));
		this.#changed();
		this.#tellOfOthers(all);
	}

	#addUrls(text: string): void {
		const page = this.#page;
		this.#urls = new UrlsEditor(
			byId("urls-editor"),
			{
				onChange: () => {
					// Of many URLs the text takes a while, and several questions need it.
					this.#urlsSource = { text: once(() => this.#urls.text) };
					this.#judge();
					page.onChange();
				},
				onMove: () => this.#explain(true),
			},
			text,
		);
		this.#urlsSource = { text: once(() => this.#urls.text) };
		acceptFiles(cardOf("urls-editor"), byId("urls-file"), async (file, all) => {
			const list = await this.#list(file, this.#urlsTurns.next());
			if (!list) return;
			await page.beforeReplaced();
			this.setUrls(list.text);
			if (list.note) page.notify(list.note);
			this.#tellOfOthers(all);
		});
	}

	readonly #changed: () => void;

	/** Makes one repair, which it asks about if verdicts change, or all that are safe. Undo takes it back. */
	async #repair(edit?: Edit): Promise<void> {
		const source = this.#robotsSource;
		const { linter, notify } = this.#page;
		const result = await this.#answer(linter.ask("fix", edit ? { edit } : {}));
		// Who has typed meanwhile keeps what was typed.
		if (!result || this.#robotsSource !== source) return;
		if (result.refused !== undefined) {
			notify(result.refused);
			return;
		}
		// The list was out of date; a new one comes at once.
		if (result.fixed === 0) return;
		if (result.question !== undefined && !window.confirm(result.question))
			return;
		this.#setSource(result.robots, true);
		this.#changed();
		if (!edit)
			notify(
				`${counted(result.fixed, "finding")} repaired. Undo (Ctrl+Z in the editor) takes it back.`,
			);
	}

	/** What draws answers is loaded when the pane is on the screen: the page begins with another one. */
	readonly #drawing = part(async () => {
		const [summary, findings] = await Promise.all([
			import("./verdict-summary.ts"),
			import("./findings.ts"),
		]);
		return { ...summary, ...findings };
	});

	/** What verdicts can do without is loaded after the first of them. */
	readonly #loadRest = part(async () => {
		const { exportBar } = await import("./export-bar.ts");
		const { judge, notify } = this.#page;
		byId("export-place").replaceChildren(exportBar(judge, notify));
	});

	get subject(): Pick<Subject, "robots" | "urls"> {
		return { robots: this.#robotsSource, urls: this.#urlsSource };
	}

	get robots(): string | Uint8Array {
		return this.#opened ?? this.#robots.text;
	}

	/** Characters, or bytes, of robots.txt. */
	get robotsLength(): number {
		return this.#opened?.length ?? this.#robots.length;
	}

	/** Characters, or bytes, of robots.txt and URLs. */
	get length(): number {
		return this.robotsLength + this.#urls.length;
	}

	/** The URL at the cursor. */
	get url(): string {
		return this.#urls.current.url;
	}

	/** Other work is to be shown: a file that was opened before does not arrive in it. Tells whether none was opened since. */
	forgetFiles(): () => boolean {
		const isLast = this.#robotsTurns.next();
		const isLastList = this.#urlsTurns.next();
		return () => isLast() && isLastList();
	}

	setRobots(source: string | Uint8Array): void {
		this.#setSource(source, false);
	}

	/** @param isEdit The text is nearly the same: what is in view stays there. */
	#setSource(source: string | Uint8Array, isEdit: boolean): void {
		// Bytes that are not UTF-8 are shown with U+FFFD, and judged as they are until they are edited.
		const text =
			typeof source === "string" ? source : new TextDecoder().decode(source);
		this.#robots.setText(text, isEdit);
		// After setText, whose change event takes the text for the source.
		this.#opened = source;
		this.#robotsSource = { source: () => source };
	}

	setUrls(text: string): void {
		this.#urls.setText(text);
	}

	goToLine(line: number): void {
		this.#robots.goToLine(line);
	}

	/** The pane is on the screen. */
	show(): void {
		if (this.#isShown) return;
		this.#isShown = true;
		if (this.#isReady) this.updateAll();
	}

	/** Judges anew, after a change of crawler, dialect or robots.txt. */
	update(): void {
		this.#judge();
		this.#explain(false);
	}

	/** Also looks for findings anew, which depend on the dialect, too. */
	updateAll(): void {
		this.#isReady = true;
		this.update();
		this.#lint();
	}

	async #judge(): Promise<void> {
		if (!this.#isReady) return;
		const answer = await this.#answer(
			this.#verdicts.until(this.#page.judge.ask("judge")),
		);
		if (!answer) return;
		this.#page.onRecognised(answer.recognised);
		byId("robots-size").textContent =
			counted(answer.robotsSize, "byte") +
			(this.#opened instanceof Uint8Array ? ", not all of them UTF-8" : "") +
			this.#robots.lineEndNote;
		if (!this.#isShown) return;
		const draw = await this.#answer(this.#drawing());
		if (!draw) return;
		const { agent } = answer.recognised;
		const isOther =
			this.#judgedAgent !== undefined && agent !== this.#judgedAgent;
		this.#robots.showGroups(answer.groups, isOther);
		// What cannot be loaded now is tried again with the next verdicts.
		this.#loadRest().catch(() => {});
		this.#judgedAgent = agent;
		this.#urls.showMarks(answer.marks);
		draw.showSorted(answer.sorted, (line) => this.goToLine(line));
		draw.showCounts(answer.counts, (kind) => this.#urls.goToNext(kind));
		// Of what was asked: the fields may hold another crawler by now, and the number would not be its.
		draw.showReading(answer, this.#page.useOwnDialect);
		// As the rest: tried again with the next verdicts.
		this.#urls.loadEditor();
		this.#robots.loadEditor();
	}

	async #explain(reveal: boolean): Promise<void> {
		if (!(this.#isReady && this.#isShown)) return;
		this.#who?.update();
		const { url } = this.#urls.current;
		const place = byId("explanation");
		if (url === "") {
			this.#reasons.clear();
			this.#robots.showDetails(undefined, false);
			place.replaceChildren(
				make("p", {
					className: "quiet",
					textContent: "Put the cursor on a URL to see what decides about it.",
				}),
			);
			return;
		}
		const question = this.#page.question(url);
		if (question) {
			this.#reasons.clear();
			this.#robots.showDetails(undefined, false);
			place.replaceChildren(question);
			return;
		}
		const setting = this.#page.setting();
		const correct = (isWhole: boolean) =>
			void this.#urls
				.correct(isWhole)
				.catch(() =>
					this.#page.notify("The editor could not be loaded. Are you offline?"),
				);
		const details = await this.#answer(
			this.#reasons.until(this.#page.judge.ask("explain", { url })),
		);
		// The cursor may be on another line by now, which has asked a question of its own.
		if (!details || this.#urls.current.url !== url) return;
		this.#robots.showDetails(details, reveal);
		place.replaceChildren(
			...explanationOf(details, setting, (line) => this.goToLine(line), {
				line: () => correct(false),
				all: () => correct(true),
			}),
		);
	}

	async #lint(): Promise<void> {
		if (!this.#isReady) return;
		const findings = await this.#answer(
			this.#findings.until(this.#page.linter.ask("lint")),
		);
		if (!findings) return;
		const foreign = findings.find(({ code }) => foreignCodes.has(code));
		byId("robots-problem").hidden = foreign === undefined;
		byId("robots-problem").textContent = foreign?.message ?? "";
		// Everything is allowed then, and nobody should take that for good news. A warning says that the file is read here all the same.
		const isUnread = foreign !== undefined && foreign.severity !== "warning";
		document.body.classList.toggle("no-robots", isUnread);
		if (!this.#isShown) return;
		const draw = await this.#answer(this.#drawing());
		if (!draw) return;
		const list = byId("findings-list");
		const repairAll = byId("repair-all");
		const { activeElement } = document;
		// Whoever repairs by keyboard goes on from there: what has the focus is replaced below.
		const focused =
			activeElement === repairAll
				? 0
				: [...list.children].findIndex((item) => item.contains(activeElement));
		const repairs = findings.filter(({ edit }) => edit?.safe).length;
		repairAll.hidden = repairs === 0;
		repairAll.textContent =
			repairs === 1
				? "Make the repair that changes no verdict"
				: `Make the ${repairs} repairs that change no verdict`;
		this.#robots.showFindings(findings);
		byId("findings-count").textContent = draw.findingsSummary(findings);
		list.replaceChildren(
			...draw.findingItems(
				findings,
				(line) => this.goToLine(line),
				(edit) => void this.#repair(edit),
			),
		);
		if (focused < 0 || (activeElement === repairAll && repairs > 0)) return;
		const next = list.children[Math.min(focused, list.children.length - 1)];
		(
			next?.querySelector<HTMLElement>("[aria-label]") ??
			next?.querySelector("button") ??
			byId("findings").querySelector("summary")
		)?.focus();
	}

	/** An answer, or undefined when it is out of date or there is none, which the page then tells if it is still wanted. */
	async #answer<Result>(
		answer: Promise<Result | undefined>,
		isWanted: () => boolean = () => true,
	): Promise<Result | undefined> {
		try {
			const result = await answer;
			if (!isWanted()) return undefined;
			if (result !== undefined && this.#failed) {
				this.#failed = false;
				this.#page.notify("");
			}
			return result;
		} catch (error) {
			if (!isWanted()) return undefined;
			this.#failed = true;
			this.#page.notify(error instanceof Error ? error.message : String(error));
			return undefined;
		}
	}

	#tellOfOthers(all: readonly File[]): void {
		const text = othersText(all);
		if (text !== "") this.#page.notify(text);
	}

	async #list(
		file: File,
		isLast: () => boolean,
	): Promise<{ text: string; note?: string } | undefined> {
		const read = await this.#answer(
			this.#page.linter.ask("read", { file }),
			isLast,
		);
		if (!read) return undefined;
		try {
			const { listOf } = await import("./list-file.ts");
			// Not later: who is asked for a column and chooses one wants it.
			return isLast() ? await listOf(file, read) : undefined;
		} catch (error) {
			this.#page.notify(error instanceof Error ? error.message : String(error));
			return undefined;
		}
	}

	#showFinding(line: number): void {
		byId<HTMLDetailsElement>("findings").open = true;
		const item = byId("findings-list").querySelector<HTMLElement>(
			`[data-line="${line}"]`,
		);
		item?.scrollIntoView({ block: "nearest" });
		item?.querySelector("button")?.focus();
	}
}

function cardOf(id: string): HTMLElement {
	return byId(id).closest<HTMLElement>(".card") ?? byId(id);
}
