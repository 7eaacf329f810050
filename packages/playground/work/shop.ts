/**
 * The sample that the page begins with: robots.txt and URLs of the folder sample/. It is loaded with the page; the others are in samples.ts.
 */

import type { Dialect } from "robotrie";
import shopRobots from "../../../sample/robots.txt?raw";
import shopUrls from "../../../sample/urls.txt?raw";

/** Something to begin with. */
export interface Sample {
	readonly name: string;
	readonly agent: string;
	/** In which the crawler reads. */
	readonly dialect: Dialect | "auto";
	readonly robots: string;
	readonly urls: string;
}

/** In front of the shop's URLs, as the dialects, or rules of several lengths, meet on them. */
const instructive = [
	"https://example.com/tee/gr%C3%BC%6E/lager/1",
	"https://example.com/forum/user/7/print",
	"https://example.com/internal/press-kit.pdf",
	"https://example.com/search?q=oolong&sort=price",
	"example.com/without-a-scheme",
];

export const shop: Sample = {
	name: "A shop",
	agent: "*",
	dialect: "auto",
	robots: shopRobots,
	urls: [...instructive, shopUrls.trimEnd()].join("\n"),
};
