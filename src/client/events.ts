import type { RobotsAccess } from "../access/access.ts";
import type { HttpOutcome } from "../access/outcome.ts";

/** What a client tells while it works, by event. */
export interface RobotsClientEvents {
	/** A robots.txt is asked for. */
	request: [
		{
			readonly origin: string;
			readonly url: string;
			/** Nobody waits: what is known still holds, but will expire soon. */
			readonly background: boolean;
		},
	];
	/** The outcome is there. */
	answer: [
		{
			readonly origin: string;
			readonly outcome: HttpOutcome;
			readonly access: RobotsAccess;
			/** Time from request to answer. */
			readonly milliseconds: number;
		},
	];
	/** The store had an answer that still holds. */
	stored: [{ readonly origin: string; readonly access: RobotsAccess }];
	/** What the store had for an origin was damaged, and is asked for again. */
	corrupt: [{ readonly origin: string; readonly reason: string }];
	/** The store failed; the client goes on without it. */
	storeError: [
		{
			readonly origin: string;
			readonly operation: "get" | "set";
			readonly error: unknown;
		},
	];
}

/** Counted since the client was made. */
export interface RobotsClientStats {
	/** Origins whose rules are at hand, at present. */
	readonly origins: number;
	/** Requests under way at present, and those that wait for their turn. */
	readonly active: number;
	readonly queued: number;
	/** Exchanges that were begun, one per origin and time of asking. */
	readonly requests: number;
	/** Those of them that were begun before what was known had expired. */
	readonly refreshes: number;
	readonly redirects: number;
	/** 304 answers. */
	readonly notModified: number;
	/** Exchanges that led to no complete response. */
	readonly failures: number;
	/** Bytes of bodies, without content coding. */
	readonly bytes: number;
	/** What the store had that still held, what it did not have or had expired, what was damaged, and its failures. */
	readonly storeHits: number;
	readonly storeMisses: number;
	readonly corruptEntries: number;
	readonly storeErrors: number;
}
