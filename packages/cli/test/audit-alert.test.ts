import { spawnSync } from "node:child_process";
import {
	chmodSync,
	existsSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./run.ts";

const line = (agent: string, path: string) =>
	`192.0.2.1 - - [14/Oct/2025:12:30:45 +0000] "GET ${path} HTTP/1.1" 200 5 "-" "${agent}"\n`;

test("examples/audit-alert opens an issue for crawlers that had none, and remembers them", () => {
	const folder = mkdtempSync(join(tmpdir(), "robotrie-alert-"));
	const write = (name: string, text: string) =>
		writeFileSync(join(folder, name), text);
	/** What the issue opened says, "" if none was opened. */
	const alert = (isOpened = true): [code: number | null, issue: string] => {
		rmSync(join(folder, "issue"), { force: true });
		write(
			"gh",
			isOpened
				? '#!/bin/sh\nprintf "%s\\n" "$@" > issue\n'
				: "#!/bin/sh\nexit 1\n",
		);
		chmodSync(join(folder, "gh"), 0o755);
		const { status } = spawnSync(
			process.execPath,
			[
				join(root, "examples/audit-alert/alert.mjs"),
				"robots.txt",
				"known.txt",
				"access.log",
			],
			{ cwd: folder, env: { PATH: `${folder}:${process.env.PATH}` } },
		);
		const issue = join(folder, "issue");
		return [status, existsSync(issue) ? readFileSync(issue, "utf8") : ""];
	};
	try {
		write(
			"robotrie",
			`#!/bin/sh\nexec "${process.execPath}" "${join(root, "packages/cli/main.js")}" "$@"\n`,
		);
		chmodSync(join(folder, "robotrie"), 0o755);
		write("robots.txt", "User-agent: *\nDisallow: /private\n");
		const good =
			line("GPTBot/1.0", "/") + line("FeedFetcher-Google", "/private");
		write("access.log", good);
		expect(alert()).toEqual([0, ""]);

		write("access.log", good + line("CCBot/2.0", "/private/`@x"));
		expect(alert(false)).toEqual([1, ""]);
		const [code, issue] = alert();
		expect(code).toBe(0);
		expect(issue).toContain("A crawler disobeys robots.txt: CCBot\n");
		expect(issue).toContain(
			"- `CCBot` sent 1 disallowed of 1 requests since 2025-10-14T12:30:45.000Z, most against line 2, `/private`: `/private/ @x`\n",
		);
		expect(alert()).toEqual([0, ""]);

		write(
			"access.log",
			`${good}${line("CCBot/2.0", "/private")}${line("GPTBot/1.0", "/private")}${line("ClaudeBot/1.0", "/private")}`,
		);
		expect(alert()[1]).toContain("2 crawlers disobey robots.txt\n");
		expect(readFileSync(join(folder, "known.txt"), "utf8")).toBe(
			"CCBot\nGPTBot\nClaudeBot\n",
		);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
});
