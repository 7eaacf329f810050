/**
 * Which headers are people's although a list of crawlers matches them. The lists look for words ("discovery", "Sonic", a build of Android) that
 * telephones, browsers and apps carry as well. classify.ts asks here before it believes a list. A header with a mark of a crawler (a robot's
 * name, an address, a product that a list names as a whole word) stays a crawler's, whatever it poses as.
 *
 * Found by running both kinds of lists against each other: of 39,005 headers of browsers and apps 777 counted as crawlers' before.
 */

/** What a header is of: a browser's engine and system, an app on somebody's system, or neither. */
export type HeaderKind = "browser" | "app" | "other";

/** Systems that people hold in their hands, and engines of browsers. */
const PLATFORM =
	/\b(?:windows|winhttp|crkey|macintosh|mac os x|macos|iphone|ipad|ipod|ios|android|dalvik|cfnetwork|darwin|x11|symbian|midp|blackberry|tizen|webos|smart-?tv|hbbtv|nettv|uc(?:browser|web)|applewebkit|gecko\/|presto|trident|msie|opera|bada|profile|watch ?os|apple watch|tvos|kaios|roku(?:os)?|risc os|google fiber)(?![a-z])|^(?:samsung|nokia|sonyericsson|lg|mot|htc|microsoft)/i;

/** The kind of a header. */
export function kindOf(header: string): HeaderKind {
	if (!PLATFORM.test(header)) return "other";
	return /mozilla\//i.test(header) ? "browser" : "app";
}

/** Android's browser within an app. */
export const WEB_VIEW = /; wv\)/;

/** What an app of the table of crawlers sends from somebody's phone; for the preview of a link WhatsApp names no device. */
export const FROM_A_PHONE = /^WhatsApp\/[\d.]+ \w+\/[\d._]+ Device\//;

/** A part of a comment that names a robot although it stands among a telephone's: "(Linux; Android 8.0; FooBot/1.0)". */
const ROBOT_IN_DEVICE =
	/compatible|https?:|www\.|@|(?:bot|crawler|spider|fetcher|scraper)\/v?\d/i;

/**
 * The header with blanks for the names of its device: in a comment, what follows "Android". Makers choose such names freely ("XBot Junior",
 * "GM Discovery II"), and builds have been listed as crawlers. Linear: each comment is read once.
 */
export function withoutDevice(header: string): string {
	let text = "";
	let done = 0;
	for (const { index } of header.matchAll(/android/gi)) {
		if (index < done) continue;
		const before = header.slice(done, index);
		text += before;
		done = index;
		if (before.lastIndexOf("(") <= before.lastIndexOf(")")) continue;
		done = endOfComment(header, index);
		let isDevice = true;
		for (const part of header.slice(index, done).split(/(?<=;)/)) {
			// What introduces itself, and all behind it, is no device.
			isDevice &&= !ROBOT_IN_DEVICE.test(part);
			text += isDevice ? " ".repeat(part.length) : part;
		}
	}
	return text + header.slice(done);
}

/** Where the comment around a place ends. */
function endOfComment(header: string, from: number): number {
	let depth = 1;
	for (let at = from; at < header.length; at++) {
		if (header[at] === "(") depth++;
		else if (header[at] === ")" && --depth === 0) return at;
	}
	return header.length;
}

/**
 * Patterns of crawler-user-agents that are products of people in the header of a browser or an app: editors, chats, readers and browsers that put
 * their name behind Chrome's. Elsewhere they name who the list says.
 */
export const peoplesProducts: ReadonlySet<string> = new Set([
	"Blackboard",
	"Code\\/1\\.",
	"Fluid",
	"Freespoke\\/",
	"Instapaper\\/",
	"MetaIAB Facebook",
	"Podimo",
	"Sonic",
	"Trae\\/",
	"Viber",
	"Wayback",
	"coccoc",
	"okhttp",
]);

/**
 * Patterns of isbot that say nothing about anybody: how long a header is, or that it is one product. isbot takes what is no browser's for a bot's;
 * apps send such headers, too ("Podbean/2.1", "iPhone15Pro").
 */
