/**
 * The report of an audit in the Log pane, and the buttons that save it. The page is the one that the command line writes; it stands in a
 * sandboxed frame, so that its styles and its script touch nothing else. Its hashes are in the page's policy (vite.config.ts).
 */
import { csvReport } from "@robotrie/audit";
import { saveAs } from "../../files/save.ts";
import { byId, make } from "../../page/dom.ts";
import type { LogResult } from "./log-messages.ts";
import { FRAME_SCRIPT, heightsIn, type ReportHeights } from "./report-frame.ts";

/** The report of an audit, as the page that the command line writes, and as files. */
export class LogReport {
	readonly #place = byId("log-report");
	#result: LogResult | undefined;
	#frame: HTMLIFrameElement | undefined;
	#heights: ReportHeights | undefined;

	constructor(notify: (text: string) => void) {
		const onClick = (id: string, save: (result: LogResult) => void) =>
			byId(id).addEventListener("click", () => {
				if (this.#result) save(this.#result);
			});
		onClick("log-save-html", ({ html }) =>
			saveAs("robotrie-audit.html", "text/html", html),
		);
		addEventListener("message", ({ source, data }) => {
			if (!this.#frame || source !== this.#frame.contentWindow) return;
			this.#heights = heightsIn(data) ?? this.#heights;
			this.#fit();
		});
		addEventListener("beforeprint", () => this.#print(true));
		addEventListener("afterprint", () => this.#print(false));
		onClick("log-save-json", ({ report }) =>
			saveAs(
				"robotrie-audit.json",
				"application/json",
				`${JSON.stringify(report, null, 2)}\n`,
			),
		);
		onClick("log-save-csv", async ({ report }) => {
			const csv = await csvReport(report).catch(() => undefined);
			if (csv !== undefined) saveAs("robotrie-audit.csv", "text/csv", csv);
			else notify("The CSV writer could not be loaded. Are you offline?");
		});
	}

	get isShown(): boolean {
		return !byId("log-results").hidden;
	}

	/** The report is out of sight while other logs are looked at, and comes back if they are none. */
	set isHeld(isHeld: boolean) {
		byId("log-results").hidden = isHeld || this.#result === undefined;
		this.#place.hidden = isHeld;
	}

	/** Shows a report in a frame, which has its styles and its script to itself; undefined shows none. */
	show(result: LogResult | undefined): void {
		this.#result = result;
		this.#frame = undefined;
		this.#heights = undefined;
		this.isHeld = false;
		if (!result) {
			this.#place.replaceChildren();
			return;
		}
		const frame = make("iframe", { title: "Report" });
		// Without allow-same-origin: the report's texts are of clients, and the page has storage and files.
		frame.setAttribute("sandbox", "allow-scripts");
		// In front of the report's own policy, which allows its own script alone.
		frame.srcdoc = result.html.replace(
			"<head>",
			() => `<head><script>${FRAME_SCRIPT}</script>`,
		);
		this.#frame = frame;
		this.#place.replaceChildren(frame);
	}

	/** On paper the report is shorter: a frame as high as on the screen left six of nine pages empty. */
	#print(isPrinted: boolean): void {
		this.#frame?.classList.toggle("printed", isPrinted);
		this.#fit();
	}

	/** The frame is as high as what it shows: only the page scrolls. */
	#fit(): void {
		const isPrinted = this.#frame?.classList.contains("printed");
		const height = this.#heights?.[isPrinted ? "paper" : "screen"];
		if (this.#frame && height) this.#frame.height = String(height);
	}
}
