import type { HttpOutcome, RobotsAccess } from "robotrie/access";

/** The events of a client and their arguments. */
export interface RobotsClientEvents {
	/** A robots.txt is requested. */
	request: [
		{
			readonly origin: string;
			readonly url: string;
			/** No caller waits: the known answer is valid, but expires soon. */
			readonly background: boolean;
		},
	];
	/** A request has ended. */
	answer: [
		{
			readonly origin: string;
			readonly outcome: HttpOutcome;
			readonly access: RobotsAccess;
			/** Time from request to answer. */
			readonly milliseconds: number;
		},
	];
	/** The store had a valid answer. */
	stored: [{ readonly origin: string; readonly access: RobotsAccess }];
	/** The store's entry for an origin was damaged; the file is requested again. */
	corrupt: [{ readonly origin: string; readonly reason: string }];
	/** The store failed; the client continues without it. */
	storeError: [
		{
			readonly origin: string;
			readonly operation: "get" | "set" | "delete";
			readonly error: unknown;
		},
	];
}

/** Counters since the client was created. */
export interface RobotsClientStats {
	/** Origins whose rules are in memory now. */
	readonly origins: number;
	/** Requests in progress now. */
	readonly active: number;
	/** Requests waiting for their turn. */
	readonly queued: number;
	/** Requests started, not counting redirects. */
	readonly requests: number;
	/** Requests that refreshed an answer before it expired. */
	readonly refreshes: number;
	/** Redirects followed. */
	readonly redirects: number;
	/** Responses with status 304. */
	readonly notModified: number;
	/** Requests without a complete response. */
	readonly failures: number;
	/** Bytes of decoded bodies. */
	readonly bytes: number;
	/** Valid entries in the store. */
	readonly storeHits: number;
	/** Entries that the store did not have, or that had expired. */
	readonly storeMisses: number;
	/** Damaged entries in the store. */
	readonly corruptEntries: number;
	/** Calls of the store that failed. */
	readonly storeErrors: number;
}
