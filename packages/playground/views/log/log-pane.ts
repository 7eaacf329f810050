/**
 * The Log pane: access logs against robots.txt. main.ts loads it when it is opened. It holds what an audit is made with (form, files of
 * addresses, robots.txt files or that under Test), starts a worker for each audit, and says when a report is older than its inputs. What
 * must hold: the inputs are compared by identity, so a change makes a new object or text.
 */

import type { RobotsSource } from "@robotrie/audit";
import type { Dialect } from "robotrie";

import { progressText } from "#robotrie/common/wording";
import sampleCrawlers from "../../../../sample/crawlers.txt?raw";
import robotsSample from "../../../../sample/robots.txt?raw";
import {
	acceptFiles,
	largestFile,
	Turns,
	unreadable,
} from "../../files/files.ts";
import { byId, counted, fillPane, make } from "../../page/dom.ts";
import type { Foreign } from "../../page/messages.ts";
import { LogForm } from "./log-form.ts";
import type {
	LogMessage,
	LogRequest,
	LogResult,
	RangesFile,
} from "./log-messages.ts";
import { LogReport } from "./log-report.ts";
import { robotsSources } from "./log-robots.ts";
import "./log.css";
import { workerProblem } from "../../page/part.ts";
import { pasteBox, type Whose } from "../../page/whose.ts";
import markup from "./pane-log.html?raw";

// Before the class: its fields are elements of it.
fillPane("log", markup);

/** What the pane needs of the page. */
interface Page {
	readonly whose: Whose;
	readonly setRobots: (text: string) => void;
	readonly dialect: () => Dialect | "auto";
	/** The robots.txt of the Test pane. */
	readonly robots: () => string | Uint8Array;
	/** What a link carries has changed. */
	readonly onChange: () => void;
	readonly notify: (text: string) => void;
	/** What bytes are that are no text of lines. */
	readonly foreign: (bytes: Uint8Array) => Promise<Foreign | null | undefined>;
	/** A file that is compressed. */
	readonly decode: Parameters<typeof robotsSources>[1];
}

/** robots.txt files that take the place of the one under Test. */
interface OtherRobots {
	readonly sources: readonly RobotsSource[];
	/** They belong to the sample's log: another log is not judged by them. */
	readonly ofSample: boolean;
}

/** What an audit is made with. Two that are equal field by field give the same report. */
interface Inputs {
	readonly robots: string | Uint8Array | readonly RobotsSource[];
	readonly dialect: Dialect | "auto";
	/** The form's fields, as JSON. */
	readonly settings: string;
	readonly ranges: readonly RangesFile[];
}

/** Access logs against robots.txt, in a worker. */
export class LogPane {
	readonly #page: Page;
	readonly #form: LogForm;
	readonly #report: LogReport;
	#robots: OtherRobots | undefined;
	#files: readonly File[] | undefined;
	/** Logs that wait until it is said whose robots.txt they are judged by. */
	#pending: readonly File[] | undefined;
	/** The sample log, once it was opened. */
	#sample: File | undefined;
	/** What the report that is shown, or under way, was made with. */
	#audited: Inputs | undefined;
	#worker: Worker | undefined;
	/** Counts audits that were asked for: of two at a time, only the newest runs. */
	#turn = 0;
	#ranges: readonly RangesFile[] = [];
	readonly #rangesTurns = new Turns();
	readonly #robotsTurns = new Turns();
	readonly #rangeNames = make("span", { className: "quiet" });
	/** What was said above the report. */
	#summary = "";

