/**
 * The program of the thread that works on huge files (file-thread.ts): reads a file, keeps it, and answers questions about it as the public
 * functions do. What could be a list of a million objects goes back as bytes of lines.
 */
import { parentPort } from "node:worker_threads";
import { type Agent, RobotrieError, RobotsTxt } from "robotrie";
import type { Answers, Message, Question, Reply } from "./file-thread.ts";
import { limitsOf } from "./pace.ts";

const encoder = new TextEncoder();
let robots: RobotsTxt | undefined;

parentPort?.on("message", ({ file, agent, question }: Message) => {
	if (file) {
		const { bytes, dialect, maxBytes, url } = file;
		const options = {
			...(maxBytes === undefined ? {} : { maxBytes }),
			...(url === "" ? {} : { url }),
		};
		robots?.[Symbol.dispose]();
		robots = RobotsTxt.parse(bytes, { dialect, ...options });
	}
	const reply = replyTo(robots as RobotsTxt, agent, question);
	parentPort?.postMessage(reply, "answer" in reply ? buffersOf(reply) : []);
});

function replyTo(file: RobotsTxt, agent: Agent, question: Question): Reply {
	try {
		return { answer: answerTo(file, agent, question) };
	} catch (error) {
		// Anything else ends the thread, and is thrown again where the file is worked on then.
		if (!(error instanceof RobotrieError)) throw error;
		return { failure: { code: error.code, message: error.message } };
	}
}

function answerTo(
	file: RobotsTxt,
	agent: Agent,
	question: Question,
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
			return file.for(agent).matchMany(question.urls);
		case "explain": {
			const { group, ...rest } = file.explain(question.url, agent);
			return {
				explanation: { ...rest, group: group && { ...group, agents: [] } },
				agents: linesOf(group?.agents ?? []),
			};
		}
	}
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
