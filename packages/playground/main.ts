/**
 * The page: makes the workers, the panes and the address, and tells each of changes in the others. index.html loads it. The setting (crawler
 * and dialect), robots.txt and URLs belong to all panes. What is not needed for the first verdicts is loaded when its pane is opened, or by
 * the service worker. Functions here name constants that are made further down: none of them runs before the last of the `await`s.
 */

import { type Dialect, dialectNames } from "robotrie";
import { keepPageOnDrop } from "./files/files.ts";
import { Asker, type Subject } from "./page/asker.ts";
import { CrawlerField } from "./page/crawler-field.ts";
import { byId, make, pause } from "./page/dom.ts";
import { part } from "./page/part.ts";
import type { PageState } from "./page/permalink.ts";
import { Tabs } from "./page/tabs.ts";
import { Whose } from "./page/whose.ts";
import type { AiPane } from "./views/ai/ai-pane.ts";
import { AskPane } from "./views/ask/ask-pane.ts";
import type { ByteCodePane } from "./views/byte-code/byte-code-pane.ts";
import type { ComparePane } from "./views/compare/compare-pane.ts";
import type { LogPane } from "./views/log/log-pane.ts";
import { TestPane } from "./views/test/test-pane.ts";
import { Address, LAST_PANE } from "./work/address.ts";
import { shop } from "./work/shop.ts";

byId("not-started").remove();
const notice = byId("notice");
const dialectField = byId<HTMLSelectElement>("dialect");
// The first one is in the page, so that the field has its width before.
dialectField.replaceChildren(
	...["auto", ...dialectNames].map((name) =>
		make("option", {
			value: name,
			textContent: name === "auto" ? "each crawler’s own" : name,
		}),
	),
);

const notify = (text: string) => {
	byId("notice-text").textContent = text;
	notice.hidden = text === "";
};
byId("notice-close").addEventListener("click", () => notify(""));
const setting = () => ({
	agent: crawler.agent,
	dialect: dialectField.value as Dialect | "auto",
});
const subject = (): Subject => ({
	...setting(),
	...pane.subject,
	only: whose.only,
});
const newWorker = () =>
	new Worker(new URL("./worker/judge-worker.ts", import.meta.url), {
		type: "module",
	});
const judge = new Asker(newWorker, subject);
// Starts after the judge has answered: verdicts come first, and the second worker finds the script in the browser's cache.
const linter = new Asker(newWorker, subject, judge);

/** The view that was shown here, or left last with work of one's own; beginners have one question. */
const firstPane = (): string => {
	try {
		return history.state?.pane ?? localStorage.getItem(LAST_PANE) ?? "ask";
	} catch {
		// The browser lets no page keep anything.
		return "ask";
	}
};
const initial = {
	pane: firstPane(),
	agent: shop.agent,
	dialect: "auto",
	robots: shop.robots,
	urls: shop.urls,
	log: {},
	compare: undefined,
	ask: "",
	ai: "",
} satisfies PageState;