	constructor(page: Page) {
		this.#page = page;
		this.#report = new LogReport(page.notify);
		const input = make("input", { type: "file", multiple: true });
		input.id = "log-ranges-files";
		this.#form = new LogForm({ input, names: this.#rangeNames }, () => {
			this.#showAge();
			page.onChange();
		});
		acceptFiles(this.#form.more, input, (_, files) => this.#useRanges(files));
		acceptFiles(byId("log-card"), byId("log-files"), (_, files) => {
			void this.#open(files);
		});
		// While it asks whose robots.txt to judge by, it takes one.
		acceptFiles(byId("log-state-card"), undefined, (_, files) =>
			this.#open(files),
		);
		acceptFiles(byId("log-robots-card"), byId("log-robots-files"), (_, files) =>
			this.#useRobots(files),
		);
		const onClick = (id: string, run: () => void) =>
			byId(id).addEventListener("click", run);
		onClick("log-robots-own", () => {
			this.#robotsTurns.next();
			this.#robots = undefined;
			this.show();
			byId("log-robots-files").focus();
		});
		onClick("log-sample", () => this.#auditSample());
		byId<HTMLButtonElement>("log-sample").disabled = false;
		onClick("log-again", () => {
			if (this.#files) this.#audit(this.#files);
		});
		onClick("log-cancel", () => {
			this.#turn++;
			this.#end();
			this.#fail("Cancelled.", false);
		});
		onClick("log-back", () => {
			this.#report.isHeld = false;
			byId("log-back").hidden = true;
			this.#say(this.#summary);
			this.#showAge();
		});
	}

	async #useRanges(files: readonly File[]): Promise<void> {
		const isLast = this.#rangesTurns.next();
		try {
			const large = files.find(({ size }) => size > largestFile);
			if (large)
				throw new Error(`${large.name} is too large for a list of addresses`);
			const ranges = await Promise.all(
				files.map(async (file) => ({
					name: file.name,
					text: await file.text().catch(() => {
						throw new Error(unreadable(file));
					}),
				})),
			);
			if (!isLast()) return;
			this.#ranges = ranges;
			this.#rangeNames.textContent = namesOf(files.map(({ name }) => name));
			this.#showAge();
		} catch (error) {
			if (isLast())
				this.#fail(error instanceof Error ? error.message : String(error));
		}
	}

	/** What the form says, for a link. */
	get settings(): Readonly<Record<string, string>> {
		return this.#form.changed;
	}

	set settings(settings: Readonly<Record<string, string>>) {
		this.#form.changed = settings;
	}

	/** Tells what logs are judged by now, and whether the report was. */
	show(): void {
		if (this.#pending && !this.#asksWhose) this.#audit(this.#pending);
		byId("log-robots").textContent = this.#robotsText();
		byId("log-robots-own").hidden = this.#robots === undefined;
		// The banner is about the one under Test.
		document.body.classList.toggle("other-robots", this.#robots !== undefined);
		this.#showAge();
	}

	/** The robots.txt that is there is a sample, and of another site than logs that somebody opens. */
	get #asksWhose(): boolean {
		return !this.#robots && this.#page.whose.only !== undefined;
	}

	#robotsText(): string {
		if (!this.#robots) {
			const { words } = this.#page.whose;
			if (words !== undefined) return words;
			const { length } = bytesOf(this.#page.robots());
			return `the robots.txt under Test, ${counted(length, "byte")}`;
		}
		const { sources, ofSample } = this.#robots;
		return ofSample
			? "the sample’s robots.txt"
			: namesOf(sources.map(({ file }) => file));
	}

	get #inputs(): Inputs {
		return {
			robots: this.#robots?.sources ?? this.#page.robots(),
			dialect: this.#page.dialect(),
			settings: JSON.stringify(this.#form.settings),
			ranges: this.#ranges,
		};
	}

	/** Marks a report that "Audit again" would change. */
	#showAge(): void {
		const changed = this.#audited
			? changesBetween(this.#audited, this.#inputs)
			: [];
		const isStale = changed.length > 0 && this.#report.isShown;
		byId("log-stale").hidden = !isStale;
		byId("log-stale").textContent = isStale
			? `This report is out of date: ${changed.join(", ")}. Audit again.`
			: "";
		byId("log-report").classList.toggle("stale", isStale);
	}

	/** False if they cannot be used, which is said; undefined if others were opened meanwhile. */
	async #useRobots(files: readonly File[]): Promise<boolean | undefined> {
		const isLast = this.#robotsTurns.next();
		try {
			const sources = await robotsSources(files, this.#page.decode);
			if (!isLast()) return undefined;
			// Before anything is judged by it: logs may wait for it.
			for (const { file, bytes } of sources) {
				const found = await this.#page.foreign(bytes);
				if (!isLast()) return undefined;
				if (found) throw new Error(`${file}: ${found.message}`);
			}
			this.#robots = { sources, ofSample: false };
			this.show();
			return true;
		} catch (error) {
			if (!isLast()) return undefined;
			this.#fail(error instanceof Error ? error.message : String(error));
			return false;
		}
	}

	/** Logs, and a robots.txt among them is what they are judged by. */
	async #open(files: readonly File[]): Promise<void> {
		const waiting = this.#pending;
		const turn = this.#begin(namesOf(files.map(({ name }) => name)));
		const heads = await Promise.all(
			files.map((file) =>
				file
					.slice(0, HEAD)
					.text()
					.catch(() => undefined),
			),
		);
		if (turn !== this.#turn) return;
		const [missing] = files.filter((_, at) => heads[at] === undefined);
		if (missing) {
			this.#fail(unreadable(missing));
			return;
		}
		const robots = files.filter((_, at) => isRobots(heads[at] ?? ""));
		const logs = files.filter((file) => !robots.includes(file));
		// The sample's rules are for the sample's log alone.
		if (this.#robots?.ofSample) {
			this.#robots = undefined;
			this.show();
		}
		if (robots.length > 0) {
			this.#end();
			this.#report.isHeld = false;
			this.#showAge();
			this.#pending = logs.length > 0 ? logs : waiting;
			const isUsed = await this.#useRobots(robots);
			// No others judge logs that came with these; those that wait for the reader's choice wait on.
			if (isUsed === false) {
				if (this.#asksWhose && this.#pending) this.#askWhose();
				else this.#pending = undefined;
			} else if (isUsed && logs.length === 0 && waiting === undefined)
				this.#tell(
					`${namesOf(robots.map(({ name }) => name))} is a robots.txt and no access log: the logs that you open are judged by it.`,
				);
			return;
		}
		this.#audit(logs);
	}

	async #auditSample(): Promise<void> {
		const turn = this.#begin("access.log");
		const isLast = this.#robotsTurns.next();
		const log = await import("../../../../sample/access.log?raw").catch(
			() => undefined,
		);
		if (turn !== this.#turn) return;
		if (!log) {
			this.#fail("the sample could not be loaded; are you offline?");
			return;
		}
		// Who opens a robots.txt while the log is on its way means it for that log.
		if (isLast())
			this.#robots = {
				sources: [{ file: "robots.txt", bytes: bytesOf(robotsSample) }],
				ofSample: true,
			};
		this.#sample = new File([log.default], "access.log");
		this.#audit([this.#sample]);
	}

	async #audit(files: readonly File[]): Promise<void> {
		const turn = this.#begin(namesOf(files.map(({ name }) => name)));
		const problem = await this.#noLog(files);
		// Another log was opened meanwhile: its report would be replaced by this one's.
		if (turn !== this.#turn) return;
		if (problem !== undefined) {
			this.#fail(problem);
			return;
		}
		if (!files.some((file) => file === this.#sample) && this.#asksWhose) {
			this.#pending = files;
			this.#askWhose();
			return;
		}
		this.#pending = undefined;
		this.#files = files;
		// Noted before the worker runs: a change of a setting meanwhile makes the report stale when it comes.
		this.#audited = this.#inputs;
		const { robots, dialect } = this.#audited;
		this.#report.show(undefined);
		this.show();
		// One for each audit: to end it is to cancel, and gives its memory back.
		const worker = new Worker(new URL("./log-worker.ts", import.meta.url), {
			type: "module",
		});
		this.#worker = worker;
		worker.addEventListener("error", (event) =>
			this.#fail(workerProblem(event)),
		);
		worker.addEventListener("message", ({ data }: MessageEvent<LogMessage>) => {
			if ("progress" in data) {
				const { bytes, total } = data.progress;
				byId<HTMLProgressElement>("log-bar").value = bytes / total;
				byId("log-speed").textContent = progressText(data.progress);
			} else if ("error" in data) this.#fail(data.error);
			else this.#finish(data.result);
		});
		worker.postMessage({
			files,
			robots:
				typeof robots === "string" || robots instanceof Uint8Array
					? [{ file: "robots.txt", bytes: bytesOf(robots) }]
					: robots,
			reading: { dialect },
			settings: this.#settingsFor(files),
			ranges: this.#ranges,
		} satisfies LogRequest);
	}

	/** What the form says; of the sample's crawlers, which no list knows, also what they fetch for. */
	#settingsFor(files: readonly File[]): LogRequest["settings"] {
		const { settings } = this.#form;
		return files.some((file) => file === this.#sample)
			? { ...settings, crawlers: `${settings.crawlers}\n${sampleCrawlers}` }
			: settings;
	}

	/**
	 * Tells that logs are read, before anything is waited for: the report of other logs was shown, and saved, as that of these while a worker
	 * looked at what they are. Ends the audit under way, and returns the number of this one.
	 */
	#begin(names: string): number {
		this.#end();
		this.#pending = undefined;
		byId("log-whose").replaceChildren();
		this.#report.isHeld = true;
		byId("log-back").hidden = true;
		byId("log-state-card").hidden = false;
		byId("log-progress").hidden = false;
		byId("log-again").hidden = true;
		byId("log-bar-label").textContent = `Reading ${names}`;
		byId<HTMLProgressElement>("log-bar").removeAttribute("value");
		byId("log-state-card").scrollIntoView({ block: "nearest" });
		byId("log-speed").textContent = "";
		this.#showAge();
		this.#say("");
		return ++this.#turn;
	}

	/** Why files are no logs, as the rest of a sentence. */
	async #noLog(files: readonly File[]): Promise<string | undefined> {
		for (const file of files) {
			// A folder, or a file that is gone, has no bytes: the audit says so.
			const head = await file
				.slice(0, HEAD)
				.arrayBuffer()
				.catch(() => new ArrayBuffer(0));
			const found = await this.#page.foreign(new Uint8Array(head));
			if (found?.code === "utf-16")
				return `${file.name} is UTF-16: save it as UTF-8`;
			// What is no robots.txt may be a log, if it is compressed or JSON.
			if (found && !/^compressed|^JSON/.test(found.what))
				return `${file.name} is no access log but ${found.what}`;
		}
		return undefined;
	}

	/** Asks by which robots.txt to judge, in the place of a report by that of the sample's site. */
	#askWhose(): void {
		this.#end();
		byId("log-again").hidden = true;
		byId("log-whose").replaceChildren(
			make(
				"div",
				{ className: "whose-question" },
				make("p", {
					textContent: `By whose robots.txt is ${namesOf((this.#pending ?? []).map(({ name }) => name))} judged? Here is only ${this.#page.whose.words}. Open the one of the site whose logs these are, or paste it:`,
				}),
				pasteBox(this.#page.setRobots),
				make(
					"div",
					{ className: "buttons" },
					make("button", {
						type: "button",
						className: "primary",
						textContent: "Open robots.txt",
						onclick: () => byId("log-robots-files").click(),
					}),
					make("button", {
						type: "button",
						textContent: "Judge by the sample all the same",
						onclick: () => this.#page.whose.accept(),
					}),
				),
			),
		);
	}

	#finish(result: LogResult): void {
		this.#end();
		this.#say(summaryOf(result), !isUsable(result));
		if (result.report.lines > 0) {
			this.#report.show(result);
			this.#summary = summaryOf(result);
		}
		byId("pane-log").classList.toggle("with-report", this.#report.isShown);
		// Settings may have changed while it was made.
		this.#showAge();
	}

	/** Says what went wrong, without an older report, which would be taken for what is said of. */
	#fail(message: string, isProblem = true): void {
		this.#end();
		const hasReport = byId("log-report").childElementCount > 0;
		this.#report.isHeld = true;
		byId("log-back").hidden = !hasReport;
		this.#showAge();
		// Some are whole sentences.
		this.#tell(
			isProblem ? `This did not work: ${message.replace(/\.$/, "")}.` : message,
			isProblem,
		);
	}

	#tell(text: string, isProblem = false): void {
		byId("log-state-card").hidden = false;
		this.#say(text, isProblem);
	}

	#say(text: string, isProblem = false): void {
		byId("log-message").textContent = text;
		byId("log-state-card").classList.toggle("problem", isProblem);
	}

	/** Ends the worker, and what tells of it. */
	#end(): void {
		this.#worker?.terminate();
		this.#worker = undefined;
		const again = byId<HTMLButtonElement>("log-again");
		again.hidden = this.#files === undefined;
		const hadFocus = document.activeElement === byId("log-cancel");
		byId("log-progress").hidden = true;
		if (hadFocus) again.focus();
	}
}

