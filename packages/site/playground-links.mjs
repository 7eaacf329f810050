// What a block of code shows, as a link's hash for the playground: a robots.txt with URLs made of its own rules, or the robots.txt, the URLs
// and the crawler that a JavaScript example names. pages.mjs asks for each block. The playground's own code packs the link, so that a link
// is always in the form that the page reads.
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const { module: permalink } = await runnerImport(
	fileURLToPath(new URL("../playground/page/permalink.ts", import.meta.url)),
);

const SITE = "https://example.com";
const RULE = /^[ \t]*(?:allow|disallow)[ \t]*:[ \t]*(\S+)/gim;
const IS_ROBOTS = /^[ \t]*(?:user-agent|allow|disallow)[ \t]*:/im;

/** A URL that the pattern matches, or nearly: without wildcards, and without what comes after a comment's sign. */
function urlFor(pattern) {
	if (/^https?:/.test(pattern)) return pattern;
	const path = pattern
		.replace(/#.*/, "")
		.replaceAll("*", "x")
		.replace(/\$$/, "");
	return SITE + (path.startsWith("/") ? path : `/${path}`);
}

/** The first crawler that a file names. */
function agentIn(robots) {
	const named = [
		...robots.matchAll(/^[ \t]*user-agent[ \t]*:[ \t]*([\w-]+)/gim),
	];
	return named[0]?.[1] ?? "ExampleBot";
}

const urlsOf = (robots) => {
	const urls = [...robots.matchAll(RULE)].map(([, pattern]) => urlFor(pattern));
	return [...new Set([`${SITE}/`, ...urls])].slice(0, 50).join("\n");
};

/** The strings of a program in double quotes, and those in backticks that hold no expression and no escape. */
const stringsIn = (code) =>
	[...code.matchAll(/"(?:[^"\\\n]|\\.)*"|`([^`$\\]|\$(?!\{))*`/g)].flatMap(
		([text]) => {
			if (text.startsWith("`")) return [text.slice(1, -1)];
			try {
				return [JSON.parse(text)];
			} catch {
				return [];
			}
		},
	);

function fromProgram(code) {
	const strings = stringsIn(code);
	const robots = strings.find((text) => IS_ROBOTS.test(text));
	if (robots === undefined) return undefined;
	const urls = strings.filter((text) => /^(https?:\/\/|\/)\S*$/.test(text));
	const agent =
		/(?:\.for\(|agent: |, )"([A-Za-z][\w-]*)"/.exec(code)?.[1] ??
		agentIn(robots);
	const dialect = /dialect: "(\w+)"/.exec(code)?.[1];
	return {
		robots,
		agent,
		dialect,
		urls: urls.length > 0 ? [...new Set(urls)].join("\n") : urlsOf(robots),
	};
}

/** The hash of a link to the playground with what the block shows; undefined where it shows no robots.txt. */
export async function playgroundLink(language, code) {
	const shown =
		language === "robots.txt"
			? { robots: code, agent: agentIn(code), urls: urlsOf(code) }
			: /^(js|ts|typescript)\b/.test(language)
				? fromProgram(code)
				: undefined;
	if (!shown) return undefined;
	return permalink.encodeState({
		pane: "test",
		log: {},
		compare: undefined,
		...shown,
		dialect: shown.dialect ?? "rfc9309",
	});
}
