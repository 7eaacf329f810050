import type { AuditReport } from "@robotrie/audit";
import { write } from "../output/output.ts";
import { writeOutput } from "../output/output-file.ts";
import { takesStdout } from "./finish.ts";
import type { AuditCommandOptions } from "./options.ts";
import { render } from "./output.ts";

/** Milliseconds between two tables, on a terminal and elsewhere. */
const REPAINT = 1000;
const REPRINT = 10_000;

/** Of a terminal that does not say. */
const ROWS = 25;

const CLEAR = "\x1b[2J\x1b[H";

/** The report on what was read so far, shown or written now and then, if there is something new. */
export class LiveReport {
	readonly #options: AuditCommandOptions;
	readonly #period: number;
	readonly #isPainted: boolean;
	#shownAt = Number.NEGATIVE_INFINITY;
	#isNew = false;
	#timer: NodeJS.Timeout | undefined;
	#waiting: Promise<undefined> | undefined;

	constructor(options: AuditCommandOptions) {
		const { interval, out, output } = options;
		const isShown = out === undefined && !takesStdout(options);
		this.#options = options;
		this.#isPainted = isShown && output === "table" && process.stdout.isTTY;
		this.#period =
			interval ??
			(isShown && output === "table"
				? this.#isPainted
					? REPAINT
					: REPRINT
				: Number.POSITIVE_INFINITY);
	}

	/** There is something new. */
	touch(): void {
		this.#isNew = true;
	}

	/** Resolves when the report is to be shown. */
	due(): Promise<undefined> {
		if (!this.#isNew || this.#period === Number.POSITIVE_INFINITY)
			return new Promise(() => {});
		this.#waiting ??= new Promise((resolve) => {
			const wait = this.#shownAt + this.#period - performance.now();
			this.#timer = setTimeout(() => resolve(undefined), Math.max(0, wait));
		});
		return this.#waiting;
	}

	async show(report: AuditReport): Promise<void> {
		this.#waiting = undefined;
		this.#isNew = false;
		this.#shownAt = performance.now();
		const { out } = this.#options;
		const text = await render(report, this.#options);
		if (out !== undefined) await writeOutput(out, [Buffer.from(text)]);
		else if (takesStdout(this.#options)) return;
		else if (this.#isPainted) await write(CLEAR + cut(text));
		else await write(this.#options.output === "table" ? `${text}\n` : text);
	}

	/** Makes room for the last report. */
	end(): void {
		clearTimeout(this.#timer);
		if (this.#isPainted && Number.isFinite(this.#shownAt))
			process.stdout.write(CLEAR);
	}
}

/** What of a text fits the terminal. */
function cut(text: string): string {
	const rows = Math.max((process.stdout.rows || ROWS) - 1, 1);
	return text.split("\n").slice(0, rows).join("\n");
}
