import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folder, robotrie } from "./run.ts";

const shells = ["bash", "zsh", "fish"] as const;
const scripts = new Map<string, string>();
for (const shell of shells) {
	const path = join(folder, `completion.${shell}`);
	const result = await robotrie(["completion", shell]);
	expect(result).toMatchObject({ code: 0, stderr: "" });
	writeFileSync(path, result.stdout);
	scripts.set(shell, path);
}

/** The shell is installed, and this is no Windows. */
const has = (shell: string) =>
	spawnSync(shell, ["-c", "true"], { stdio: "ignore" }).status === 0;

/** What a shell offers for a line, the cursor at its end. */
const offers: Readonly<Record<string, (line: string) => string[]>> = {
	bash(line) {
		const words = line.split(" ");
		const script = `. '${scripts.get("bash")}'; COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _robotrie; printf '%s\\n' "\${COMPREPLY[@]}"`;
		return run("bash", "-c", script);
	},
	fish(line) {
		const script = `source '${scripts.get("fish")}'; complete -C '${line}'`;
		return run("fish", "--no-config", "-c", script).map(
			(offer) => offer.split("\t")[0] ?? "",
		);
	},
	// zsh completes only in a terminal: what the script tells zsh's own functions is read here.
	zsh(line) {
		const words = line.split(" ");
		const [word = "", before = ""] = words.toReversed();
		const script = `compdef() {}; _describe() { print -rl -- $commands }; _arguments() { print -rl -- "$@" }
source '${scripts.get("zsh")}'; words=(${words.map((one) => `'${one}'`).join(" ")}); CURRENT=${words.length}; _robotrie`;
		const told = run("zsh", "-f", "-c", script);
		const choicesOf = (spec = "") =>
			/:(?:\(|\{compadd )(.*?)(?:\)|; _files\})$/.exec(spec)?.[1]?.split(" ") ??
			[];
		const option = told.find((spec) => spec.startsWith(`*${before}[`));
		const offered =
			words.length === 2
				? told.map((text) => text.split(":")[0] ?? "")
				: word.startsWith("-")
					? told.map((spec) => /^\*(--?[\w-]+)/.exec(spec)?.[1] ?? "")
					: choicesOf(option ?? told.find((spec) => /^[*1]:/.test(spec)));
		return offered.filter((text) => text.startsWith(word));
	},
};

function run(command: string, ...args: string[]): string[] {
	return execFileSync(command, args, {
		cwd: folder,
		encoding: "utf8",
		timeout: 30_000,
		env: { PATH: process.env.PATH, HOME: folder, TERM: "dumb" },
	})
		.trim()
		.split("\n");
}

describe.each(shells)("%s", (shell) => {
	test.skipIf(!has(shell)).each([
		["robotrie ma", ["match"]],
		["robotrie cr", ["crawl-check", "crawlers"]],
		["robotrie match --ro", ["--robots"]],
		["robotrie match --dialect go", ["google"]],
		["robotrie audit -o h", ["html"]],
		["robotrie audit fo", ["follow"]],
		["robotrie audit compare -o js", ["json"]],
		["robotrie audit follow --metrics-p", ["--metrics-port"]],
		["robotrie completion z", ["zsh"]],
		["robotrie help lin", ["lint"]],
	])("%s", (line, expected) => {
		const found = offers[shell]?.(line) ?? [];
		expect(found.sort()).toEqual(expected);
	});

	test.skipIf(!has(shell))("the script has no fault", () => {
		const path = scripts.get(shell) ?? "";
		expect(spawnSync(shell, ["-n", path]).status).toBe(0);
	});
});

test("scripts name every command and option", async () => {
	const help = String((await robotrie(["help", "match"])).stdout);
	const options = (help.match(/--[a-z-]+/g) ?? []).filter(
		(option) => option !== "--help",
	);
	expect(options.length).toBeGreaterThan(5);
	for (const shell of shells) {
		const { stdout } = await robotrie(["completion", shell]);
		for (const option of options)
			expect(String(stdout)).toContain(
				shell === "fish" ? `-l ${option.slice(2)}` : option,
			);
	}
});
