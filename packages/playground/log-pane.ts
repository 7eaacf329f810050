/**
 * The Log pane: access logs against robots.txt. main.ts loads it when it is opened. It holds what an audit is made with (form, files of
 * addresses, robots.txt files or that under Test), starts a worker for each audit, and says when a report is older than its inputs. What
 * must hold: the inputs are compared by identity, so a change makes a new object or text.
 */
import type { RobotsSource } from "@robotrie/audit";
import {
	AUTO,
	type DialectChoice,
	progressText,
	sourceBytes,
} from "robotrie/internal";
import sampleCrawlers from "../../sample/crawlers.txt?raw";
import robotsSample from "../../sample/robots.txt?raw";
import { byId, counted, fillPane, make } from "./dom.ts";
import { acceptFiles, largestFile, Turns, unreadable } from "./files.ts";
import { LogForm } from "./log-form.ts";
import type {
	LogMessage,
	LogRequest,
	LogResult,
	RangesFile,
} from "./log-messages.ts";
import { LogReport } from "./log-report.ts";
import { robotsSources } from "./log-robots.ts";
import type { Foreign } from "./messages.ts";
import markup from "./pane-log.html?raw";
import { workerProblem } from "./part.ts";

// Before the class: its fields are elements of it.
fillPane("log", markup);

/** What the pane needs of the page. */
interface Page {
	readonly dialect: () => DialectChoice;
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
	readonly dialect: DialectChoice;
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
			// The sample's rules are for the sample's log alone.
			if (this.#robots?.ofSample) {
				this.#robots = undefined;
				this.show();
			}
			this.#audit(files);
		});
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
			this.#report.isHeld = false;
			this.#say("Cancelled.");
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
		byId("log-robots").textContent = this.#robotsText();
		byId("log-robots-own").hidden = this.#robots === undefined;
		// The banner is about the one under Test.
		document.body.classList.toggle("other-robots", this.#robots !== undefined);
		this.#showAge();
	}

	#robotsText(): string {
		if (!this.#robots) {
			const { length } = sourceBytes(this.#page.robots());
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

	async #useRobots(files: readonly File[]): Promise<void> {
		const isLast = this.#robotsTurns.next();
		try {
			const sources = await robotsSources(files, this.#page.decode);
			if (!isLast()) return;
			this.#robots = { sources, ofSample: false };
			this.show();
			for (const { file, bytes } of sources) {
				const found = await this.#page.foreign(bytes);
				if (found && isLast()) throw new Error(`${file}: ${found.message}`);
			}
		} catch (error) {
			if (isLast())
				this.#fail(error instanceof Error ? error.message : String(error));
		}
	}

	async #auditSample(): Promise<void> {
		const turn = this.#begin("access.log");
		const isLast = this.#robotsTurns.next();
		const log = await import("../../sample/access.log?raw").catch(
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
				sources: [{ file: "robots.txt", bytes: sourceBytes(robotsSample) }],
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
					? [{ file: "robots.txt", bytes: sourceBytes(robots) }]
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
		this.#putFirst();
		this.#report.isHeld = true;
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
				.slice(0, 4096)
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

	/** The report takes the place of what only invites to open a log: it is seen without scrolling. */
	#putFirst(): void {
		const pane = byId("pane-log");
		if (pane.classList.contains("with-report")) return;
		pane.classList.add("with-report");
		pane.prepend(byId("log-state-card"), byId("log-report"));
	}

	#finish(result: LogResult): void {
		this.#end();
		this.#say(summaryOf(result), !isUsable(result));
		if (result.report.lines > 0) this.#report.show(result);
		// Settings may have changed while it was made.
		this.#showAge();
		const card = byId("log-state-card");
		// On a phone the report is far below what was touched.
		if (card.getBoundingClientRect().top > innerHeight / 2)
			card.scrollIntoView();
	}

	#fail(message: string): void {
		this.#end();
		this.#report.isHeld = false;
		this.#showAge();
		byId("log-state-card").hidden = false;
		// Some are whole sentences.
		this.#say(`This did not work: ${message.replace(/\.$/, "")}.`, true);
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

function named(dialect: DialectChoice): string {
	return dialect === AUTO ? "each crawler’s own" : dialect;
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
