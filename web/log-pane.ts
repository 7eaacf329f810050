import robotsSample from "../sample/robots.txt?raw";
import { formatNames } from "../src/log/formats.ts";
import { progressText } from "../src/log/progress.ts";
import type { RobotsSource } from "../src/log/rule-book.ts";
import type { Dialect } from "../src/robots-txt/dialect.ts";
import { sourceBytes } from "../src/robots-txt/source.ts";
import { byId, counted, make } from "./dom.ts";
import { acceptFiles, largestFile } from "./files.ts";
import { moreFields } from "./log-fields.ts";
import {
	LOG_FORMAT,
	type LogMessage,
	type LogRequest,
	type LogResult,
	type LogSettings,
	type RangesFile,
} from "./log-messages.ts";
import { LogReport } from "./log-report.ts";
import { robotsSources } from "./log-robots.ts";
import { workerProblem } from "./part.ts";

/** Formats that need fields. */
const anyNames: ReadonlyMap<string, string> = new Map([
	["ndjson", "ndjson: any JSON"],
	["csv", "csv: any CSV"],
]);

/** What the pane needs of the page. */
interface Page {
	readonly dialect: () => Dialect;
	/** The robots.txt of the Test pane. */
	readonly robots: () => string | Uint8Array;
	/** What a link carries has changed. */
	readonly onChange: () => void;
	readonly notify: (text: string) => void;
}

/** robots.txt files that take the place of the one under Test. */
interface OtherRobots {
	readonly sources: readonly RobotsSource[];
	/** They belong to the sample's log: another log is not judged by them. */
	readonly ofSample: boolean;
}

/** What an audit is made with. Two that are equal in every part give the same report. */
interface Inputs {
	readonly robots: string | Uint8Array | readonly RobotsSource[];
	readonly dialect: Dialect;
	/** The form's fields, as JSON. */
	readonly settings: string;
	readonly ranges: readonly RangesFile[];
}

/** Access logs against robots.txt, in a worker. */
export class LogPane {
	readonly #page: Page;
	readonly #form = byId<HTMLFormElement>("log-settings");
	readonly #report: LogReport;
	#robots: OtherRobots | undefined;
	#files: readonly File[] | undefined;
	/** What the report that is shown, or under way, was made with. */
	#audited: Inputs | undefined;
	#worker: Worker | undefined;
	#ranges: readonly RangesFile[] = [];
	readonly #rangeNames = make("span", { className: "quiet" });

