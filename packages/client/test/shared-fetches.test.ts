import { afterEach, describe, expect, test, vi } from "vitest";
import { MemoryStore, RequestLimit } from "../src/index.ts";
import type { RobotsStore } from "../src/stores/store.ts";
import { clientOf, clocks, file, type Handler, idle, serve } from "./site.ts";

/**
 * Clients with `shareFetches` over one store: one asks, the others wait. A client that was killed is one whose lease stays as it was: it is
 * written by hand.
 */

const PAUSE = 100;
const slowly: Handler = (request, response) => {
	setTimeout(() => file(request, response), PAUSE);
};

afterEach(() => {
	vi.useRealTimers();
});

const clientsOf = (store: RobotsStore, number: number, options = {}) =>
	Array.from({ length: number }, () =>
		clientOf({ store, shareFetches: true, ...options }),
	);
const closeAll = (clients: readonly { close(): Promise<void> }[]) =>
	Promise.all(clients.map((client) => client.close()));

describe("shareFetches", () => {
	test.each([
		{ shareFetches: true, requests: 1 },
		{ shareFetches: false, requests: 3 },
	])("three clients, %o", async ({ shareFetches, requests }) => {
		await using site = await serve(slowly);
		// No lease lapses while the process is stopped.
		using _ = clocks();
		const store = new MemoryStore();
		const clients = clientsOf(store, 3, { shareFetches });
		const url = `${site.origin("a.test")}/private`;
		const allowed = await Promise.all(
			clients.map((client) => client.isAllowed(url)),
		);
		expect(allowed).toEqual([false, false, false]);
		expect(site.requests).toHaveLength(requests);
		await closeAll(clients);
		// Nothing but the answer is left.
		expect(store.size).toBe(1);
	});

	test.each([
		["is killed: another one asks", 0],
		["lives: its answer is waited for, then nobody asks", 4],
	])("the one that asks %s", async (_, alive) => {
		await using site = await serve(file);
		using time = clocks();
		const store = new MemoryStore();
		const [client] = clientsOf(store, 1);
		const origin = site.origin("a.test");
		const lease = `lease ${origin}`;
		await store.set(lease, Uint8Array.of(1));
		const { get } = store;
		let looks = 0;
		// By this clock half a second passes with each look at the lease.
		store.get = async (key) => {
			if (key !== lease) return get.call(store, key);
			time.pass(500);
			const signs = ++looks / 4;
			// As the holder of a lease does, until it has answered.
			if (signs < alive && Number.isInteger(signs))
				await store.set(lease, Uint8Array.of(signs));
			if (signs === alive) {
				const other = clientOf({ store });
				await other.access(origin);
				await other.close();
			}
			return get.call(store, key);
		};
		expect(await client?.isAllowed(`${origin}/private`)).toBe(false);
		// Neither before the lease has lapsed nor, with a holder that lives, at all.
		expect(looks).toBeGreaterThan(7);
		expect(client?.stats().requests).toBe(alive === 0 ? 1 : 0);
		expect(site.requests).toHaveLength(1);
		await client?.close();
	});

	test("a caller that leaves lets another client ask", async () => {
		let asked = 0;
		await using site = await serve((request, response) => {
			// The first request is never answered.
			if (++asked > 1) file(request, response);
		});
		const [first, second] = clientsOf(new MemoryStore(), 2);
		const url = `${site.origin("a.test")}/`;
		const controller = new AbortController();
		const left = first?.isAllowed(url, { signal: controller.signal });
		await vi.waitFor(() => expect(asked).toBe(1), { timeout: 15_000 });
		const answer = second?.isAllowed(url);
		controller.abort(new Error("left"));
		await expect(left).rejects.toThrow("left");
		expect(await answer).toBe(true);
		expect(asked).toBe(2);
		await closeAll([first, second].filter((one) => one !== undefined));
	});

	test("without the store each client asks for itself", async () => {
		await using site = await serve(file);
		const store = new MemoryStore();
		const fail = () => Promise.reject(new Error("gone"));
		Object.assign(store, { get: fail, set: fail, replace: fail });
		const clients = clientsOf(store, 2);
		for (const client of clients)
			expect(await client.isAllowed(`${site.origin("a.test")}/`)).toBe(true);
		expect(site.requests).toHaveLength(2);
		await closeAll(clients);
	});

	test.each<readonly [string, Partial<RobotsStore>]>([
		["replaces nothing", { replace: async () => false }],
		["shows no lease", { get: async () => undefined }],
		["shows another lease", { get: async () => Uint8Array.of(1) }],
	])("nor does it wait for a store that %s", async (_, broken) => {
		await using site = await serve(file);
		using time = clocks();
		const store = new MemoryStore();
		await store.set(`lease ${site.origin("a.test")}`, Uint8Array.of(2));
		Object.assign(store, broken);
		const { get } = store;
		store.get = (key) => {
			time.pass(500);
			return get.call(store, key);
		};
		const client = clientOf({ store, shareFetches: true });
		expect(await client.isAllowed(`${site.origin("a.test")}/`)).toBe(true);
		expect(client.stats()).toMatchObject({ requests: 1, storeErrors: 1 });
		await client.close();
	});

	test("an answer that expires soon is refreshed by one of them", async () => {
		await using site = await serve((request, response) => {
			response.setHeader("Cache-Control", "max-age=600");
			slowly(request, response);
		});
		using time = clocks();
		const options = { now: time.wall.read };
		const clients = clientsOf(new MemoryStore(), 3, options);
		const url = `${site.origin("a.test")}/`;
		const askAll = () =>
			Promise.all(clients.map((client) => client.isAllowed(url)));
		await askAll();
		time.pass(595_000);
		await askAll();
		await vi.waitFor(() => expect(site.requests).toHaveLength(2), {
			timeout: 15_000,
		});
		for (const client of clients) await idle(client);
		expect(site.requests).toHaveLength(2);
		await closeAll(clients);
	});

	test.each<
		[what: string, isTakenOver: boolean, renewals: number, isSlow: boolean]
	>([
		["released", false, 0, false],
		["renewed and released", false, 2, false],
		["released while it is being renewed", false, 1, true],
		["taken over by another client", true, 0, false],
		["taken over, which its renewal finds", true, 1, false],
		["taken over, which two renewals find", true, 2, false],
	])(
		"a lease that is %s: nobody loses one",
		async (_, isTakenOver, renewals, isSlow) => {
			vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
			using _clocks = clocks();
			const store = new MemoryStore();
			const { replace } = store;
			// The store has done what it was told to, and does not say so yet.
			let isHeld = false;
			const told: (() => void)[] = [];
			store.replace = async (...entry) => {
				const isReplaced = await replace.apply(store, entry);
				if (isHeld) await new Promise<void>((resolve) => told.push(resolve));
				return isReplaced;
			};
			const others = Uint8Array.of(9);
			await using site = await serve(async (request, response) => {
				const lease = `lease http://${request.headers.host}`;
				expect(await store.get(lease)).toBeDefined();
				if (isTakenOver) await store.set(lease, others);
				isHeld = isSlow;
				for (let i = 0; i < renewals; i++)
					await vi.advanceTimersByTimeAsync(1000);
				file(request, response);
			});
			const [client] = clientsOf(store, 1);
			const origin = site.origin("a.test");
			expect(await client?.isAllowed(`${origin}/private`)).toBe(false);
			isHeld = false;
			for (const tell of told) tell();
			await client?.close();
			const left = await store.get(`lease ${origin}`);
			expect(left && [...left]).toEqual(isTakenOver ? [...others] : undefined);
		},
	);

	test("needs a store that can compare and replace", () => {
		const { get, set, delete: remove, close } = new MemoryStore();
		const store = { get, set, delete: remove, close };
		expect(() => clientOf({ store, shareFetches: true })).toThrow(
			"shareFetches needs a store with the method replace",
		);
	});
});

