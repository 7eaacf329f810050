import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { root } from "../packages/cli/test/run.ts";

const run = (args: readonly string[]) =>
	spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });

const alone = "tools/bench-alone.mjs";

describe("Scripts tell wrong options in a sentence, and list the right ones", () => {
	test.each([
		[["tools/bench.mjs"], "--scalar", "unknown option '--scalar'"],
		[["tools/bench.mjs"], "--only", "unknown option '--only'"],
		[["tools/bench-audit.mjs"], "--size=0", "Expected a number above 0."],
		[["tools/bench-browser.mjs"], "--only=opera", "Allowed choices are node"],
		[["tools/bench-browser.mjs"], "--rounds=100", "from 1 to 99"],
		[["tools/figures.mjs"], "--chek", "Did you mean --check?"],
		[["tools/fuzz.mjs"], "--minutes=x", "Expected a number above 0."],
		[["tools/mutate.mjs"], "--sample=0", "a whole number from 1 up"],
		[["tools/release.mjs"], "--dry", "unknown option '--dry'"],
		[["packages/site/site.mjs"], "--port=70000", "from 1 to 65535"],
		[[alone, "crawl"], "--origins=1e3", "a whole number from 1 up"],
		[[alone, "index-bulk"], "--shards=2", "unknown option '--shards=2'"],
		[[alone, "live"], "more", "too many arguments"],
		[[alone, "scheduler"], "--minutes", "argument missing"],
	] as const)("%j %s", (script, option, says) => {
		const wrong = run([...script, option]);
		expect(wrong.stderr).toContain(says);
		expect(wrong.stderr).not.toMatch(/^\s+at /m);
		expect([wrong.status, wrong.stdout]).toEqual([2, ""]);
		const help = run([...script, "--help"]);
		expect(help.stdout).toMatch(/^Usage: npm run .*--help/s);
		expect([help.status, help.stderr]).toEqual([0, ""]);
	});
});