export const shapesOfHeaders: ReadonlySet<string> = new Set([
	"^[\\w \\.\\-\\(?:\\):%]+(?:/v?\\d+(?:\\.\\d+)?(?:\\.\\d{1,10})*?)?(?:,|$)",
	"^[\\w\\-]+/[\\w]+$",
	"^[^ ]{50,}$",
	"^\\w+/[\\w\\(\\)]*$",
	"^\\w+/\\d\\.\\d\\s\\([\\w@]+\\)$",
	"\\b\\w+/1\\.0;",
	// Part of the headers of Internet Explorer.
	"chromeframe",
	// "podcatcher", "AndroidDownloadManager", "Newsly"
	"catch",
	"download",
	"^rss",
	"(?:^|[^g])news(?!sapphire)",
	"\\(\\)",
]);

/** Patterns of isbot that are words of apps and browsers as well: they say nothing in a header that is one's. */
export const wordsOfPeople: ReadonlySet<string> = new Set([
	"(?<! channel/|google/)google(?!(?:wv|app|/google| pixel))",
	"(?<!lib)http",
	"24x7",
	";\\s\\w+;$",
	"@[a-z][\\w-]+\\.",
	"\\.com\\b",
	"\\|",
	"^[<\\(;]",
	"^\\d+\\b",
	"^\\w*search\\b",
	"^amaya",
	"^azure",
	"^client/",
	"^ddg[_-]android",
	"^downcast/",
	"^netsurf",
	"^microsoft bits",
	"^yandex",
	"browsex",
	"capture",
	"detect",
	"discovery",
	"feed",
	"firephp",
	"insight",
	"inspect",
	"java(?!;)",
	"library",
	"measure",
	"offbyone",
	"optimize",
	"preview",
	"proxy",
	"radar",
	"server",
	"sogou",
	"tools",
	"torrent",
	"url",
	"virtuoso",
]);

/** The same for apps alone, and for browsers within them: "autoupdate agent" is one's, "GomezAgent" behind Chrome's name is not. */
export const wordsOfApps: ReadonlySet<string> = new Set(["agent\\b"]);

/**
 * What a browser's header has only where a crawler poses as it: the address of a page, something else in the place of "like Gecko)", a fetcher of
 * Google's.
 */
export const MARK_OF_POSER =
	/https?:\/\/(?!bsalsa\.com|www\.qtweb\.net)\S+|\bwww\.(?!qtweb)\S+|[\w.]@[\w-]+\.[a-z]{2}|like gecko[; ]+(?!version\/|chrome\/)[\w-][^)]*|\bgoogle-[a-z][\w-]*|\bmshots\b|\b[\w-]*fetcher\b|\bgoogle favicon\b/i;

/** Libraries and tools whose header is a product alone, and which crawler-user-agents does not list; and a browser's first word without the rest. */
export const TOOL =
	/^(?:apachebench|apple-pubsub|applicationhealthservice|algoliarecommend|amazon-kendra|arachni|aria2|braze sender|browsershots|buildah|buildkit|bun|cakephp|carrierwave|castopod|collectd|comodo dcv|cpprestsdk|deno|down|faraday|fetch|fuzz faster|geoipupdate|go-containerregistry|gobuster|grafana|grequests|gvfs|hackney|harbor-registry|helm|hexometer|hydra|ifttt|insomnia|invision community|jaunt|kube-probe|kvshclient|l9tcpid|lavf|libdnf|libsoup|linkchain|lwp|m2e pro|mandrill-php|matomo|mediahubmx|mnogosearch|monit|netlyzer|nginx-ssl|nibbler|octopus|pa11y|perimeterx|perlclient|placid\.app|portscout|prometheus|reqwest|request-promise|request\.js|robozilla|ruby|scamadviserexternalhit|scooter|scrapy|sectigo dcv|seobility|shodan|sixy\.ch|skopeo|slim framework|sprinklr|undici|webchk|webcollage|webmon|webpurify|xymon|zeno)(?![a-z])|^mozilla(?:\/\d\.\d)?$/i;