/** As UTF-8. What checks its argument is a part of the library that the page can do without. */
const bytesOf = (robots: string | Uint8Array) =>
	typeof robots === "string" ? new TextEncoder().encode(robots) : robots;

/** Bytes at the beginning of a file that tell what it is. */
const HEAD = 4096;

/** A text of fields and values, as no access log is; one with rules may have other lines, too. */
function isRobots(head: string): boolean {
	const lines = head
		.replace(/^\ufeff/, "")
		.split(/\r\n?|\n/)
		// The last one may be cut off.
		.slice(0, head.length < HEAD ? undefined : -1)
		.map((line) => line.trim())
		.filter((line) => line !== "" && !line.startsWith("#"));
	const fields = lines.filter((line) => /^[a-z][\w-]*\s*:/i.test(line));
	const least = fields.some((line) => /^disallow\s*:/i.test(line)) ? 0.5 : 1;
	return (
		fields.some((line) => /^(?:user-agent|sitemap)\s*:/i.test(line)) &&
		fields.length >= least * lines.length
	);
}

function named(dialect: Dialect | "auto"): string {
	return dialect === "auto" ? "each crawler’s own" : dialect;
}

/** What differs, in words. */
function changesBetween(before: Inputs, now: Inputs): readonly string[] {
	return [
		before.dialect !== now.dialect &&
			`the dialect was ${named(before.dialect)}, and is ${named(now.dialect)}`,
		before.robots !== now.robots && "robots.txt has changed",
		before.settings !== now.settings && "the settings have changed",
		before.ranges !== now.ranges && "the published addresses have changed",
	].filter((change) => change !== false);
}

