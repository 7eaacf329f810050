import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { RobotsClient } from "@robotrie/client";
import { Verdict } from "robotrie";
import { wholeLines } from "./whole-lines.js";

const [input, output, ...options] = process.argv.slice(2);
const client = new RobotsClient({
	agent: "ExampleBot",
	allowPrivateNetwork: options.includes("--allow-private-network"),
});

/** From blocks of lines to the lines that may be fetched. Waits while the file that is written cannot take more. */
async function* allowed(blocks) {
	for await (const block of blocks) {
		const verdicts = await client.matchLines(block);
		const lines = block.toString("utf8").split("\n");
		const kept = lines.filter((_, i) => verdicts[i] === Verdict.Allowed);
		if (kept.length > 0) yield `${kept.join("\n")}\n`;
	}
}

await pipeline(
	createReadStream(input),
	wholeLines,
	allowed,
	createWriteStream(output),
);
await client.close();
