import { describe, expect, test } from "vitest";
import { crawlers } from "../../../src/index.ts";
import { ownRows } from "../../../test/data/own-dialects.ts";
import { serve } from "../../client/test/site.ts";
import { file, robotrie } from "./run.ts";

/** Every command that answers about a crawler by name reads as the crawler's operator does, and says so. */

async function run(args: readonly string[], stdin = ""): Promise<string> {
	const { stdout, stderr } = await robotrie(args, { stdin });
	return `${stdout}${stderr}`;
}

const verdict = (allowed: boolean) => (allowed ? "allowed" : "disallowed");

describe.each(ownRows.map((row, at) => ({ ...row, at })))(
	"$name: $agent, $url",
	({ robots, agent, url, dialect, allowed, at }) => {
		const rules = file(`own-${at}.txt`, robots);
		const isListed = crawlers.some(({ name }) => name === agent);

		test("explain, match and check", async () => {
			const asked = ["-r", rules, "-a", agent];
			const [answer] = JSON.parse(
				await run(["explain", ...asked, "--json", url]),
			);
			expect(answer).toMatchObject({ allowed, dialect });
			const text = await run(["explain", ...asked, url]);
			expect(text).toMatch(new RegExp(`^${verdict(allowed)} `));
			expect(text).toContain(`\n  read    as ${dialect}\n`);
			expect(await run(["match", ...asked], `${url}\n`)).toBe(
				`${verdict(allowed)}\t${url}\n`,
			);
			const wrong = `${url}\t${agent}\t${verdict(!allowed)}\n`;
			expect(await run(["check", "-", "-r", rules], wrong)).toContain(
				`; read as ${dialect})\n`,
			);
		});

		test.runIf(isListed)("crawlers --url and diff", async () => {
			const asked = ["-r", rules, "--url", url, agent];
			const [row] = JSON.parse(await run(["crawlers", "--json", ...asked]));
			expect(row).toMatchObject({ allowed, dialect });
			expect(await run(["crawlers", ...asked])).toContain(`read as ${dialect}`);
			const none = file("own-none.txt", "");
			const changes = await run(["diff", none, rules, "-a", agent, url]);
			if (allowed) expect(changes).toMatch(/^robotrie: 0 of 1 URL/);
			else expect(changes).toContain(`for  ${agent}; read as ${dialect}\n`);
		});

		test("audit", async () => {
			const log = `192.0.2.1 - - [14/Oct/2025:00:00:00 +0000] "GET ${url} HTTP/1.1" 200 5 "-" "Mozilla/5.0 (compatible; ${agent}/2.1)"\n`;
			const audit = ["audit", "-r", rules, "-"];
			const { crawlers, ...report } = JSON.parse(
				await run([...audit, "--json"], log),
			);
			expect(report.dialect).toBe("auto");
			// Exempt ones are judged too, and accused of nothing.
			const [row] = crawlers;
			if (row === undefined) return;
			expect(row).toMatchObject({ name: agent, dialect });
			expect(row.disallowed - row.exemptDisallowed).toBe(allowed ? 0 : 1);
			const text = await run(audit, log);
			expect(text.replace(/\s+/g, " ")).toContain(
				"read as each crawler's operator does",
			);
			if (!allowed)
				expect(text).toContain(`${agent}, as ${dialect}: 1 disallowed request`);
		});
	},
);

test("a site's file, and a dialect chosen by hand", async () => {
	await using site = await serve((_, response) => {
		response.end("User-agent: *\nDissalow: /a\n");
	});
	const url = `${site.origin("127.0.0.1")}/a`;
	const asked = ["explain", "-a", "Googlebot-Image", "--allow-private-network"];
	expect(await run([...asked, url])).toContain("  read    as google\n");
	expect(await run([...asked, url])).toMatch(/^disallowed /);
	const byHand = await run([...asked, "-d", "rfc9309", url]);
	expect(byHand).toMatch(/^allowed /);
	expect(byHand).toContain("  read    as rfc9309, by --dialect\n");
	const table = `${url}\tGooglebot\tdisallowed\n${url}\tbingbot\tallowed\n`;
	expect(await run(["check", "-", "--allow-private-network"], table)).toContain(
		"2 of 2 expectations met",
	);
});

test("index and crawl-check say that they judge in another dialect", async () => {
	const index = ["index", "--no-summary", "-o", file("own.index", "")];
	const judged = (name: string, own: string) =>
		`robotrie: warning: ${name} is judged as rfc9309; its operator reads robots.txt as --dialect ${own} does\n`;
	const records = '{"origin":"https://a.example","robots":""}\n';
	const google = judged("Googlebot", "google");
	const yandex = judged("YandexNewBot", "yandex");
	expect(await run([...index, "-a", "Googlebot"], records)).toBe(google);
	expect(await run([...index, "-a", "YandexNewBot"], records)).toBe(yandex);
	expect(await run([...index, "-a", "GPTBot"], records)).toBe("");
	const asked = [...index, "-a", "Googlebot", "-d"];
	expect(await run([...asked, "google"], records)).toBe("");
	expect(await run([...asked, "rfc9309"], records)).toBe("");
	const check = ["crawl-check", "--no-summary", "-a", "Googlebot/2.1"];
	expect(await run(check)).toBe(google);
	expect(await run([...check, "-d", "google"])).toBe("");
});
