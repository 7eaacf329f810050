/**
 * The page's side of a worker that runs judge-worker.ts: one question is under way at a time, and robots.txt and URLs go along only when
 * they have changed. main.ts makes an Asker for verdicts, one for lint and links, and more for panes that ask at the same time. What must
 * hold: the subject's `robots` and `urls` are new objects at each change (they are compared by identity, as their texts may have megabytes),
 * and the worker keeps what it was sent last.
 */
import type {
	Answer,
	Answers,
	Kind,
	Particulars,
	Question,
	Setting,
} from "./messages.ts";

/** What is asked about; a new object for each change of robots.txt or URLs. */
export interface Subject extends Setting {
	readonly robots: { readonly source: () => string | Uint8Array };
	readonly urls: { readonly text: () => string };
	/** See Question. */
	readonly only?: string | undefined;
}

/**
 * Questions for which the worker must have the URLs. Others come at every letter typed in robots.txt, and need not wait for a long list to
 * be copied.
 */
const kinds: ReadonlySet<Kind> = new Set([
	"compare",
	"judge",
	"link",
	"list",
	"who",
]);

/** Questions about a file of their own: a newer one is about another file, so each is answered. */
const ownKinds: ReadonlySet<Kind> = new Set(["foreign", "read"]);

interface Waiting {
	readonly kind: Kind;
	readonly particulars: Particulars;
	readonly resolve: (result: Answers[Kind] | undefined) => void;
	readonly reject: (error: Error) => void;
}

/** Safari has no requestIdleCallback. */
const whenIdle = (run: () => void) =>
	"requestIdleCallback" in window
		? requestIdleCallback(run, { timeout: 500 })
		: setTimeout(run, 100);

/**
 * Asks a worker. Of each kind of question one is under way and one waits, the newest: who types faster than the worker
 * answers is not answered about every letter. Of `ownKinds` all wait.
 */
export class Asker {
	#worker: Worker | undefined;
	readonly #subject: () => Subject;
	/** By their kinds, or by themselves where each is answered. */
	readonly #waiting = new Map<Kind | Particulars, Waiting>();
	#current: (Waiting & { readonly id: number }) | undefined;
	#lastId = 0;
	#knownRobots: Subject["robots"] | undefined;
	#knownUrls: Subject["urls"] | undefined;
	#settled: () => void = () => {};
	readonly #first = new Promise<void>((resolve) => {
		this.#settled = resolve;
	});

	/** `begin` starts the worker: at once, or when another one, of the same script, has answered first. */
	constructor(begin: () => Worker, subject: () => Subject, after?: Asker) {
		this.#subject = subject;
		const start = () => {
			this.#worker = begin();
			this.#worker.addEventListener(
				"message",
				({ data }: MessageEvent<Answer>) => this.#settle(data),
			);
			this.#worker.addEventListener("error", ({ message }) =>
				// The event names no question; there is only one that it can be about.
				this.#settle({ id: this.#lastId, error: message }),
			);
			this.#next();
		};
		// When the page has drawn that answer: on a phone with two cores a worker that starts takes one of them.
		if (after) void after.#first.then(() => whenIdle(start));
		else start();
	}

	/** The answer about the present subject; undefined when a newer question of the kind took the place of this one. */
	ask<K extends Kind>(
		kind: K,
		particulars: Particulars = {},
	): Promise<Answers[K] | undefined> {
		const key = ownKinds.has(kind) ? particulars : kind;
		this.#waiting.get(key)?.resolve(undefined);
		const answer = new Promise<Answers[Kind] | undefined>((resolve, reject) => {
			this.#waiting.set(key, { kind, particulars, resolve, reject });
		});
		this.#next();
		return answer as Promise<Answers[K] | undefined>;
	}

	#next(): void {
		// A Map keeps a key's place when its value is replaced: a kind that is asked about at every letter loses no turn, and takes none from
		// others.
		const [entry] = this.#waiting;
		if (!this.#worker || this.#current || !entry) return;
		const [key, waiting] = entry;
		const { kind } = waiting;
		// Before anything changes: if it throws, the question waits for the next call.
		const { agent, dialect, robots, urls, only } = this.#subject();
		this.#waiting.delete(key);
		const id = ++this.#lastId;
		this.#current = { ...waiting, id };
		const needsUrls = kinds.has(kind);
		const wantsUrls = needsUrls && urls !== this.#knownUrls;
		const question: Question = {
			id,
			kind,
			agent,
			dialect,
			only,
			...(robots === this.#knownRobots ? {} : { robots: robots.source() }),
			...(wantsUrls ? { urls: urls.text() } : {}),
			...waiting.particulars,
		};
		this.#knownRobots = robots;
		if (wantsUrls) this.#knownUrls = urls;
		this.#worker.postMessage(question);
	}

	#settle({ id, result, error }: Answer): void {
		const current = this.#current;
		// An error event may come after the answer, when nothing is under way.
		if (current?.id !== id) return;
		this.#current = undefined;
		this.#settled();
		if (error === undefined) current.resolve(result);
		else current.reject(new Error(error));
		this.#next();
	}
}
