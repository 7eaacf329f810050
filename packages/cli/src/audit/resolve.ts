/**
 * `--resolve`: who asks DNS, and the answers that are kept on disk from one audit to the next. plan.ts opens it. Only definite answers are kept,
 * and of anonymous audits only those about operators' own addresses.
 */

import { Resolver } from "node:dns/promises";
import { mkdir, readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { ReverseDns } from "@robotrie/audit/internal";
import { Failure, failureOf, tell } from "../output/output.ts";
import { writeOutput } from "../output/output-file.ts";
import type { AuditCommandOptions } from "./options.ts";

/** The cache file, as JSON; a version that is not known is not read, and a newer one not replaced. */
const FORMAT = "robotrie-resolve";
const VERSION = 1;

/** Milliseconds that answers are kept. Operators move to new addresses within months; a name may be missing for a day. */
const KEPT = { verified: 7 * 86_400_000, claimed: 86_400_000 } as const;

/** Addresses in the cache, so that it is read at once: 100,000 of them are 8 MB. */
const MOST_KEPT = 100_000;

interface Entry {
	readonly answer: keyof typeof KEPT;
	/** When DNS said so: milliseconds since 1970. */
	readonly time: number;
}

/** @throws {Failure} For options that need --resolve, or contradict it. */
export function checkResolve({
	resolve,
	resolveCache,
	resolveServer,
	workers = 1,
	listHeaders,
}: AuditCommandOptions): void {
	const alone =
		resolveCache !== undefined ? "cache" : resolveServer && "server";
	if (!resolve && alone)
		throw new Failure(`--resolve-${alone} needs --resolve`);
	if (!resolve) return;
	if (workers > 1)
		throw new Failure(
			"--resolve reads logs in one thread: it cannot be used with --workers",
		);
	if (listHeaders)
		throw new Failure("--list-headers cannot be used with --resolve");
}

/** Where answers are kept unless --resolve-cache says so. */
function defaultCache(): string {
	const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
	const folder =
		process.platform === "win32" && LOCALAPPDATA
			? LOCALAPPDATA
			: XDG_CACHE_HOME || join(homedir(), ".cache");
	return join(folder, "robotrie", "resolve.json");
}

/** Asks DNS for an audit, and keeps what it says. */
export class CachedDns {
	readonly dns: ReverseDns;
	readonly #resolver: Resolver;
	readonly #file: string;
	readonly #isAnonymous: boolean;
	/** Entries of the file, those that have expired left out. */
	readonly #kept = new Map<string, Entry>();
	#isWritable = true;

	private constructor(
		options: AuditCommandOptions,
		patience = ReverseDns.limits.total,
	) {
		const { resolveCache, resolveServer, anonymize, anonymizeKey } = options;
		// Half of what a lookup has, as a packet may be lost.
		const timeout = ReverseDns.limits.timeout / 2;
		this.#resolver = new Resolver({ timeout, tries: 2 });
		if (resolveServer) this.#resolver.setServers(resolveServer.map(serverOf));
		this.dns = new ReverseDns(this.#resolver, { total: patience });
		this.#file = resolveCache ?? defaultCache();
		this.#isAnonymous = Boolean(anonymize) || anonymizeKey !== undefined;
	}

	/**
	 * @param patience Milliseconds that all questions together have.
	 * @throws {Failure} For a cache that cannot be read, or is another file.
	 */
	static async open(
		options: AuditCommandOptions,
		patience?: number,
	): Promise<CachedDns> {
		const cached = new CachedDns(options, patience);
		await cached.#read();
		return cached;
	}

	/** The file in which answers are kept. */
	get file(): string {
		return this.#file;
	}

	async #read(): Promise<void> {
		let text: string;
		try {
			text = await readFile(this.#file, "utf8");
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
			throw failureOf(`read ${this.#file}`, error);
		}
		const { format, version, entries } = contentOf(text);
		// A file that is something else was named by mistake, and must not be replaced.
		if (format !== FORMAT && text !== "")
			throw new Failure(`${this.#file} is not a cache of --resolve`);
		if (version !== VERSION) {
			this.#isWritable = !(Number(version) > VERSION);
			if (!this.#isWritable)
				tell(
					`warning: ${this.#file} is of a newer robotrie: it is neither read nor written`,
				);
			return;
		}
		const now = Date.now();
		for (const [key, entry] of Object.entries(entries ?? {})) {
			if (!isEntry(entry) || entry.time > now) continue;
			if (now - entry.time >= KEPT[entry.answer]) continue;
			this.#kept.set(key, entry);
			this.dns.resolved.recall(key, entry.answer);
		}
	}

	/** Asks no more: ten thousand addresses of a server that is silent would take half an hour. */
	stop(): void {
		this.dns.stop();
		this.#resolver.cancel();
	}

	/** Keeps the answers, and says which addresses got none. The resolver is not used any more. */
	async end(): Promise<void> {
		this.#resolver.cancel();
		const { unanswered, leftOut, answers } = this.dns.resolved;
		if (unanswered > 0)
			tell(
				`warning: DNS gave no answer about ${unanswered === 1 ? "an address" : `${unanswered.toLocaleString("en-US")} addresses`}: these requests are "unknown"`,
			);
		if (leftOut)
			tell(
				`warning: only ${ReverseDns.limits.addresses.toLocaleString("en-US")} addresses are looked up: requests of others are "unknown"`,
			);
		if (this.#isWritable) await this.#write(answers);
	}

	async #write(answers: ReverseDns["resolved"]["answers"]): Promise<void> {
		const time = Date.now();
		let isNew = false;
		for (const [key, answer] of answers) {
			if (answer === "unknown" || this.#kept.has(key)) continue;
			// Addresses that are not the operator's may be a person's.
			if (this.#isAnonymous && answer !== "verified") continue;
			this.#kept.set(key, { answer, time });
			isNew = true;
		}
		if (!isNew) return;
		// The newest stand last.
		const entries = Object.fromEntries([...this.#kept].slice(-MOST_KEPT));
		const content = { format: FORMAT, version: VERSION, entries };
		try {
			await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 });
			await writeOutput(this.#file, [
				Buffer.from(`${JSON.stringify(content)}\n`),
			]);
		} catch (error) {
			// The report is made: a read-only home folder must not cost it.
			const { message } = error as Error;
			tell(`warning: answers of DNS are not kept: ${message}`);
		}
	}
}

/** What a cache holds, as far as it is one. */
function contentOf(text: string): {
	readonly format?: unknown;
	readonly version?: unknown;
	readonly entries?: Readonly<Record<string, unknown>>;
} {
	try {
		const value: unknown = JSON.parse(text);
		return typeof value === "object" && value !== null ? value : {};
	} catch {
		return {};
	}
}

function isEntry(value: unknown): value is Entry {
	const { answer, time } = (value ?? {}) as Partial<Entry>;
	return (
		typeof time === "number" && (answer === "verified" || answer === "claimed")
	);
}

/** A server as `setServers` takes it. @throws {Failure} For anything but an address, with or without a port. */
function serverOf(text: string): string {
	const [, inner, own] = /^(?:\[(.*)\]|([^:]*)):\d{1,5}$/.exec(text) ?? [];
	if (isIP(text) > 0 || isIP(inner ?? own ?? "") > 0) return text;
	throw new Failure(
		`--resolve-server needs an address such as 192.0.2.53 or [2001:db8::53]:5353, not "${text}"`,
	);
}