test("a RequestLimit holds for all its clients together", async () => {
	let active = 0;
	let most = 0;
	const held: (() => void)[] = [];
	await using site = await serve((request, response) => {
		most = Math.max(most, ++active);
		held.push(() => {
			active--;
			file(request, response);
		});
		// Of twelve, two by two; a third would come meanwhile.
		if (held.length === 2)
			setTimeout(() => {
				for (const answer of held.splice(0)) answer();
			}, 20);
	});
	const concurrency = new RequestLimit(2);
	const clients = [clientOf({ concurrency }), clientOf({ concurrency })];
	await Promise.all(
		clients.map((client, i) =>
			client.prefetch(
				Array.from({ length: 6 }, (_, j) => site.origin(`h${i}-${j}.test`)),
			),
		),
	);
	expect(most).toBe(2);
	expect(() => new RequestLimit(0)).toThrow(
		"concurrency is a number from 1 on",
	);
	await closeAll(clients);
});

test("nextVisit keeps the pace to visits of others", async () => {
	await using site = await serve((_, response) =>
		response.end("User-agent: *\nCrawl-delay: 5\n"),
	);
	using time = clocks();
	const now = time.wall.read;
	const client = clientOf({ now });
	const origin = site.origin("a.test");
	const after = now() + 1000;
	const next = await client.nextVisit(origin, { after, reserve: false });
	expect(next - after).toBe(5000);
	// A visit of long ago changes nothing.
	const early = await client.nextVisit(origin, { after: 0, reserve: false });
	expect(early).toBe(now());
	await client.close();
});
