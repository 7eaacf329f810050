/**
 * The thread that works on huge files: known.ts asks it. In the google dialect a site may send 16 MiB, and cutting them into lines or
 * sorting their rules are steps of some tenths of a second, which no event loop should wait for. Where such a file has many wildcards, its
 * rules stay out of the client's index, and the thread judges its URLs, too: one URL may take 50 ms (ApartRules). Up to 500 KiB steps
 * between turns are enough (turns.ts), and cost nobody a thread.
 *
 * One thread for the process, started when a first file needs it, ended when it has had nothing to do for a while: a file of 16 MiB takes
 * it a few hundred megabytes. It keeps the last file, as a crawler often asks several questions about one. Where there is no such thread,
 * or it dies, whoever asked works on the file himself.
 */
import { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import {
	type Agent,
	type Dialect,
	type Explanation,
	RobotrieError,
	RobotsIndex,
	type RobotsTxt,
} from "robotrie";
import { nextTurn } from "#robotrie/common/steps";
import type { Limits } from "../common/pace.ts";
import { copyInTurns } from "../common/turns.ts";

/** What a file is asked, for which crawler. Plain data. */
export type Question =
	| { readonly call: "compact" | "limits" | "sitemaps" }
	| { readonly call: "verdicts"; readonly urls: readonly string[] }
	| { readonly call: "judge"; readonly urls: readonly string[] }
	| { readonly call: "explain"; readonly url: string };

/** What comes back. Lists of any length are texts, each with a line feed after it: objects would be made in one go. */
export interface Answers {
	/** The compact program. */
	readonly compact: Uint8Array;
	readonly limits: Limits;
	readonly sitemaps: Uint8Array;
	/** By the file. */
	readonly verdicts: Uint8Array;
	/** By a program. */
	readonly judge: Uint8Array;
	readonly explain: {
		/** With no agents in its group. */
		readonly explanation: Explanation;
		readonly agents: Uint8Array;
	};
}

/** A file as the thread reads it. Plain data. */
export interface FileSource {
	readonly bytes: Uint8Array;
	readonly maxBytes: number | undefined;
	/** Where it was found; empty if that is not known. */
	readonly url: string;
}

/** An origin's compact program. Plain data. */
export interface ProgramSource {
	readonly origin: string;
	readonly program: Uint8Array;
}

/** What the thread is sent. Without a subject, the question is about the last one. */
export interface Message {
	readonly subject:
		| ((FileSource | ProgramSource) & { readonly dialect: Dialect })
		| undefined;
	readonly agent: Agent;
	readonly question: Question;
}

/** What it answers; what a caller did wrong, or a limit, is an answer, too. */
export type Reply =
	| { readonly answer: Answers[keyof Answers] }
	| { readonly failure: Pick<RobotrieError, "code" | "message"> };

/** Milliseconds without a question after which the thread is ended. */
const IDLE = 10_000;

/** The thread's worker, until it is ended or dies; null where none can be started. */
let worker: Worker | undefined | null;
/** The file or rules that it has. */
let last: WeakRef<RobotsTxt | ApartRules> | undefined;
let idle: NodeJS.Timeout | undefined;
/** One question at a time: files wait outside of the thread, where they are known already. */
const alone = pLimit(1);

/**
 * Asks the thread about a file; undefined where there is none, or it died. Only then has the caller to work on the file himself.
 * @throws {RobotrieError} What the question would throw here.
 */
export function askThread<Asked extends Question>(
	subject: RobotsTxt | ApartRules,
	source: FileSource | ProgramSource,
	agent: Agent,
	question: Asked,
): Promise<Answers[Asked["call"]] | undefined> {
	return alone(async () => {
		worker ??= worker === null ? null : start();
		const reply =
			worker && (await send(worker, subject, source, agent, question));
		if (!reply) return undefined;
		if ("answer" in reply) return reply.answer as Answers[Asked["call"]];
		throw new RobotrieError(reply.failure.code, reply.failure.message);
	});
}

/** A copy, whose memory is moved: what is sent of a view is all that it is a view of. */
async function copyOf(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
	if (bytes.length === 0) return new Uint8Array(0);
	// Starting the thread has used up the turn.
	await nextTurn();
	return copyInTurns([bytes], bytes.length);
}

async function send(
	asked: Worker,
	subject: RobotsTxt | ApartRules,
	source: FileSource | ProgramSource,
	agent: Agent,
	question: Question,
): Promise<Reply | undefined> {
	clearTimeout(idle);
	const isNew = last?.deref() !== subject;
	const copy = await copyOf(isNew ? bytesOf(source) : NO_BYTES);
	// It may have ended meanwhile.
	if (worker !== asked) return undefined;
	last = new WeakRef(subject);
	asked.ref();
	return new Promise((resolve) => {
		const settle = (reply?: Reply) => {
			asked.off("message", settle).off("exit", onExit).unref();
			idle = setTimeout(end, IDLE).unref();
			resolve(reply);
		};
		const onExit = () => settle();
		asked.on("message", settle).on("exit", onExit);
		const { dialect } = subject;
		const sent =
			"program" in source
				? { ...source, program: copy, dialect }
				: { ...source, bytes: copy, dialect };
		const message: Message = {
			subject: isNew ? sent : undefined,
			agent,
			question,
		};
		asked.postMessage(message, isNew ? [copy.buffer] : []);
	});
}

const NO_BYTES = new Uint8Array(0);

function bytesOf(source: FileSource | ProgramSource): Uint8Array {
	return "program" in source ? source.program : source.bytes;
}

function start(): Worker | null {
	let hasAnswered = false;
	let started: Worker;
	try {
		// Not in the call: webpack would make a chunk of it, whose code is no CommonJS where the rest is.
		const program = new URL("./file-worker.js", import.meta.url);
		started = new Worker(program, {
			// Flags of the process that say how its own script is read would keep the thread from starting.
			execArgv: [],
		});
	} catch {
		return null;
	}
	started.once("message", () => {
		hasAnswered = true;
	});
	// Why it ended does not matter: what it was asked is asked again here, where it may fail for the same reason.
	started.on("error", () => {});
	started.once("exit", () => {
		if (worker !== started) return;
		// It may have been the file: the next one gets another thread. One that never answered cannot run here.
		worker = hasAnswered ? undefined : null;
		last = undefined;
	});
	return started;
}

function end(): void {
	void worker?.terminate();
	worker = undefined;
	last = undefined;
}

/** Rules by which the thread judges an origin's URLs. Each URL may take long, so callers give few at a time. */
export class ApartRules {
	readonly #source: ProgramSource;
	readonly #agent: Agent;
	readonly dialect: Dialect;
	#here: RobotsIndex | undefined;

	constructor(
		origin: string,
		program: Uint8Array,
		agent: Agent,
		dialect: Dialect,
	) {
		this.#source = { origin, program };
		this.#agent = agent;
		this.dialect = dialect;
	}

	/** Bytes of the program. */
	get size(): number {
		return this.#source.program.length;
	}

	async verdicts(urls: readonly string[]): Promise<Uint8Array> {
		const question = { call: "judge", urls } as const;
		const found = await askThread(this, this.#source, this.#agent, question);
		if (found) return found;
		if (!this.#here) {
			const options = { agent: this.#agent, dialect: this.dialect };
			this.#here = new RobotsIndex(options);
			this.addTo(this.#here);
		}
		return this.#here.matchMany(urls);
	}

	/** Puts them into an index for the same crawler. */
	addTo(index: RobotsIndex): void {
		const { origin, program } = this.#source;
		index.setProgram(origin, program);
	}
}
