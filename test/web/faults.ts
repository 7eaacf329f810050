import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Frame, Page } from "playwright-core";

const axe = readFileSync(
	createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
	"utf8",
);

/** What axe-core finds wrong with a page or a frame of it. */
export async function violations(shown: Page | Frame): Promise<string[]> {
	await shown.evaluate(axe);
	return shown.evaluate(async () => {
		const { axe } = window as unknown as {
			axe: {
				run(
					context: Document,
					options: { iframes: boolean },
				): Promise<{
					violations: { id: string; nodes: { html: string }[] }[];
				}>;
			};
		};
		const { violations } = await axe.run(document, { iframes: false });
		return violations.map(
			({ id, nodes }) => `${id} ${nodes.map(({ html }) => html).join(" ")}`,
		);
	});
}