const linkParts = () => ({
	pane: tabs.current,
	log: logPane?.settings ?? logSettings,
	compare: comparePane?.files ?? compared,
	ask: askPane.url,
	ai: aiPane?.path ?? aiPath,
});
const address = new Address({
	state: () => ({
		...linkParts(),
		...setting(),
		robots: pane.robots,
		urls: pane.subject.urls.text(),
	}),
	link: linkParts,
	length: () => {
		const { before, after } = linkParts().compare ?? { before: "", after: "" };
		return pane.length + before.length + after.length;
	},
	show,
	initial,
	linter,
	notify,
});
const saveSoon = () => {
	// Whatever it was about has changed; what still holds is said again.
	notify("");
	address.saveSoon();
};
const titles: Readonly<Record<string, string>> = {
	ask: "may this crawler fetch this URL?",
	ai: "what may AI crawlers do with a site?",
	log: "who disregards robots.txt, by a log",
	test: "a robots.txt and many URLs",
	compare: "what changes between two robots.txt files?",
	"byte-code": "a robots.txt as byte-code",
	bench: "how fast is it in this browser?",
};
const updateByteCode = () => {
	if (tabs.current === "byte-code") void byteCode?.show();
};
/** What functions here name is made. */
let isComplete = false;
/** The page has shown what its address stood for. */
let isLoaded = false;
// Else the layout of what is made here belongs to the task of the script, which on a phone had 110 ms.
await pause();
const pane = await TestPane.open(
	{
		setting,
		onRecognised: (recognised) => {
			crawler.recognised = recognised;
		},
		useOwnDialect: () => {
			dialectField.value = "auto";
			dialectField.dispatchEvent(new Event("change"));
			dialectField.focus();
		},
		judge,
		linter,
		notify,
		question: (url) => whose.question(url),
		onChange: () => {
			saveSoon();
			if (isComplete) showWhose();
			// A file that was opened under Test may be there only when another view is shown, which would go on with the one before.
			if (isComplete && tabs.current !== "test") updateShown();
		},
		beforeReplaced: () => address.keepVersion(),
	},
	location.hash.length > 1 ? { robots: "", urls: "" } : initial,
);
const whose = new Whose({
	source: () => pane.subject.robots,
	length: () => pane.robotsLength,
	setRobots: (text) => void replaceRobots(text),
	onAccepted: () => {
		pane.updateAll();
		updateShown();
		if (["ask", "ai"].includes(tabs.current)) void openPart(tabs.current);
	},
});
const showWhose = () => {
	whose.show();
	const { words } = whose;
	byId("test-whose").textContent =
		words === undefined
			? "Paste a robots.txt and URLs to see which of them the crawler may fetch, and which rule decides."
			: `This is ${words}, which judges no other site: paste yours, and URLs.`;
};
/** What was pasted takes the place of the sample. */
async function replaceRobots(text: string): Promise<void> {
	await address.keepVersion();
	pane.setRobots(text);
}
await pause();
const crawler = new CrawlerField(() => {
	pane.update();
	updateByteCode();
	updateCompare();
	saveSoon();
});
const tabs = new Tabs((name) => {
	document.body.dataset.pane = name;
	document.title = `robotrie: ${titles[name]}`;
	rememberPane(name);
	// Nothing of the work has changed.
	notify("");
	address.saveLinkSoon();
	if (name === "test") pane.show();
	void openPart(name);
});

/** The work that an entry of the history belongs to: a link that is opened in the same tab begins other work. */
let work: unknown = history.state?.work;

/** Makes Back lead to the pane that was shown before. What was worked on stays as it is. */
function rememberPane(pane: string): void {
	const { state } = history;
	if (state?.pane === pane) return;
	if (state) history.pushState({ pane, work }, "");
	else {
		work = Date.now();
		history.replaceState({ pane, work }, "");
	}
}

addEventListener("popstate", ({ state }) => {
	if (!state) return;
	// Other work is shown by its address, on hashchange.
	if (state.work !== work) work = state.work;
	else {
		// The entry's address is that of older work.
		tabs.show(state.pane);
		address.replace();
	}
});

keepPageOnDrop(() =>
	notify("Drop files on robots.txt, on URLs, or on a card under Log."),
);

/** The pane's code is loaded for those who open it; until then what a link says of it is kept. */
let logPane: LogPane | undefined;
let logSettings: PageState["log"] = {};

const loadLog = part(async () => {
	const { LogPane: Pane } = await import("./views/log/log-pane.ts");
	logPane = new Pane({
		whose,
		setRobots: (text) => void replaceRobots(text),
		dialect: () => setting().dialect,
		robots: () => pane.robots,
		onChange: () => saveSoon(),
		notify,
		foreign: (bytes) => linter.ask("foreign", { bytes }),
		decode: (file) => linter.ask("read", { file }),
	});
	logPane.settings = logSettings;
	return logPane;
});

const askPane = new AskPane({
	...{ asker: judge, whose, setting, notify },
	setAgent: (agent) => {
		crawler.agent = agent;
		pane.update();
		saveSoon();
	},
	robots: () => pane.robots,
	setRobots: (robots) => pane.setRobots(robots),
	onChange: () => saveSoon(),
});
askPane.takeTyped();

let aiPane: AiPane | undefined;
let aiPath = "";
const loadAi = part(async () => {
	const { AiPane: Pane } = await import("./views/ai/ai-pane.ts");
	aiPane = new Pane({
		asker: judge,
		whose,
		goToLine: (line) => {
			tabs.show("test");
			pane.goToLine(line);
		},
		copyLink: (button) => address.copy(button),
		onChange: () => saveSoon(),
		notify,
	});
	aiPane.path = aiPath;
	return aiPane;
});

let byteCode: ByteCodePane | undefined;
const loadByteCode = part(async () => {
	const { ByteCodePane: Pane } = await import(
		"./views/byte-code/byte-code-pane.ts"
	);
	byteCode = new Pane({ judge, notify });
	return byteCode;
});

