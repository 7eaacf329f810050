import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect } from "vitest";

const axe = readFileSync(
	createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
	"utf8",
);

/** A page or a frame, of Playwright or Puppeteer. */
interface Shown {
	evaluate(code: string): Promise<unknown>;
}

/**
 * What axe-core finds wrong with what is shown. Frames within it are left out. What is out of date is paler, until the answer that replaces
 * it is there: a finding counts only if nothing was meanwhile.
 */
export async function violations(shown: Shown): Promise<readonly string[]> {
	await shown.evaluate(axe);
	let found: unknown = null;
	await expect
		.poll(async () => {
			found = await shown.evaluate(`(async () => {
				const isStale = () => document.querySelector(".stale") !== null;
				if (isStale()) return null;
				let wasStale = false;
				const observer = new MutationObserver(() => {
					wasStale ||= isStale();
				});
				observer.observe(document, { attributeFilter: ["class"], subtree: true });
				const { violations } = await axe.run(document, { iframes: false });
				observer.disconnect();
				return wasStale ? null : violations.map(({ id, nodes }) =>
					[id, ...nodes.map(({ html }) => html)].join(" "));
			})()`);
			return found;
		})
		.not.toBe(null);
	return found as readonly string[];
}

/** How many pixels it is too wide. */
export async function overflowOf(shown: Shown): Promise<number> {
	return Number(
		await shown.evaluate("document.documentElement.scrollWidth - innerWidth"),
	);
}

/** Both. */
export async function faultsOf(shown: Shown): Promise<readonly string[]> {
	const overflow = await overflowOf(shown);
	return [
		...(await violations(shown)),
		...(overflow > 0 ? [`${overflow} px too wide`] : []),
	];
}
