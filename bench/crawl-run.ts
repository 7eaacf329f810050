import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { storeResult } from "../scripts/store-result.mjs";
import { MemoryStore, openStore } from "../src/client.ts";
import { type CrawlPart, crawl } from "./crawl.ts";
import { measureOrigins } from "./crawl-memory.ts";

const { values } = parseArgs({
	options: {
		origins: { type: "string", default: "10000" },
		urls: { type: "string", default: "1000000" },
		store: { type: "string" },
	},
});
const folder = mkdtempSync(join(tmpdir(), "robotrie-crawl-"));
const memory = new MemoryStore();
const place = values.store ?? folder;
const number = (value: number, digits = 0) =>
	value.toLocaleString("en-US", {
		minimumFractionDigits: digits,
		maximumFractionDigits: digits,
	});

console.log(
	`${number(Number(values.origins))} origins on loopback, ${number(Number(values.urls))} URLs; Node ${process.version}, ${cpus()[0]?.model}; store: ${values.store ?? "LMDB"}`,
);
const parts: CrawlPart[] = [];
const row = (part: CrawlPart) => {
	parts.push(part);
	const { what, urls, requests, seconds, cpuSeconds } = part;
	console.log(
		[
			what.padEnd(34),
			`${number(seconds, 2).padStart(8)} s`,
			`${number(cpuSeconds, 2).padStart(8)} s CPU`,
			`${number(urls / seconds).padStart(12)} URLs/s`,
			requests > 0
				? `${number(requests).padStart(8)} requests, ${number(requests / seconds)}/s`
				: "",
		].join(" "),
	);
};
try {
	await crawl({
		origins: Number(values.origins),
		urls: Number(values.urls),
		folder: pathToFileURL(join(process.cwd(), "bench/")),
		openStore: async () =>
			place === "memory"
				? Object.assign(memory, { close: async () => {} })
				: openStore(place),
		report: row,
	});
	console.log("every verdict was right, and every origin was asked once");
	const asked = {
		origins: Number(values.origins),
		urls: Number(values.urls),
		store: values.store ?? "LMDB",
	};
	const collect = (globalThis as { gc?: () => void }).gc ?? (() => {});
	const bytes = await measureOrigins(collect);
	console.log(
		`an origin at hand takes ${number(bytes.atHand)} bytes, and ${number(bytes.inStore)} more in a MemoryStore`,
	);
	const kind = place === "memory" ? "crawl-memory" : "crawl";
	// Other stores and sizes than the usual ones are for whoever asked.
	const given = process.argv.slice(2).join(" ");
	const part = given === "--store memory" ? "" : given;
	console.log(
		`saved as ${storeResult(kind, { ...asked, parts, bytes }, part)}`,
	);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
