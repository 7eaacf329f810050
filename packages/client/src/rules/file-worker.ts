/**
 * The program of the thread that works on huge files (file-thread.ts): reads a file, keeps it, and answers questions about it as the public
 * functions do. What could be a list of a million objects goes back as bytes of lines.
 */
import { parentPort } from "node:worker_threads";
import {
	type Agent,
	RobotrieError,
	RobotsIndex,
	RobotsTxt,
	Verdict,
} from "robotrie";
import { limitsOf } from "../common/pace.ts";
import type { Answers, Message, Question, Reply } from "./file-thread.ts";

const encoder = new TextEncoder();
/**
 * Agents of a group that an explanation names. A million short texts take the collector 25 ms in one turn of whoever asked; a file that
 * needs no thread has at most 40,000.
 */
const MOST_AGENTS = 50_000;
let robots: RobotsTxt | undefined;
let index: RobotsIndex | undefined;

parentPort?.on("message", ({ subject, agent, question }: Message) => {
	if (subject) take(subject, agent);
	const reply = replyTo(agent, question);
	parentPort?.postMessage(reply, "answer" in reply ? buffersOf(reply) : []);
});

/** A file or a program, in place of the last one. */
function take(subject: NonNullable<Message["subject"]>, agent: Agent): void {
	robots?.[Symbol.dispose]();
	index?.[Symbol.dispose]();
	robots = index = undefined;
	const { dialect } = subject;
	if ("program" in subject) {
		index = new RobotsIndex({ agent, dialect });
		index.setProgram(subject.origin, subject.program);
		return;
	}
	const { bytes, maxBytes, url } = subject;
	robots = RobotsTxt.parse(bytes, {
		dialect,
		...(maxBytes === undefined ? {} : { maxBytes }),
		...(url === "" ? {} : { url }),
	});
}

function replyTo(agent: Agent, question: Question): Reply {
	try {
		const answer =
			question.call === "judge"
				? (index as RobotsIndex).matchMany(question.urls)
				: answerTo(robots as RobotsTxt, agent, question);
		return { answer };
	} catch (error) {
		// Anything else ends the thread, and is thrown again where the file is worked on then.
		if (!(error instanceof RobotrieError)) throw error;
		return { failure: { code: error.code, message: error.message } };
	}
}

function answerTo(
	file: RobotsTxt,
	agent: Agent,
	question: Exclude<Question, { readonly call: "judge" }>,
): Answers[keyof Answers] {
	switch (question.call) {
		case "compact":
			return file.compactFor(agent).slice();
		case "limits":
			return limitsOf({
				delay: file.crawlDelay(agent),
				rates: file.requestRates(agent),
				window: file.visitTime(agent),
			});
		case "sitemaps":
			return linesOf(file.sitemaps);
		case "verdicts":
			return verdictsOf(file, agent, question.urls);
		case "explain": {
			const { group, ...rest } = file.explain(question.url, agent);
			return {
				explanation: { ...rest, group: group && { ...group, agents: [] } },
				agents: linesOf((group?.agents ?? []).slice(0, MOST_AGENTS)),
			};
		}
	}
}

/** By the compact program, which has room for more rules than one that names them. */
function verdictsOf(
	file: RobotsTxt,
	agent: Agent,
	urls: readonly string[],
): Uint8Array {
	const url = urls.find((url) => URL.canParse(url));
	if (url !== undefined) {
		using rules = new RobotsIndex({ agent, dialect: file.dialect });
		rules.setProgram(new URL(url).origin, file.compactFor(agent));
		const verdicts = rules.matchMany(urls);
		if (!verdicts.includes(Verdict.Unknown)) return verdicts;
	}
	return file.for(agent).matchMany(urls);
}

/** Values of lines, which have no line feed in them. */
function linesOf(texts: readonly string[]): Uint8Array {
	return encoder.encode(texts.map((text) => `${text}\n`).join(""));
}

/** What is sent rather than copied. */
function buffersOf({ answer }: Reply & { readonly answer: unknown }) {
	const bytes =
		typeof answer === "object" && answer !== null && "agents" in answer
			? answer.agents
			: answer;
	return bytes instanceof Uint8Array ? [bytes.buffer as ArrayBuffer] : [];
}
