// Builds what is older than what it is made of: the modules in their variants, the packages as bundles with declarations.
import { rmSync, watch } from "node:fs";
import { fileURLToPath } from "node:url";
import { command } from "./command.mjs";
import { allParts, bringUpToDate, partsOf } from "./parts.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const program = command(
	"npm run build --",
	"Builds what is older than its sources.",
)
	.argument("[part...]", "engine (all modules), or packages by their folders")
	.option("--tests", "the modules' debug build, too")
	.option("--all", "what is up to date, too")
	.option("--watch", "build again whenever a source changes")
	.parse();
const { tests: forTests = false, all, watch: goesOn } = program.opts();

const parts =
	program.args.length === 0
		? allParts({ forTests })
		: program.args.flatMap((name) => partsOf(name, forTests));
if (all) for (const { stamp } of parts) rmSync(stamp, { force: true });
const tell = (what) => {
	if (process.stderr.isTTY) console.error(what);
};
await bringUpToDate(parts, tell);
if (goesOn) {
	/** One build at a time; a change meanwhile asks for one more. */
	let building = Promise.resolve();
	let asked = false;
	const again = () => {
		if (asked) return;
		asked = true;
		building = building.then(async () => {
			asked = false;
			try {
				const built = await bringUpToDate(parts);
				if (built.length > 0) console.log(`built ${built.join(", ")}`);
			} catch (error) {
				console.error(error.message);
			}
		});
	};
	for (const folder of ["assembly", "src", "packages"])
		watch(folder, { recursive: true }, (_, file) => {
			if (!/(^|\/)(dist|node_modules|test)\//.test(file ?? "")) again();
		});
	console.log("up to date; waiting for changes");
}
