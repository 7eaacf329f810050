/**
 * Findings about lines that are no rules: Clean-param lines that can hardly be meant, Crawl-delays that nobody reads or that keep crawlers away,
 * and fields that no crawler reads any more.
 */
import { count, shorten } from "../common/wording.ts";
import {
	parseCleanParam,
	parseCrawlDelay,
	valueFault,
} from "../robots-txt/other-fields.ts";
import type { AgentLine, OtherLine } from "../robots-txt/parse.ts";
import type { Found } from "./finding.ts";
import type { Reading } from "./reading.ts";

/** Clean-param lines whose names are valid and can hardly be meant. */
export function findDoubtfulParameters({ file }: Reading): Found[] {
	return file.others.flatMap(({ field, value, line }): Found[] => {
		const doubt = field === "clean-param" ? doubtAbout(value) : undefined;
		return doubt === undefined
			? []
			: [
					{
						line,
						code: "doubtful-parameter",
						severity: "warning",
						message: `In Clean-param: ${shorten(value)} ${doubt}.`,
					},
				];
	});
}

function doubtAbout(value: string): string | undefined {
	const parsed = parseCleanParam(value);
	if (parsed.fault !== undefined) return undefined;
	if (/&[ \t]/.test(value))
		return 'what comes after the space is read as the path: write no space after "&"';
	const [, second] = /^\S+[ \t]+([^/*\s]\S*)$/.exec(value) ?? [];
	if (second !== undefined)
		return `"${shorten(second)}" is read as the path ${shorten(parsed.value.path)}: separate names by "&", and begin a path with "/"`;
	for (const name of parsed.value.parameters) {
		const shown = `"${shorten(name)}"`;
		if (/[,;]/.test(name))
			return `${shown} is read as one parameter: separate names by "&"`;
		if (/^[?/]/.test(name))
			return `${shown} is read as the parameter's name: write it without "${name.charAt(0)}"`;
		if (name.includes("*"))
			return `"*" is no wildcard, as ${shown} is compared letter by letter: name each parameter`;
		if (name.includes("="))
			return `${shown} is read as the parameter's name: write the name without a value`;
	}
	return undefined;
}

const extended =
	"comes from a draft of 1996 that no large search engine documents. Bing reads Crawl-delay.";

const obsolete: Readonly<Record<string, string>> = {
	host: "Host has no effect: Yandex, the only crawler that read it, stopped in 2018. Redirect to the main host with status 301 instead.",
	"request-rate": `Request-rate ${extended}`,
	"visit-time": `Visit-time ${extended}`,
};

/** Fields that were documented once, each in the first of its lines that has a valid value. */
export function findObsoleteFields({ file }: Reading): Found[] {
	const first = new Map<string, OtherLine>();
	for (const other of file.others)
		if (
			Object.hasOwn(obsolete, other.field) &&
			!first.has(other.field) &&
			!valueFault(other.field, other.value)
		)
			first.set(other.field, other);
	return [...first.values()].map(({ field, line }) => ({
		line,
		code: "obsolete-field",
		severity: "info",
		message: obsolete[field] ?? "",
	}));
}

/** A crawler that waits so long between two pages sees little of a site. */
const LONG = 600;
const DAY = 86_400;

/** What Bing documents as the longest delay (blogs.bing.com, 3 May 2012): it reads Crawl-delay, and no other large search engine does. */
const LONGEST_OF_BING = 30;

const googles = /^(?:googlebot|adsbot-google|mediapartners-google)\b/;

/** Crawl-delays that nobody reads, or that keep crawlers away. */
export function findDoubtfulDelays({ file }: Reading): Found[] {
	return file.others.flatMap(({ field, value, line, section }): Found[] => {
		if (field !== "crawl-delay" || section < 0) return [];
		const delay = parseCrawlDelay(value);
		if (delay.fault !== undefined) return [];
		const doubt = doubtAboutDelay(
			delay.value,
			file.sections[section]?.agents ?? [],
		);
		return doubt === undefined
			? []
			: [
					{
						line,
						code: "doubtful-delay",
						severity: delay.value >= LONG ? "warning" : "info",
						message: `Crawl-delay: ${shorten(value)} ${doubt}`,
					},
				];
	});
}

function doubtAboutDelay(
	seconds: number,
	agents: readonly AgentLine[],
): string | undefined {
	if (seconds === 0) return undefined;
	const pages = Math.floor(DAY / seconds);
	if (seconds >= LONG)
		return `leaves a crawler that obeys it ${pages === 0 ? "less than a page" : `at most ${count(pages, "page")}`} a day. Is that meant?`;
	const names = agents.map(({ tokens: [token = ""] }) => token);
	if (names.length > 0 && names.every((name) => googles.test(name)))
		return "is not read by Google's crawlers, which set their pace by how the server answers.";
	const isForBing = agents.some(
		({ global, tokens }) =>
			global || tokens.some((token) => /^(?:bing|msn)bot$/.test(token)),
	);
	return isForBing && seconds > LONGEST_OF_BING
		? `is more than Bing reads, which documents 1 to ${LONGEST_OF_BING} seconds.`
		: undefined;
}
