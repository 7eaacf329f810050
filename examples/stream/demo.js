// Writes a frontier for the sites that are given, has it judged, and prints what is left of it and what is to be judged again.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "robotrie-"));
const [frontier, kept, again] = ["frontier.txt", "kept.txt", "again.txt"].map(
	(name) => join(folder, name),
);
const urls = process.argv
	.slice(2)
	.flatMap((site) =>
		["tea", "private/prices", "search?q=tea"].map((path) => site + path),
	);
writeFileSync(frontier, `${urls.join("\n")}\nno URL\n`);
execFileSync(
	process.execPath,
	["judge.js", frontier, kept, again, "--allow-private-network"],
	{ stdio: "inherit" },
);
process.stdout.write(readFileSync(kept));
for (const url of readFileSync(again, "utf8").split("\n").slice(0, -1))
	console.log(`later ${url}`);
rmSync(folder, { recursive: true });
