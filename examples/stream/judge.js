import { createReadStream, createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { RobotsClient } from "@robotrie/client";
import { Verdict } from "robotrie";
import { wholeLines } from "./whole-lines.js";

const [input, output, again, ...options] = process.argv.slice(2);
const client = new RobotsClient({
	agent: "ExampleBot",
	allowPrivateNetwork: options.includes("--allow-private-network"),
});
const later = createWriteStream(again);

/**
 * From blocks of lines to the lines that may be fetched; those whose robots.txt cannot be had for now go to a file of their own, the
 * input of a later run. Verdicts are compared: only Allowed is a permission, but all numbers except 0 are truthy. Waits while a file that
 * is written cannot take more.
 */
async function* allowed(blocks) {
	for await (const block of blocks) {
		const verdicts = await client.matchLines(block);
		const lines = block.toString("utf8").split("\n");
		const textOf = (verdict) =>
			lines
				.filter((_, i) => verdicts[i] === verdict)
				.map((line) => `${line}\n`)
				.join("");
		const postponed = textOf(Verdict.Later);
		if (postponed !== "" && !later.write(postponed))
			await new Promise((resolve) => later.once("drain", resolve));
		const kept = textOf(Verdict.Allowed);
		if (kept !== "") yield kept;
	}
}

await pipeline(
	createReadStream(input),
	wholeLines,
	allowed,
	createWriteStream(output),
);
await new Promise((resolve) => later.end(resolve));
await client.close();
