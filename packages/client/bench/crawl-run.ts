import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { command, count } from "../../../tools/command.mjs";
import { storeResult } from "../../../tools/store-result.mjs";
import { MemoryStore, openStore } from "../src/index.ts";
import { type CrawlPart, crawl } from "./crawl.ts";
import { measureOrigins } from "./crawl-memory.ts";

const values = command(
	"npm run bench:crawl --",
	"Crawls sites on loopback with RobotsClient and LMDB. Other sizes and stores are stored as local results.",
)
	.option("--origins <number>", "sites", count, 10_000)
	.option("--urls <number>", "URLs of them all", count, 1_000_000)
	.option("--store <place>", '"memory", or what openStore takes')
	.parse()
	.opts<{ origins: number; urls: number; store?: string }>();
const folder = mkdtempSync(join(tmpdir(), "robotrie-crawl-"));
const memory = new MemoryStore();
const place = values.store ?? folder;
const number = (value: number, digits = 0) =>
	value.toLocaleString("en-US", {
		minimumFractionDigits: digits,
		maximumFractionDigits: digits,
	});

console.log(
	`${number(values.origins)} origins on loopback, ${number(values.urls)} URLs; Node ${process.version}, ${cpus()[0]?.model}; store: ${values.store ?? "LMDB"}`,
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
		origins: values.origins,
		urls: values.urls,
		folder: pathToFileURL(join(process.cwd(), "packages/client/bench/")),
		openStore: async () =>
			place === "memory"
				? Object.assign(memory, { close: async () => {} })
				: openStore(place),
		report: row,
	});
	console.log("every verdict was right, and every origin was asked once");
	const asked = {
		origins: values.origins,
		urls: values.urls,
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
