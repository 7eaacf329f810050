import { describe, expect, test, vi } from "vitest";
import {
	clientOf,
	clock,
	DAY,
	FILE,
	file,
	HOUR,
	idle,
	MINUTE,
	serve,
} from "./site.ts";

describe("Time", () => {
	test("an answer holds until it expires, and is then asked for conditionally", async () => {
		await using site = await serve((request, response) => {
			const isSame = request.headers["if-none-match"] === '"1"';
			response.writeHead(isSame ? 304 : 200, {
				etag: '"1"',
				"last-modified": "Thu, 01 Jan 2026 00:00:00 GMT",
			});
			response.end(isSame ? undefined : FILE);
		});
		const time = clock();
		await using client = clientOf({ now: time.read, refreshAhead: 0 });
		const url = `${site.origin("a.test")}/private`;
		expect(await client.isAllowed(url)).toBe(false);
		time.now += DAY - 1;
		expect(await client.isAllowed(url)).toBe(false);
		expect(site.requests).toHaveLength(1);
		time.now += 1;
		expect(await client.isAllowed(url)).toBe(false);
		expect(site.headers).toHaveLength(2);
		expect(site.headers[1]).toMatchObject({
			"if-none-match": '"1"',
			"if-modified-since": "Thu, 01 Jan 2026 00:00:00 GMT",
		});
		time.now += DAY - 1;
		expect(await client.isAllowed(url)).toBe(false);
		expect(client.stats()).toMatchObject({ requests: 2, notModified: 1 });
	});

	test("a redirect's target gets the validators that came from there", async () => {
		await using site = await serve((request, response) => {
			if (request.url === "/robots.txt")
				response.writeHead(301, { location: "/real" }).end();
			else if (request.headers["if-none-match"]) response.writeHead(304).end();
			else response.writeHead(200, { etag: '"2"' }).end(FILE);
		});
		await using client = clientOf();
		await client.fetch(site.origin("a.test"));
		const { access } = await client.fetch(site.origin("a.test"));
		expect(access.code).toBe("not-modified");
		expect(site.headers.map((fields) => fields["if-none-match"])).toEqual([
			undefined,
			undefined,
			undefined,
			'"2"',
		]);
	});

	test("what is in use is refreshed in the background before it expires", async () => {
		let text = FILE;
		await using site = await serve((_, response) => response.end(text));
		const time = clock();
		await using client = clientOf({ now: time.read });
		const url = `${site.origin("a.test")}/private`;
		expect(await client.isAllowed(url)).toBe(false);
		await client.isAllowed(site.origin("idle.test"));
		text = "";
		time.now += 0.9 * DAY;
		// The old answer still holds, and nobody waits for the new one.
		expect(await client.isAllowed(url)).toBe(false);
		await vi.waitFor(() => expect(site.requests).toHaveLength(3), {
			timeout: 15_000,
		});
		await idle(client);
		expect(await client.isAllowed(url)).toBe(true);
		expect(client.stats()).toMatchObject({ requests: 3, refreshes: 1 });
		expect(site.requests.at(-1)).toBe("a.test/robots.txt");
	});

	test("a refresh that fails changes nothing before the copy expires", async () => {
		let status = 200;
		await using site = await serve((_, response) => {
			response.statusCode = status;
			response.end(FILE);
		});
		const time = clock();
		await using client = clientOf({ now: time.read });
		const open = `${site.origin("a.test")}/open`;
		expect(await client.isAllowed(open)).toBe(true);
		status = 503;
		time.now += 0.95 * DAY;
		for (const requests of [2, 3, 4]) {
			expect(await client.isAllowed(open)).toBe(true);
			await vi.waitFor(() => expect(site.requests).toHaveLength(requests), {
				timeout: 15_000,
			});
			await idle(client);
			// Not before its time.
			expect(await client.isAllowed(open)).toBe(true);
			expect(site.requests).toHaveLength(requests);
			time.now += 10 * MINUTE;
		}
		time.now += 0.05 * DAY;
		expect(await client.isAllowed(open)).toBe(false);
		status = 200;
		expect(await client.isAllowed(open)).toBe(false);
		time.now += HOUR;
		expect(await client.isAllowed(open)).toBe(true);
	});

	test("a server that asks for time gets it", async () => {
		await using site = await serve((_, response) =>
			response.writeHead(503, { "retry-after": "600" }).end(),
		);
		const time = clock();
		await using client = clientOf({ now: time.read });
		const url = site.origin("a.test");
		for (const [later, requests] of [
			[0, 1],
			[599_999, 1],
			[1, 2],
		] as const) {
			time.now += later;
			expect(await client.isAllowed(url)).toBe(false);
			await idle(client);
			expect(site.requests).toHaveLength(requests);
		}
	});

	test("a copy that holds answers at once while a server that has failed is asked", async () => {
		let handler = file;
		await using site = await serve((...both) => handler(...both));
		const time = clock();
		await using client = clientOf({ now: time.read, timeout: 600_000 });
		const url = `${site.origin("a.test")}/private`;
		await client.isAllowed(url);
		handler = (_, response) => response.writeHead(503).end();
		time.now += 0.95 * DAY;
		await client.isAllowed(url);
		await vi.waitFor(() => expect(site.requests).toHaveLength(2), {
			timeout: 15_000,
		});
		await idle(client);
		handler = () => {};
		time.now += 10 * MINUTE;
		expect(await client.isAllowed(url)).toBe(false);
		await vi.waitFor(() => expect(site.requests).toHaveLength(3), {
			timeout: 15_000,
		});
	});
});
