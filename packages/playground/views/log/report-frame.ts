/**
 * What runs in the frame of an audit's report besides the report's own script. The frame is sandboxed: it has an origin of its own, so the page
 * cannot look into it, nor the report into the page, and how high it is comes as messages. log-report.ts puts the script in front of the
 * report and reads them; its hash is in the page's policy (vite.config.ts).
 */

/** How high the report is, in pixels. */
export interface ReportHeights {
	readonly screen: number;
	/** On paper, if the frame is PAPER pixels wide. */
	readonly paper: number;
}

/** As wide as A4 and Letter have room for, in pixels; so is `iframe.printed` in style.css. */
const PAPER = 690;

/** The heights that a message has; undefined for any other. */
export function heightsIn(data: unknown): ReportHeights | undefined {
	const { screen, paper } = (data ?? {}) as Partial<ReportHeights>;
	const isHeight = (value: unknown) => Number.isInteger(value);
	return isHeight(screen) && isHeight(paper)
		? (data as ReportHeights)
		: undefined;
}

/**
 * Tells the page both heights whenever the report changes. Browsers tell no page how high it is on paper, and printing waits for no message:
 * so the height on paper is found before, with the report's rules for paper holding for the screen and those for narrow screens for none.
 * Of a pane that is hidden the height is 0: the old one stays, and showing the pane is a change.
 */
export const FRAME_SCRIPT = `addEventListener("DOMContentLoaded", () => {
	const root = document.documentElement;
	const height = () => Math.ceil(root.getBoundingClientRect().height);
	new ResizeObserver(() => {
		const screen = height();
		if (screen === 0) return;
		const lists = [...document.styleSheets]
			.flatMap(({ cssRules }) => [...cssRules])
			.flatMap(({ media }) => media ?? []);
		const before = lists.map(({ mediaText }) => mediaText);
		for (const list of lists)
			if (list.mediaText === "print") list.mediaText = "all";
			else if (list.mediaText.includes("max-width")) list.mediaText = "not all";
		root.style.width = "${PAPER}px";
		const paper = height();
		root.style.width = "";
		lists.forEach((list, at) => { list.mediaText = before[at]; });
		parent.postMessage({ screen, paper }, "*");
	}).observe(root);
});`;