	constructor(page: Page) {
		this.#page = page;
		this.#addMore();
		this.#report = new LogReport(page.notify);
		this.#field("format").append(
			make("option", { value: "", textContent: "told from the first lines" }),
			...formatNames.map((name) =>
				make("option", {
					value: name,
					textContent: anyNames.get(name) ?? name,
				}),
			),
			make("option", {
				value: LOG_FORMAT,
				textContent: "log_format: a string",
			}),
		);
		this.#field("groupBy").append(
			make("option", { value: "address", textContent: "crawler and address" }),
			make("option", { value: "network", textContent: "crawler and network" }),
		);
		this.#form.addEventListener("input", () => {
			this.#showFields();
			this.#showAge();
			page.onChange();
		});
		this.#form.addEventListener("submit", (event) => event.preventDefault());
		acceptFiles(byId("log-card"), byId("log-files"), (_, files) => {
			if (this.#robots?.ofSample) this.#robots = undefined;
			this.#audit(files);
		});
		acceptFiles(byId("log-robots-card"), byId("log-robots-files"), (_, files) =>
			this.#useRobots(files),
		);
		const onClick = (id: string, run: () => void) =>
			byId(id).addEventListener("click", run);
		onClick("log-robots-own", () => {
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
			this.#end();
			this.#say("Cancelled.");
		});
	}

	/** Settings that few need, and that the page is not loaded with. */
	#addMore(): void {
		const input = make("input", { type: "file", multiple: true });
		input.id = "log-ranges-files";
		const more = moreFields({ input, names: this.#rangeNames });
		this.#form.append(more);
		acceptFiles(more, input, (_, files) => this.#useRanges(files));
	}

	async #useRanges(files: readonly File[]): Promise<void> {
		try {
			const large = files.find(({ size }) => size > largestFile);
			if (large)
				throw new Error(`${large.name} is too large for a list of addresses`);
			this.#ranges = await Promise.all(
				files.map(async (file) => ({
					name: file.name,
					text: await file.text(),
				})),
			);
			this.#rangeNames.textContent = namesOf(files.map(({ name }) => name));
			this.#showAge();
		} catch (error) {
			this.#fail(error instanceof Error ? error.message : String(error));
		}
	}

	/** What the form says, for a link: names of its fields and what is in them, where that is not the default. */
	get settings(): Readonly<Record<string, string>> {
		return Object.fromEntries(
			Object.entries(this.#settings()).filter(
				([name, text]) =>
					text !== "" && !(name === "groupBy" && text === "name"),
			),
		);
	}

	set settings(settings: Readonly<Record<string, string>>) {
		this.#form.reset();
		for (const [name, text] of Object.entries(settings)) {
			const field = this.#form.elements.namedItem(name);
			if (
				field instanceof HTMLInputElement ||
				field instanceof HTMLTextAreaElement
			)
				field.value = text;
			else if (
				field instanceof HTMLSelectElement &&
				[...field.options].some(({ value }) => value === text)
			)
				field.value = text;
		}
		this.#showFields();
		const more = byId<HTMLDetailsElement>("log-more");
		more.open = Array.from(
			more.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("[name]"),
		).some(({ value }) => value !== "");
	}

	/** Tells what logs are judged by now, and whether the report was. */
	show(): void {
		byId("log-robots").textContent = this.#robotsText();
		byId("log-robots-own").hidden = this.#robots === undefined;
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
			settings: JSON.stringify(this.#settings()),
			ranges: this.#ranges,
		};
	}

	/** Marks a report that "Audit again" would make otherwise. */
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

	#settings(): LogSettings {
		return Object.fromEntries(
			new FormData(this.#form),
		) as unknown as LogSettings;
	}

	#field(name: keyof LogSettings): HTMLElement {
		return this.#form.elements.namedItem(name) as HTMLElement;
	}

	/** A string and keys are asked for where the format needs them. */
	#showFields(): void {
		const { format } = this.#settings();
		const show = (name: keyof LogSettings, isShown: boolean) => {
			const label = this.#field(name).closest("label");
			if (label) label.hidden = !isShown;
		};
		show("logFormat", format === LOG_FORMAT);
		show("fields", anyNames.has(format));
	}

	async #useRobots(files: readonly File[]): Promise<void> {
		try {
			this.#robots = { sources: await robotsSources(files), ofSample: false };
			this.show();
		} catch (error) {
			this.#fail(error instanceof Error ? error.message : String(error));
		}
	}

	async #auditSample(): Promise<void> {
		const log = await import("../sample/access.log?raw").catch(() => undefined);
		if (!log) {
			this.#fail("the sample could not be loaded; are you offline?");
			return;
		}
		this.#robots = {
			sources: [{ file: "robots.txt", bytes: sourceBytes(robotsSample) }],
			ofSample: true,
		};
		this.#audit([new File([log.default], "access.log")]);
	}

	#audit(files: readonly File[]): void {
		this.#end();
		this.#files = files;
		this.#audited = this.#inputs;
		const { robots, dialect } = this.#audited;
		byId("log-state-card").hidden = false;
		byId("log-progress").hidden = false;
		byId("log-again").hidden = true;
		byId("log-bar-label").textContent =
			`Reading ${namesOf(files.map(({ name }) => name))}`;
		byId<HTMLProgressElement>("log-bar").removeAttribute("value");
		byId("log-state-card").scrollIntoView({ block: "nearest" });
		byId("log-speed").textContent = "";
		this.#report.show(undefined);
		this.show();
		this.#say("");
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
			settings: this.#settings(),
			ranges: this.#ranges,
		} satisfies LogRequest);
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
		byId("log-state-card").hidden = false;
		this.#say(`This did not work: ${message}.`, true);
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

/** What differs, in words. */
function changesBetween(before: Inputs, now: Inputs): readonly string[] {
	return [
		before.dialect !== now.dialect &&
			`the dialect was ${before.dialect}, and is ${now.dialect}`,
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
			"The log has no User-Agent headers, so nobody is judged; say above what no header means.",
	]
		.filter(Boolean)
		.join(" ");
}
