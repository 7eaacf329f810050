/**
 * Whose robots.txt the page judges by. While it is a sample, untouched, it says nothing about other sites: their URLs and logs are not judged
 * by it until the reader says so. main.ts makes one Whose, and all views ask it; the bar that it shows has a place for the reader's own file.
 */
import { byId, make } from "./dom.ts";
import { hostOf, robotsAddress } from "./url-text.ts";

/** The samples' texts, by their lengths: a checksum, as only one of them comes with the page, and the host that each is of. */
const samples: ReadonlyMap<number, readonly [checksum: number, host: string]> =
	new Map([
		[1902, [880901987, "example.com"]],
		[271, [358406565, "news.example"]],
		[190, [2274041046, "shop.example"]],
		[310, [3801754683, ""]],
	]);

/** FNV-1a of UTF-16 code units. */
export function checksumOf(text: string): number {
	let sum = 0x811c9dc5;
	for (let at = 0; at < text.length; at++)
		sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193);
	return sum >>> 0;
}

/** The host of the sample that a text is, "" for one that is of no host; undefined for all other texts. */
export function sampleHost(robots: string | Uint8Array): string | undefined {
	const [checksum, host] = samples.get(robots.length) ?? [];
	return typeof robots === "string" && checksumOf(robots) === checksum
		? host
		: undefined;
}

/** What is needed of the page. */
interface Page {
	/** A new object at each change, which is asked for its text only where the length is that of a sample. */
	readonly source: () => { readonly source: () => string | Uint8Array };
	readonly length: () => number;
	readonly setRobots: (text: string) => void;
	/** The reader takes the sample's rules for those of other sites. */
	readonly onAccepted: () => void;
}

/** Tells whether the page's robots.txt is the reader's own. */
export class Whose {
	readonly #page: Page;
	#known: unknown;
	#host: string | undefined;
	#isAccepted = false;

	constructor(page: Page) {
		this.#page = page;
		byId("whose-paste").append(pasteBox(page.setRobots));
	}

	/** The host of the sample that the robots.txt is; undefined once it is the reader's own. */
	get host(): string | undefined {
		const source = this.#page.source();
		if (source !== this.#known) {
			this.#known = source;
			this.#host = samples.has(this.#page.length())
				? sampleHost(source.source())
				: undefined;
			this.#isAccepted &&= this.#host !== undefined;
		}
		return this.#host;
	}

	/** The only host whose URLs are judged; undefined where all are. */
	get only(): string | undefined {
		const { host } = this;
		return this.#isAccepted ? undefined : host;
	}

	/** "the sample’s robots.txt, of example.com"; undefined where it is the reader's own. */
	get words(): string | undefined {
		const { host } = this;
		if (host === undefined) return undefined;
		return `the sample’s robots.txt${host === "" ? "" : `, of ${host}`}`;
	}

	/** Shows the bar while the robots.txt is a sample. */
	show(): void {
		byId("whose").hidden = this.host === undefined;
		byId("whose-words").textContent = `This is ${this.words}.`;
	}

	/** From now on all URLs and logs are judged by the sample, until it is replaced. */
	accept(): void {
		this.#isAccepted = true;
		this.#page.onAccepted();
	}

	/** What to ask before a URL is judged; undefined where it may be. */
	question(url: string): HTMLElement | undefined {
		const { only } = this;
		const host = hostOf(url);
		if (only === undefined || host === undefined || host === only)
			return undefined;
		return make(
			"div",
			{ className: "whose-question" },
			make(
				"p",
				{},
				`${only === "" ? "The sample’s" : `${only}’s`} robots.txt, `,
				"the sample, says nothing about ",
				make("strong", { textContent: host }),
				". ",
				...whereToFind(url),
			),
			pasteBox(this.#page.setRobots),
			make("button", {
				type: "button",
				textContent: "Judge by the sample all the same",
				onclick: () => this.accept(),
			}),
		);
	}
}

/** Where the robots.txt of a URL's site is, which no page may fetch by itself. */
export function whereToFind(url: string): (Node | string)[] {
	const href = robotsAddress(url);
	if (href === undefined) return [];
	return [
		"Open ",
		make("a", {
			href,
			target: "_blank",
			rel: "noreferrer",
			textContent: href.replace(/^https?:\/\//, ""),
		}),
		", copy all of it, and paste it here.",
	];
}

/** A field that takes a whole robots.txt: at once when it is pasted, and what is typed when the field is left. */
export function pasteBox(onText: (text: string) => void): HTMLElement {
	const field = make("textarea", {
		className: "paste mono",
		rows: 1,
		spellcheck: false,
		placeholder: "Paste yours here",
		ariaLabel: "Paste your robots.txt here",
	});
	const take = () => {
		const { value } = field;
		if (value.trim() === "") return;
		field.value = "";
		onText(value);
	};
	field.addEventListener("input", (event) => {
		if (/^insertFrom/.test((event as InputEvent).inputType)) take();
	});
	field.addEventListener("change", take);
	return field;
}
