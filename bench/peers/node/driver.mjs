// The engines that run in Node: robotrie by its public names, and two packages of npm. Reads sites and jobs, and does what the harness
// asks for (../README.md).

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";

const AGENT = process.env.PEER_AGENT ?? "googlebot";
const dialect = process.env.PEER_DIALECT ?? "google";
const require = createRequire(import.meta.url);
const versionOf = (name) => require(`${name}/package.json`).version;

/** Path and query of a URL, without `new URL`: robots-txt-guard takes paths. */
const pathOf = (url) =>
	url.startsWith("/") ? url : url.slice(url.indexOf("/", 8));

/**
 * Each is asked for what makes a judge of a site. A judge takes one text a call or, as `bulk`, all lines of a job at once, as bytes or as
 * strings; `mixed` does so for URLs of all sites.
 */
const engines = {
	"robotrie matchLines": async () => {
		const { RobotsIndex, RobotsTxt } = await import("robotrie");
		let index;
		return {
			version: versionOf("robotrie"),
			begin: () => {
				index = new RobotsIndex({ agent: AGENT, dialect });
			},
			open: ({ robots }) => {
				const matcher = RobotsTxt.parse(robots, { dialect }).for(AGENT);
				return { bulk: ({ lines, into }) => matcher.matchLines(lines, into) };
			},
			// An index is what URLs of many sites are for: it is made for the first of them.
			mixed: ({ lines, into }, sites) => {
				if (index.size === 0)
					for (const { origin, robots } of sites) index.set(origin, robots);
				return index.matchLines(lines, into);
			},
		};
	},
	"robotrie matchMany": async () => {
		const { RobotsIndex, RobotsTxt } = await import("robotrie");
		let index;
		return {
			version: versionOf("robotrie"),
			begin: () => {
				index = new RobotsIndex({ agent: AGENT, dialect });
			},
			open: ({ robots }) => {
				const matcher = RobotsTxt.parse(robots, { dialect }).for(AGENT);
				return { bulk: ({ texts, into }) => matcher.matchMany(texts, into) };
			},
			mixed: ({ texts, into }, sites) => {
				if (index.size === 0)
					for (const { origin, robots } of sites) index.set(origin, robots);
				return index.matchMany(texts, into);
			},
		};
	},
	"robotrie isAllowed": async () => {
		const { RobotsTxt } = await import("robotrie");
		return {
			version: versionOf("robotrie"),
			open: ({ robots }) => {
				const matcher = RobotsTxt.parse(robots, { dialect }).for(AGENT);
				return { one: (url) => matcher.isAllowed(url) };
			},
		};
	},
	"robots-parser": async () => {
		const { default: robotsParser } = await import("robots-parser");
		return {
			version: versionOf("robots-parser"),
			open: ({ origin, robots }) => {
				const parsed = robotsParser(
					`${origin}/robots.txt`,
					new TextDecoder().decode(robots),
				);
				return { one: (url) => parsed.isAllowed(url, AGENT) !== false };
			},
		};
	},
	"robots-txt-guard": async () => {
		const { default: guard } = await import("robots-txt-guard");
		const { default: parse } = await import("robots-txt-parse");
		return {
			version: versionOf("robots-txt-guard"),
			open: async ({ robots }) => {
				const parsed = guard(await parse(Readable.from([robots])));
				return { one: (url) => parsed.isAllowed(AGENT, pathOf(url)) };
			},
		};
	},
};

/** Reads a file of numbers and texts. */
function reader(file) {
	const bytes = readFileSync(file);
	let at = 0;
	const number = () => {
		at += 4;
		return bytes.readInt32LE(at - 4);
	};
	const text = () => {
		const length = number();
		at += length;
		return new Uint8Array(bytes.subarray(at - length, at));
	};
	const list = (read) => Array.from({ length: number() }, read);
	return { number, text, list };
}

const decoder = new TextDecoder();
const [name, sitesFile] = process.argv.slice(2);
const engine = await engines[name]();
const sites = (() => {
	const { text, list } = reader(sitesFile);
	return list(() => ({ origin: decoder.decode(text()), robots: text() }));
})();
let judges = [];
let byOrigin = new Map();
let jobs = [];

async function compile() {
	engine.begin?.();
	judges = [];
	byOrigin = new Map();
	for (const site of sites) {
		const judge = await engine.open(site);
		judges.push(judge);
		byOrigin.set(site.origin, judge);
	}
}

function readJobs(file) {
	const { number, text, list } = reader(file);
	jobs = list(() => {
		const site = number();
		const into = new Uint8Array(number());
		const lines = text();
		// As a parser gives them, not as parts of one long text.
		const texts = JSON.parse(
			JSON.stringify(decoder.decode(lines).split("\n").slice(0, -1)),
		);
		return { site, into, lines, texts };
	});
}

function judge(from, to) {
	for (let i = from; i < to; i++) {
		const job = jobs[i];
		const { site, into, texts } = job;
		const own = judges[site];
		if (own?.bulk) own.bulk(job);
		else if (!own && engine.mixed) engine.mixed(job, sites);
		else
			for (let at = 0; at < texts.length; at++) {
				const text = texts[at];
				const { one } = own ?? byOrigin.get(new URL(text).origin);
				into[at] = Number(one(text));
			}
	}
}

const timed = async (work) => {
	const start = process.hrtime.bigint();
	const waits = work();
	if (waits) await waits;
	return process.hrtime.bigint() - start;
};

const commands = {
	compile: () => timed(compile),
	jobs: ([file]) => {
		readJobs(file);
		return jobs.length;
	},
	judge: async (numbers) => {
		const [from, to, times] = numbers.map(Number);
		const all = [];
		for (let i = 0; i < times; i++)
			all.push(await timed(() => judge(from, to)));
		return all.join(" ");
	},
	verdicts: () => {
		judge(0, jobs.length);
		return jobs.map(({ into }) => into.join("")).join("");
	},
	memory: async () => {
		await new Promise((resolve) => setTimeout(resolve));
		for (let i = 0; i < 3; i++) globalThis.gc?.();
		return process.memoryUsage().rss;
	},
};

console.log(engine.version);
for await (const line of createInterface({ input: process.stdin })) {
	const [command, ...rest] = line.split(" ");
	console.log(String(await commands[command](rest)));
}
