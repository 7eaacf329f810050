/**
 * The page: makes the workers, the panes and the address, and tells each of changes in the others. index.html loads it. The setting (crawler
 * and dialect), robots.txt and URLs belong to all panes. What is not needed for the first verdicts is loaded when its pane is opened, or by
 * the service worker. Functions here name constants that are made further down: none of them runs before the last of the `await`s.
 */
import { AUTO, type DialectChoice, dialectChoices } from "robotrie/internal";
import { Address } from "./address.ts";
import type { AiPane } from "./ai-pane.ts";
import type { AskPane } from "./ask-pane.ts";
import { Asker, type Subject } from "./asker.ts";
import type { ByteCodePane } from "./byte-code-pane.ts";
import type { ComparePane } from "./compare-pane.ts";
import { CrawlerField } from "./crawler-field.ts";
import { byId, make, once, pause } from "./dom.ts";
import { keepPageOnDrop } from "./files.ts";
import type { LogPane } from "./log-pane.ts";
import { part } from "./part.ts";
import type { PageState } from "./permalink.ts";
import { shop } from "./shop.ts";
import { Tabs } from "./tabs.ts";
import { TestPane } from "./test-pane.ts";

byId("not-started").remove();
const notice = byId("notice");
const dialectField = byId<HTMLSelectElement>("dialect");
// The first one is in the page, so that the field has its width before.
dialectField.replaceChildren(
	...dialectChoices.map((name) =>
		make("option", {
			value: name,
			textContent: name === AUTO ? "each crawler’s own" : name,
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
	dialect: dialectField.value as DialectChoice,
});
const subject = (): Subject => ({ ...setting(), ...pane.subject });
const newWorker = () =>
	new Worker(new URL("./judge-worker.ts", import.meta.url), { type: "module" });
const judge = new Asker(newWorker, subject);
// Starts after the judge has answered: verdicts come first, and the second worker finds the script in the browser's cache.
const linter = new Asker(newWorker, subject, judge);

const initial = {
	pane: "test",
	agent: shop.agent,
	dialect: AUTO,
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
	ask: askPane?.url ?? asked,
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
			dialectField.value = AUTO;
			dialectField.dispatchEvent(new Event("change"));
			dialectField.focus();
		},
		judge,
		linter,
		notify,
		onChange: () => {
			saveSoon();
			// A file that was opened under Test may be there only when another view is shown, which would go on with the one before.
			if (isComplete && tabs.current !== "test") updateShown();
		},
		beforeReplaced: () => address.keepVersion(),
	},
	location.hash.length > 1 ? { robots: "", urls: "" } : initial,
);
await pause();
const crawler = new CrawlerField(() => {
	pane.update();
	updateByteCode();
	updateCompare();
	saveSoon();
});
const tabs = new Tabs((name) => {
	document.body.dataset.pane = name;
	rememberPane(name);
	saveSoon();
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
	const { LogPane: Pane } = await import("./log-pane.ts");
	logPane = new Pane({
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

/** For the views that ask what the Test pane asks as well, at the same time. */
const secondJudge = once(() => new Asker(newWorker, subject, judge));

let askPane: AskPane | undefined;
let asked = "";
const loadAsk = part(async () => {
	const { AskPane: Pane } = await import("./ask-pane.ts");
	askPane = new Pane({
		asker: secondJudge(),
		setting,
		setAgent: (agent) => {
			crawler.agent = agent;
			pane.update();
			saveSoon();
		},
		robots: () => pane.robots,
		setRobots: (robots) => pane.setRobots(robots),
		onChange: () => saveSoon(),
	});
	return askPane;
});

let aiPane: AiPane | undefined;
let aiPath = "";
const loadAi = part(async () => {
	const { AiPane: Pane } = await import("./ai-pane.ts");
	aiPane = new Pane({
		asker: secondJudge(),
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
	const { ByteCodePane: Pane } = await import("./byte-code-pane.ts");
	byteCode = new Pane({ judge, notify });
	return byteCode;
});

let comparePane: ComparePane | undefined;
let compared: PageState["compare"];
const loadCompare = part(async () => {
	const { ComparePane: Pane, nextVersion } = await import("./compare-pane.ts");
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
	comparePane.files = compared ?? {
		before: pane.robots,
		after: nextVersion(pane.robots, shop.robots),
		byUrls: false,
	};
	return comparePane;
});
const updateCompare = () => {
	if (tabs.current === "compare") void comparePane?.compare();
};

const loadBench = part(async () => {
	const { BenchPane } = await import("./bench-pane.ts");
	return new BenchPane();
});

/** What the view that is shown says of robots.txt and URLs is no longer so. */
const updateShown = () => {
	updateByteCode();
	updateCompare();
	if (tabs.current === "log") logPane?.show();
	if (tabs.current === "ask") askPane?.follow();
	if (tabs.current === "ai") void aiPane?.show();
};

/** The notice is that a pane's code could not be loaded: only that one is cleared when it can be. */
let partIsMissing = false;

async function openPart(name: string): Promise<void> {
	try {
		if (name === "compare") void (await loadCompare()).compare();
		if (name === "log") (await loadLog()).show();
		if (name === "ask") (await loadAsk()).show(asked || pane.url);
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

addEventListener("online", () => void openPart(tabs.current));

const sampleField = byId<HTMLSelectElement>("sample");
sampleField.addEventListener("change", async () => {
	const chosen = sampleField.value;
	// The same sample may be chosen again, after it was edited.
	sampleField.value = "";
	const isLast = pane.forgetFiles();
	const loaded = await import("./samples.ts").catch(() => undefined);
	if (!loaded) notify("The samples could not be loaded. Are you offline?");
	const sample = loaded?.samples.find(({ name }) => name === chosen);
	if (!sample) return;
	const { agent, dialect, robots, urls } = sample;
	// A sample is shown under Test, whatever pane it was chosen from; what other panes hold stays.
	const { pane: first } = initial;
	await address.keepVersion();
	if (!isLast()) return;
	show({ ...linkParts(), pane: first, agent, dialect, robots, urls });
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
 * Shows a state everywhere. Crawler and dialect first, as setting the texts asks about verdicts; the pane last, as opening it reads all the
 * rest. Panes that are not loaded find theirs in `logSettings`, `compared`, `asked` and `aiPath`.
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
	asked = shown.ask;
	if (askPane) askPane.url = asked;
	aiPath = shown.ai;
	if (aiPane) aiPane.path = aiPath;
	if (comparePane && compared) comparePane.files = compared;
	pane.updateAll();
	tabs.show(shown.pane);
}

isComplete = true;
await address.load();
isLoaded = true;
crawler.suggest((await linter.ask("crawlers")) ?? []);
// All other parts are loaded ahead. Without a service worker, as in a private window, they are loaded when they are opened.
navigator.serviceWorker?.register("./service-worker.js").catch(() => {});
