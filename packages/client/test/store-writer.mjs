// Writes entries to a store without end, and names each on stdout once the store says that it is kept.
// Arguments: the store's location, a name for the keys.
import { openStore } from "../dist/index.js";
import { kept } from "./kept.mjs";

const [location, name] = process.argv.slice(2);
const store = await openStore(location);

async function write(from, step) {
	for (let i = from; ; i += step) {
		const key = `https://${name}-${i}.example`;
		await kept(store, key, `${key} `.repeat(1 + (i % 200)));
		process.stdout.write(`${i}\n`);
	}
}

await Promise.all([0, 1, 2, 3].map((from) => write(from, 4)));
