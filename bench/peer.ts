import module from "robots-parser";
import guard from "robots-txt-guard";
import { RobotsTxt } from "../src/index.ts";
import { AGENT } from "./case.ts";
import { ownUrls, pathOf, type Site } from "./site.ts";

/** robots-parser is CommonJS, its types say otherwise: what is imported is the function itself. */
export const robotsParser = module as unknown as typeof module.default;

/** Another package that judges one URL a call. */
export interface Peer {
	readonly name: string;
	/** Reads a site's robots.txt; what it takes in place of each URL, and its verdict on that. */
	readonly open: (site: Site) => {
		readonly texts: readonly string[];
		readonly isAllowed: (text: string) => boolean;
	};
}

const decoder = new TextDecoder();

export const robotsParserPeer: Peer = {
	name: "robots-parser",
	open: (site) => {
		const robots = robotsParser(
			`https://${site.host}/robots.txt`,
			decoder.decode(site.robots),
		);
		return {
			// It wants the file's own origin; real sites have a few http URLs as well.
			texts: ownUrls(site),
			isAllowed: (url) => robots.isAllowed(url, AGENT) !== false,
		};
	},
};

/** It matches paths and has no parser: it gets the groups as robotrie reads them. */
export const guardPeer: Peer = {
	name: "robots-txt-guard",
	open: (site) => {
		const { groups } = RobotsTxt.parse(site.robots, { dialect: "google" });
		const robots = guard({
			groups: groups.map(({ agents, rules }) => ({
				agents,
				rules: rules.map(({ type, pattern }) => ({
					rule: type,
					path: pattern,
				})),
			})),
		});
		return {
			texts: site.urls.map(pathOf),
			isAllowed: (path) => robots.isAllowed(AGENT, path),
		};
	},
};
