/**
 * The worker that answers the page's questions; several Askers run one each (main.ts). It holds the robots.txt and the URLs that it was sent
 * last. What must hold: they are set before the first await of an answer, and an Asker sends no question before the last one is answered.
 * What few readers ask for is imported by the first such question, so that the first verdict loads only the judge.
 */
import { crawlers, type Dialect, dialectNames } from "robotrie";
import { otherFile } from "robotrie/internal";
import { fix, lint } from "robotrie/lint";
import { textOrBytes } from "../files/files.ts";
import type { Answer, Answers, Kind, Question } from "../page/messages.ts";
import { encodeState } from "../page/permalink.ts";
import { withoutOthers } from "../page/url-text.ts";
import { Judge } from "./judge.ts";
import { sourceBytes } from "./source-bytes.ts";

const judge = new Judge();
/** Findings are about a file that all crawlers read: where none is chosen by hand, the dialect of most. */
const lintedIn = (choice: Dialect | "auto") =>
	choice === "auto" ? dialectNames[0] : choice;
const NO_FILES = { before: "", after: "", byUrls: false };
let robots: string | Uint8Array = "";
let urls = "";
let only: string | undefined;

/** @throws {Error} when the file is no robots.txt: every verdict would be "allowed". */
function checkRobots(): void {
	const bytes = sourceBytes(robots);
	const found = otherFile(bytes);
	// A warning says that it is read all the same.
	if (found && found.severity !== "warning") throw new Error(found.message);
}

const answers: {
	[K in Kind]: (question: Question) => Answers[K] | Promise<Answers[K]>;
} = {
	judge: (question) => judge.judge(question),
	explain: ({ url = "", ...setting }) => judge.explain(url, setting),
	lint: ({ dialect }) => lint(robots, { dialect: lintedIn(dialect) }),
	ask: ({ url = "", ...setting }) => {
		checkRobots();
		return judge.explain(url, setting);
	},
	ai: async ({ url = "", ...setting }) => {
		checkRobots();
		const { aiCrawlers } = await import("./ai-crawlers.ts");
		return aiCrawlers(judge, setting, url);
	},
	fix: async ({ dialect, edit }) => {
		if (!edit) {
			const { bytes, fixed, refused } = fix(robots, {
				dialect: lintedIn(dialect),
			});
			return {
				...{ robots: textOrBytes(bytes), fixed: fixed.length },
				...{ refused, question: undefined },
			};
		}
		// The page may have sent an edit of an older text: made there, it would cut another line.
		const current = lint(robots, { dialect: lintedIn(dialect) }).find(
			({ edit: found }) =>
				found?.start === edit.start &&
				found.end === edit.end &&
				found.text === edit.text,
		)?.edit;
		const unchanged = { refused: undefined, question: undefined };
		if (!current) return { robots, fixed: 0, ...unchanged };
		// An edit's offsets are of bytes, and are spliced there: as text, a file that is not UTF-8 would change elsewhere, too.
		const bytes = sourceBytes(robots);
		const text = new TextEncoder().encode(edit.text);
		const fixed = new Uint8Array(
			bytes.length - (edit.end - edit.start) + text.length,
		);
		fixed.set(bytes.subarray(0, edit.start));
		fixed.set(text, edit.start);
		fixed.set(bytes.subarray(edit.end), edit.start + text.length);
		const after = { robots: textOrBytes(fixed), fixed: 1, ...unchanged };
		if (current.safe) return after;
		const { questionOf } = await import("./edit-question.ts");
		return { ...after, question: questionOf(current, bytes, fixed) };
	},
	read: async ({ file }) => {
		const { foreignOf, wholeFile } = await import("./read-file.ts");
		const bytes = file ? await wholeFile(file) : new Uint8Array(0);
		return { bytes, foreign: foreignOf(bytes) };
	},
	foreign: async ({ bytes = new Uint8Array(0) }) => {
		const { foreignOf } = await import("./read-file.ts");
		return foreignOf(bytes);
	},
	listing: async (setting) => {
		const { listingOf } = await import("./listing.ts");
		using matcher = judge.matcher(setting);
		return listingOf(matcher);
	},
	trace: async ({ url = "", ...setting }) => {
		// The traced module is loaded for those who step through byte-code.
		const { traceOf } = await import("./trace.ts");
		using matcher = judge.matcher(setting);
		return traceOf(matcher.program, url);
	},
	compare: async ({ files, ...setting }) => {
		// For those who compare.
		const { comparisonOf } = await import("./compare.ts");
		return comparisonOf(files ?? NO_FILES, urls, setting);
	},
	crawlers: () => crawlers,
	list: async ({ agent, dialect, list }) => {
		const { verdictList } = await import("./verdict-list.ts");
		return verdictList(judge, { agent, dialect }, list);
	},
	who: async ({ dialect, url }) => {
		const { crawlerVerdicts } = await import("./crawler-verdicts.ts");
		return crawlerVerdicts(judge, { dialect }, url);
	},
	link: ({
		agent,
		dialect,
		link = { pane: "", log: {}, compare: undefined, ask: "", ai: "" },
	}) => encodeState({ ...link, agent, dialect, robots, urls }),
};

async function answer(question: Question): Promise<Answer> {
	const { id, kind } = question;
	try {
		if (question.robots !== undefined) {
			robots = question.robots;
			judge.setRobots(robots);
		}
		if (question.urls !== undefined || question.only !== only) {
			urls = question.urls ?? urls;
			only = question.only;
			judge.setUrls(only === undefined ? urls : withoutOthers(urls, only));
		}
		return { id, result: await answers[kind](question) };
	} catch (error) {
		return {
			id,
			error: error instanceof Error ? error.message : String(error),
		};
	}
}

addEventListener("message", async ({ data }: MessageEvent<Question>) => {
	postMessage(await answer(data));
});