function isUsable({ report, isSilent }: LogResult): boolean {
	return report.lines > report.unparsed && !(isSilent && report.judged === 0);
}

function namesOf(names: readonly string[]): string {
	const shown = names.slice(0, 3).join(", ");
	return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

/** What a reader should know before the report. */
function summaryOf({ report, logs, isSilent, seconds }: LogResult): string {
	const names = namesOf(logs.map(({ name }) => name));
	const formats = [...new Set(logs.map(({ format }) => format))].join(", ");
	const { lines, unparsed, withoutRobots } = report;
	if (lines === 0) return `${names}: there is nothing in it.`;
	if (unparsed === lines)
		return `None of the ${counted(lines, "line")} of ${names} is of the format ${formats}. Choose another one.`;
	return [
		`${counted(lines, "line")} of ${names} (${formats}) in ${seconds.toFixed(1)} s.`,
		unparsed > 0 && `${counted(unparsed, "line")} could not be parsed.`,
		withoutRobots > 0 &&
			`${counted(withoutRobots, "request")} of crawlers went to hosts that no robots.txt is for.`,
		isSilent &&
			report.judged === 0 &&
			"The log has no User-Agent headers, so nobody is judged: fill in “No User-Agent header means”.",
	]
		.filter(Boolean)
		.join(" ");
}
