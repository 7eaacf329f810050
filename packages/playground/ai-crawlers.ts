/**
 * What crawlers of AI may do with a page: fetch it, train with it, use it in answers. The worker loads it for the view; Content-Signal and
 * Content-Usage say what robots.txt's rules do not.
 */
import { crawlers } from "robotrie";
import type { Judge } from "./judge.ts";
import type { AiCrawler, AiKind, Said, Setting } from "./messages.ts";

const kinds: readonly AiKind[] = ["ai-training", "ai-search", "ai-assistant"];

/** Categories of Content-Signal and Content-Usage. */
const training = ["ai-train", "train-ai"];
const answering = ["ai-input", "ai-use"];

/** The crawlers of AI that the table knows, by kind. */
export function aiCrawlers(
	judge: Judge,
	setting: Setting,
	path: string,
): readonly AiCrawler[] {
	using files = judge.robotsOfAll(setting);
	return kinds.flatMap((kind) =>
		crawlers
			.filter((crawler) => crawler.kind === kind)
			.map(({ name, operator, obeysRobotsTxt }): AiCrawler => {
				const robots = files.of(name);
				const { dialect } = robots;
				// explain() throws for what is no URL; the pane shows its sentence.
				const { allowed, rule } = robots.explain(path, name);
				const { contentSignal, contentUsage } = robots.preferences(path, name);
				const said = { ...contentSignal, ...contentUsage };
				const about = (categories: readonly string[]): Said | null => {
					const found = categories.flatMap((one) => said[one] ?? []);
					// Of statements that contradict each other, the one for less use counts.
					return found.find((one) => !one.allowed) ?? found[0] ?? null;
				};
				return {
					...{ name, operator, kind, obeysRobotsTxt, dialect, allowed },
					line: rule?.line ?? null,
					training: about(training),
					answering: about(answering),
				};
			}),
	);
}
