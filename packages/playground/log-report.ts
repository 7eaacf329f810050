/**
 * The report of an audit in the Log pane, and the buttons that save it. The page is the one that the command line writes; it stands in a
 * frame, so that its styles and its script touch nothing else. Its hashes are in the page's policy (vite.config.ts).
 */
import { load } from "@robotrie/audit/internal";
import { byId, make } from "./dom.ts";
import type { LogResult } from "./log-messages.ts";
import { saveAs } from "./save.ts";

/** Every medium, in words that no rule of the report begins with. */
const PRINTED = "print, screen";

/** The report of an audit, as the page that the command line writes, and as files. */
export class LogReport {
	readonly #place = byId("log-report");
	#result: LogResult | undefined;
	readonly #observer = new ResizeObserver(() => this.#fit());
	#frame: HTMLIFrameElement | undefined;

	constructor(notify: (text: string) => void) {
		const onClick = (id: string, save: (result: LogResult) => void) =>
			byId(id).addEventListener("click", () => {
				if (this.#result) save(this.#result);
			});
		onClick("log-save-html", ({ html }) =>
			saveAs("robotrie-audit.html", "text/html", html),
		);
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
			const csv = await load.csv().catch(() => undefined);
			if (csv) saveAs("robotrie-audit.csv", "text/csv", csv.csvReport(report));
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
		// Of the frame before, which is taken out of the page below.
		this.#observer.disconnect();
		this.#frame = undefined;
		this.isHeld = false;
		if (!result) {
			this.#place.replaceChildren();
			return;
		}
		const frame = make("iframe", { title: "Report", srcdoc: result.html });
		frame.addEventListener("load", () => {
			const root = frame.contentDocument?.documentElement;
			if (!root) return;
			this.#frame = frame;
			this.#observer.observe(root);
		});
		this.#place.replaceChildren(frame);
	}

	/**
	 * Shows the report as its style sheet has it on paper, which is shorter: a frame as high as on the screen left six of nine pages empty.
	 * Browsers tell no page how high it is on paper, so the rules for paper hold for all media meanwhile, in a frame as wide as paper.
	 */
	#print(isPrinted: boolean): void {
		const frame = this.#frame;
		for (const { cssRules } of frame?.contentDocument?.styleSheets ?? [])
			for (const rule of cssRules) {
				const { media } = rule as Partial<CSSMediaRule>;
				if (media?.mediaText === (isPrinted ? "print" : PRINTED))
					media.mediaText = isPrinted ? PRINTED : "print";
			}
		frame?.classList.toggle("printed", isPrinted);
		this.#fit();
	}

	/** The frame is as high as what it shows: only the page scrolls. */
	#fit(): void {
		const root = this.#frame?.contentDocument?.documentElement;
		const height = Math.ceil(root?.getBoundingClientRect().height ?? 0);
		// Of a pane that is hidden it is 0: the old height stays, and showing the pane is a resize that comes here again.
		if (this.#frame && height > 0) this.#frame.height = String(height);
	}
}
