import fc from "fast-check";
import { RobotsTxt, Verdict } from "../../src/index.ts";
import { bytes } from "../latin1.ts";
import {
	agreedVerdicts,
	matcherVerdicts,
	originOf,
	type Question,
} from "./entry-points.ts";
import { naive } from "./naive.ts";
import { expectSame, target } from "./target.ts";
import { agents, dialect, robotsTxt, someUrls } from "./texts.ts";

export const questions: fc.Arbitrary<Question> = fc.record({
	robots: robotsTxt,
	agent: fc.constantFrom(...agents),
	dialect,
	urls: someUrls,
});

/** RobotsTxt and Matcher, against each other and the oracle. */
export const verdicts = target({
	name: "verdicts",
	inputs: questions,
	check: (question: Question) => {
		const { robots, agent, dialect, urls } = question;
		const found = matcherVerdicts(question);
		const says = naive(robots, agent, dialect);
		using file = RobotsTxt.parse(bytes(robots), { dialect });
		urls.forEach((url, i) => {
			if (originOf(url) === null && !url.startsWith("/")) return;
			const { allowed, line } = says(url);
			expectSame(url, found[i], allowed ? Verdict.Allowed : Verdict.Disallowed);
			// For Google's library an empty rule matches, with a length of 0.
			if (line > 0 || dialect !== "google")
				expectSame(url, file.explain(url, agent).rule?.line ?? 0, line);
		});
	},
});

/** All entry points of the library against each other. */
export const entryPoints = target({
	name: "entry-points",
	few: 20,
	inputs: questions,
	check: async (question: Question) => {
		await agreedVerdicts(question);
	},
});
