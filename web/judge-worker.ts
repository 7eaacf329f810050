import { crawlers } from "../src/crawlers.ts";
import { lint } from "../src/lint.ts";
import { Judge } from "./judge.ts";
import type { Answer, Answers, Kind, Question } from "./messages.ts";

const judge = new Judge();
let robots: string | Uint8Array = "";

const answers: { [K in Kind]: (question: Question) => Answers[K] } = {
	judge: (question) => judge.judge(question),
	explain: ({ url = "", ...setting }) => judge.explain(url, setting),
	lint: ({ dialect }) => lint(robots, { dialect }),
	crawlers: () => crawlers,
};

function answer(question: Question): Answer {
	const { id, kind } = question;
	try {
		if (question.robots !== undefined) {
			robots = question.robots;
			judge.setRobots(robots);
		}
		if (question.urls !== undefined) judge.setUrls(question.urls);
		return { id, result: answers[kind](question) };
	} catch (error) {
		return {
			id,
			error: error instanceof Error ? error.message : String(error),
		};
	}
}

addEventListener("message", ({ data }: MessageEvent<Question>) => {
	postMessage(answer(data));
});
