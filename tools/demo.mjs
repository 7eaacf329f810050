// The first minute: which of a log's requests would the site's robots.txt have turned away? By the built command, as its
// users run it.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

function robotrie(command) {
	const { stdout } = spawnSync(
		process.execPath,
		["packages/cli/main.js", ...command.split(" ")],
		{ encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
	);
	return stdout.trimEnd();
}

console.log("sample/ is made up, and so are the crawlers in its log.\n");
const audit =
	"audit -r sample/robots.txt --crawlers sample/crawlers.txt sample/access.log";
// After the tables come the rules of each crawler.
const [summary, byPurpose, table] = robotrie(audit).split("\n\n");
// In a clone, npx finds the command in the workspace.
console.log(`npx robotrie ${audit}\n\n${summary}\n\n${byPurpose}\n\n${table}`);

const commands = [
	"explain --robots sample/robots.txt --agent GPTBot /magazine/open/water/comments",
	"match --robots sample/robots.txt --agent Googlebot --only disallowed sample/urls.txt",
	"lint sample/mistakes.txt",
	`${audit} --output html --out report.html`,
];
console.log("\nTry next:\n");
for (const command of commands) console.log(`  npx robotrie ${command}`);
console.log(`\nThe first of them prints:\n`);
console.log(robotrie(commands[0]).replace(/^/gm, "  "));
