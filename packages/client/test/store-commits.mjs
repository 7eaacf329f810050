// Writes entries to a store one after the other, each a commit of its own, then says on stdout that it is done.
// Arguments: the store's location, a name for the keys, the number of entries.
import { openStore } from "../dist/index.js";
import { kept } from "./kept.mjs";

const [location, name, count] = process.argv.slice(2);
const store = await openStore(location);
for (let i = 0; i < Number(count); i++) {
	const key = `https://${name}-${i}.example`;
	await kept(store, key, `${key} `.repeat(1 + (i % 9)));
}
await store.close();
console.log("done");
