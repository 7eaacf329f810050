import { describe, expect, test, vi } from "vitest";
import { clientOf, FILE, file, serve } from "./site.ts";

describe("Requests", () => {
	test("one per origin, however many wait", async () => {
		await using site = await serve((_, response) => {
			setTimeout(() => response.end(FILE), 30);
		});
		await using client = clientOf();
		const url = `${site.origin("a.test")}/private`;
		const answers = await Promise.all([
			...Array.from({ length: 50 }, () => client.isAllowed(url)),
			client.filter([url]).then(({ length }) => length > 0),
			client.access(url).then(({ access }) => access !== "rules"),
		]);
		expect(answers).toEqual(answers.map(() => false));
		expect(site.requests).toHaveLength(1);
	});

	test("one, for those who ask for it anew as well", async () => {
		await using site = await serve((_, response) => {
			setTimeout(() => response.end(FILE), 30);
		});
		await using client = clientOf();
		const url = site.origin("a.test");
		await Promise.all([
			client.fetch(url),
			client.isAllowed(url),
			client.fetch(`${url}/b`),
		]);
		expect(site.requests).toHaveLength(1);
	});

	test("so many at a time and not more", async () => {
		let active = 0;
		let most = 0;
		const held: (() => void)[] = [];
		await using site = await serve((_, response) => {
			most = Math.max(most, ++active);
			held.push(() => {
				active--;
				response.end(FILE);
			});
			// A fifth would come meanwhile.
			if (held.length === 4)
				setTimeout(() => {
					for (const answer of held.splice(0)) answer();
				}, 10);
		});
		await using client = clientOf({ concurrency: 4 });
		const urls = Array.from({ length: 40 }, (_, i) =>
			site.origin(`h${i}.test`),
		);
		await client.filter(urls);
		expect(most).toBe(4);
		expect(site.requests).toHaveLength(40);
	});
});

describe("An abort signal", () => {
	const hanging = async () => {
		let closed = () => {};
		const gone = new Promise<void>((resolve) => {
			closed = resolve;
		});
		let arrived = () => {};
		const asked = new Promise<void>((resolve) => {
			arrived = resolve;
		});
		const site = await serve((request, response) => {
			request.socket.on("close", closed);
			arrived();
			if (request.headers.host?.startsWith("quick")) response.end(FILE);
		});
		return { site, asked, gone };
	};

	test("ends the waiting, and the request that nobody else waits for", async () => {
		const { site, asked, gone } = await hanging();
		await using _ = site;
		// Longer than the test may take: only the abort can end the request.
		await using client = clientOf({ timeout: 600_000 });
		const controller = new AbortController();
		const { signal } = controller;
		const url = site.origin("slow.test");
		const calls = [
			client.isAllowed(url, { signal }),
			client.filter([url], { signal }),
			client.access(url, { signal }),
			client.matchLines(new TextEncoder().encode(url), { signal }),
		];
		await asked;
		const reason = new Error("enough");
		controller.abort(reason);
		for (const call of calls) await expect(call).rejects.toBe(reason);
		await gone;
		// The next one starts anew.
		const next = new AbortController();
		const again = client.isAllowed(url, { signal: next.signal });
		await vi.waitFor(() => expect(site.requests).toHaveLength(2), {
			timeout: 15_000,
		});
		next.abort(reason);
		await expect(again).rejects.toBe(reason);
		expect(client.stats().requests).toBe(2);
	});

	test("of one leaves the others waiting", async () => {
		let finish = () => {};
		let arrived = () => {};
		const asked = new Promise<void>((resolve) => {
			arrived = resolve;
		});
		await using site = await serve((_, response) => {
			finish = () => response.end(FILE);
			arrived();
		});
		await using client = clientOf();
		const controller = new AbortController();
		const url = `${site.origin("a.test")}/open`;
		const first = client.isAllowed(url, { signal: controller.signal });
		const second = client.isAllowed(url);
		await asked;
		controller.abort();
		await expect(first).rejects.toMatchObject({ name: "AbortError" });
		finish();
		expect(await second).toBe(true);
		expect(site.requests).toHaveLength(1);
	});

	test("that is already aborted asks nothing", async () => {
		await using site = await serve(file);
		await using client = clientOf();
		const signal = AbortSignal.abort();
		const url = site.origin("a.test");
		await expect(client.isAllowed(url, { signal })).rejects.toThrow();
		await expect(client.fetch(url, { signal })).rejects.toThrow();
		expect(site.requests).toEqual([]);
	});

	test("before its turn takes the request out of the queue", async () => {
		const { site, asked } = await hanging();
		await using _ = site;
		await using client = clientOf({ concurrency: 1 });
		const slow = client.isAllowed(site.origin("slow.test"));
		slow.catch(() => {});
		await asked;
		const controller = new AbortController();
		const queued = client.isAllowed(site.origin("b.test"), {
			signal: controller.signal,
		});
		controller.abort();
		await expect(queued).rejects.toMatchObject({ name: "AbortError" });
		await client.close();
		await expect(slow).rejects.toMatchObject({ code: "disposed" });
		expect(site.requests).toEqual(["slow.test/robots.txt"]);
	});
});
