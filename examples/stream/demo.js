// Writes a frontier for the sites that are given, has it judged, and prints what is left of it.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "robotrie-"));
const [frontier, kept] = ["frontier.txt", "kept.txt"].map((name) =>
	join(folder, name),
);
const urls = process.argv
	.slice(2)
	.flatMap((site) =>
		["tea", "private/prices", "search?q=tea"].map((path) => site + path),
	);
writeFileSync(frontier, `${urls.join("\n")}\nno URL\n`);
execFileSync(
	process.execPath,
	["judge.js", frontier, kept, "--allow-private-network"],
	{ stdio: "inherit" },
);
process.stdout.write(readFileSync(kept));
rmSync(folder, { recursive: true });
