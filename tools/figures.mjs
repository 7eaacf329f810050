// Writes the figures of README.md and docs/performance.md from bench/results: npm run figures. A block in a page begins with
// <!-- figures: NAME --> and ends with <!-- end -->. With --check it fails where page and results part, with --sources it says where each
// figure comes from, with --names which engines of which cases it looks for: with any of these it writes nothing. --pages names another
// folder with these pages. Figures of other pages are written by hand, in blocks <!-- measured: RESULT -->: figures.test.ts says when a newer
// result of that kind and machine is stored.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { command } from "./command.mjs";
import { performance } from "./figures/performance.mjs";
import { readme } from "./figures/readme.mjs";
import { asked } from "./figures/results.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const pages = {
	"README.md": readme,
	"docs/performance.md": performance,
};
const values = command(
	"npm run figures --",
	"Writes the figures of README.md and docs/performance.md from bench/results. With --check, --sources or --names it writes nothing.",
)
	.option("--check", "fail where a page and the results part")
	.option("--sources", "say where each figure comes from")
	.option("--names", "list the engines and cases that are looked for")
	.option("--pages <folder>", "another folder with these pages", root)
	.parse()
	.opts();
const writes = !(values.check || values.sources || values.names);
const block = /(<!-- figures: (.+?) -->\n)(.*?)(<!-- end -->)/gs;
const lineOf = (text, at) => text.slice(0, at).split("\n").length;

let parted = 0;
const missing = new Set();
for (const [page, blocks] of Object.entries(pages)) {
	const file = join(values.pages, page);
	const text = readFileSync(file, "utf8");
	const left = new Set(Object.keys(blocks));
	const written = text.replace(block, (_, begin, name, old, end, at) => {
		const make = blocks[name];
		if (!make) throw new Error(`${page}: no figures are called ${name}`);
		left.delete(name);
		const made = make();
		for (const one of made.missing) missing.add(`${page}, ${name}: ${one}`);
		const body = made.text === "" ? "" : `${made.text.trimEnd()}\n`;
		const line = lineOf(text, at);
		if (values.sources)
			for (const source of made.sources)
				console.log(`${page}:${line} (${name}): ${source}`);
		if (body !== old) {
			parted++;
			if (values.check)
				console.error(
					`${page}:${line} (${name}) is not what bench/results has: run npm run figures`,
				);
		}
		return `${begin}${body}${end}`;
	});
	if (left.size > 0)
		throw new Error(`${page} has no place for ${[...left].join(", ")}`);
	if (writes && written !== text) writeFileSync(file, written);
}
if (values.names) for (const name of asked) console.log(name);
for (const one of missing)
	console.error(`left out, as no stored result has it: ${one}`);
if (values.check && parted > 0) process.exit(1);
if (writes) console.error(`${parted} blocks changed`);
