// Fills the disk that a store is on, and says on stdout how the store took it, as JSON.
// Arguments: the store's location, the number of entries written at a time.
import { randomBytes } from "node:crypto";
import { openStore } from "../dist/index.js";

const [location, atATime] = process.argv.slice(2);
const store = await openStore(location);
const key = (i) => `https://${i}.example`;
const kept = new Map();
const errors = [];
for (let i = 0; errors.length < 20 && i < 10_000; i += Number(atATime)) {
	const batch = Array.from({ length: Number(atATime) }, async (_, j) => {
		const entry = randomBytes(20_000);
		try {
			await store.set(key(i + j), entry);
			kept.set(key(i + j), entry);
		} catch (error) {
			errors.push(error);
		}
	});
	await Promise.all(batch);
}
let lost = 0;
for (const [key, entry] of kept)
	if (!entry.equals((await store.get(key)) ?? Buffer.alloc(0))) lost++;
await store.close();
console.log(
	JSON.stringify({
		kept: kept.size,
		lost,
		codes: [...new Set(errors.map(({ code }) => code))],
		message: errors[0]?.message,
	}),
);
