import type { LookupFunction } from "node:net";
import {
	Agent,
	buildConnector,
	type Dispatcher,
	fetch as undiciFetch,
} from "undici";
import { RobotrieError } from "../common/errors.ts";
import type { Transport } from "./exchange.ts";

export interface TransportOptions {
	/** Resolves host names, to addresses that may be connected to. */
	readonly lookup: LookupFunction;
	readonly allowPrivateNetwork: boolean;
}

/**
 * A `fetch` whose connections go to public addresses only, unless private ones are allowed, and whose bodies are as they
 * came, compressed: `content-encoding` says how. It is undici's own, as the built-in one takes connection options only from
 * an undici of its own version (Node 26 refuses that of Node 24).
 * @throws {RobotrieError} invalid-argument, where the runtime does not let connections be checked.
 */
export function guardedFetch(options: TransportOptions): Transport {
	const { lookup, allowPrivateNetwork } = options;
	const isBun = process.versions.bun !== undefined;
	if (!allowPrivateNetwork && isBun)
		throw new RobotrieError(
			"invalid-argument",
			"Bun's fetch does not let addresses be checked at connection: set allowPrivateNetwork to true, or pass a fetch that checks them",
		);
	const connect = buildConnector({ lookup });
	// A connection serves one exchange: without pipelining it ends with the response, and the agent forgets the origin.
	const dispatcher = new UndecodedAgent({ connect, pipelining: 0 });
	return async (url, init) => {
		// Bun has a fetch of its own in undici's place, and an option for this.
		const raw = isBun ? { decompress: false } : {};
		const response = (await undiciFetch(url, {
			...init,
			...raw,
			dispatcher,
		})) as unknown as Response;
		const headers = new Headers(response.headers);
		const coding = headers.get(HIDDEN_CODING);
		if (coding !== null) headers.set("content-encoding", coding);
		headers.delete(HIDDEN_CODING);
		return { status: response.status, headers, body: response.body };
	};
}

/** What Content-Encoding is called while fetch handles the response. */
const HIDDEN_CODING = "robotrie-content-encoding";

/** Hides Content-Encoding from fetch, whose decoders take a compressed body that breaks off for a complete one. */
class UndecodedAgent extends Agent {
	override dispatch(
		options: Agent.DispatchOptions,
		handler: Dispatcher.DispatchHandler,
	): boolean {
		// fetch keeps its state in the handler: every method has to see the same object.
		const undecoded = Object.create(handler) as typeof handler;
		undecoded.onHeaders = (status, fields, resume, text) => {
			const renamed = fields.map((field, i) =>
				i % 2 === 0 && /^content-encoding$/i.test(field.toString("latin1"))
					? Buffer.from(HIDDEN_CODING)
					: field,
			);
			return (
				handler.onHeaders?.call(undecoded, status, renamed, resume, text) ??
				true
			);
		};
		return super.dispatch(options, undecoded);
	}
}