let comparePane: ComparePane | undefined;
let compared: PageState["compare"];
const loadCompare = part(async () => {
	const { ComparePane: Pane } = await import("./views/compare/compare-pane.ts");
	// The files that are compared go with each question; the subject's robots.txt would only be copied for nothing.
	const robots = { source: () => "" };
	comparePane = new Pane({
		asker: new Asker(
			newWorker,
			() => ({ ...setting(), robots, urls: pane.subject.urls }),
			judge,
		),
		robots: () => pane.robots,
		onChange: () => saveSoon(),
		notify,
	});
	comparePane.files = compared ?? comparePane.example(shop.robots);
	return comparePane;
});
const updateCompare = () => {
	if (tabs.current !== "compare" || !comparePane) return;
	// What was compared for an example is no longer about what the page is about.
	comparePane.replaceExample(shop.robots, pane.robots);
	void comparePane.compare();
};

const loadBench = part(async () => {
	const { BenchPane } = await import("./views/bench/bench-pane.ts");
	return new BenchPane();
});

/** What the view that is shown says of robots.txt and URLs is no longer so. */
const updateShown = () => {
	updateByteCode();
	updateCompare();
	if (tabs.current === "log") logPane?.show();
	if (tabs.current === "ask") askPane.follow();
	if (tabs.current === "ai") void aiPane?.show();
};

/** The notice is that a pane's code could not be loaded: only that one is cleared when it can be. */
let partIsMissing = false;

async function openPart(name: string): Promise<void> {
	try {
		if (name === "compare") {
			await loadCompare();
			updateCompare();
		}
		if (name === "log") (await loadLog()).show();
		if (name === "ask") askPane.show(pane.url);
		if (name === "ai") void (await loadAi()).show();
		if (name === "byte-code") {
			const loaded = await loadByteCode();
			if (pane.url !== "") byId<HTMLInputElement>("step-url").value = pane.url;
			void loaded.show();
		}
		if (name === "bench") await loadBench();
		// Only that notice: another one may still hold.
		if (partIsMissing) notify("");
		partIsMissing = false;
	} catch {
		partIsMissing = true;
		notify(
			"This part of the page could not be loaded. Are you offline? Open it again later.",
		);
	}
}

const toggle = byId("settings-toggle");
toggle.addEventListener("click", () => {
	const isOpen = byId("settings").classList.toggle("open");
	toggle.ariaExpanded = String(isOpen);
});

addEventListener("online", () => void openPart(tabs.current));

const sampleField = byId<HTMLSelectElement>("sample");
sampleField.addEventListener("change", async () => {
	const chosen = sampleField.value;
	// The same sample may be chosen again, after it was edited.
	sampleField.value = "";
	const isLast = pane.forgetFiles();
	const loaded = await import("./work/samples.ts").catch(() => undefined);
	if (!loaded) notify("The samples could not be loaded. Are you offline?");
	const sample = loaded?.samples.find(({ name }) => name === chosen);
	if (!sample) return;
	const { agent, dialect, robots, urls } = sample;
	// A sample is shown under Test, whatever pane it was chosen from; what other panes hold stays.
	await address.keepVersion();
	if (!isLast()) return;
	show({ ...linkParts(), pane: "test", agent, dialect, robots, urls });
});

dialectField.addEventListener("change", () => {
	pane.updateAll();
	updateByteCode();
	updateCompare();
	if (tabs.current === "log") logPane?.show();
	if (["ask", "ai"].includes(tabs.current)) void openPart(tabs.current);
	saveSoon();
});

/**
 * Shows a state everywhere. Crawler and dialect first, as setting the texts asks about verdicts; the pane after them, as opening it reads all
 * the rest. Panes that are not loaded find theirs in `logSettings`, `compared` and `aiPath`.
 */
function show(shown: PageState, keepsWork = false): void {
	if (!keepsWork) {
		// What the address stands for comes by itself: a file that somebody was quick to open arrives after it.
		if (isLoaded) pane.forgetFiles();
		crawler.agent = shown.agent;
		dialectField.value = shown.dialect;
		pane.setUrls(shown.urls);
		pane.setRobots(shown.robots);
	}
	logSettings = shown.log;
	if (logPane) logPane.settings = logSettings;
	compared = shown.compare;
	if (isLoaded || shown.ask !== "") askPane.url = shown.ask;
	aiPath = shown.ai;
	if (aiPane) aiPane.path = aiPath;
	if (comparePane && compared) comparePane.files = compared;
	// The view first, whose question is then the first to be answered.
	tabs.show(shown.pane);
	pane.updateAll();
	showWhose();
}

isComplete = true;
await address.load();
isLoaded = true;
crawler.suggest((await linter.ask("crawlers")) ?? []);
// All other parts are loaded ahead. Without a service worker, as in a private window, they are loaded when they are opened.
navigator.serviceWorker?.register("./service-worker.js").catch(() => {});
