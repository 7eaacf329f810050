// The same as crawler.py, in JavaScript: a crawler that asks a robots service about URLs on stdin, 200 at a time, and writes their
// verdicts in order. After an error the next service is asked.
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";

const [agent, ...services] = process.argv.slice(2);
const urls = (await text(process.stdin)).split("\n").filter(Boolean);
let turn = 0;
for (let start = 0; start < urls.length; start += 200) {
	const batch = urls.slice(start, start + 200);
	for (;;) {
		const service = services[turn++ % services.length];
		try {
			const answer = await fetch(`${service}/match?agent=${agent}`, {
				method: "POST",
				headers: { "content-type": "text/plain" },
				body: batch.map((url) => `${url}\n`).join(""),
			});
			const verdicts = await answer.text();
			if (!answer.ok) throw new Error(verdicts);
			process.stdout.write(verdicts);
			break;
		} catch {
			await setTimeout(50);
		}
	}
}
