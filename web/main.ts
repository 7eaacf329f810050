import robotsSample from "../sample/robots.txt?raw";
import urlsSample from "../sample/urls.txt?raw";
import { type Dialect, dialectNames } from "../src/dialect.ts";
import { Asker, type Subject } from "./asker.ts";
import { BenchPane } from "./bench-pane.ts";
import { ByteCodePane } from "./byte-code-pane.ts";
import { CrawlerField } from "./crawler-field.ts";
import { byId, delayed, make } from "./dom.ts";
import type { LogPane } from "./log-pane.ts";
import {
	decodeState,
	encodeState,
	LONGEST_LINK,
	type PageState,
} from "./permalink.ts";
import { Tabs } from "./tabs.ts";
import { TestPane } from "./test-pane.ts";

const notice = byId("notice");
const dialectField = byId<HTMLSelectElement>("dialect");
dialectField.append(
	...dialectNames.map((name) =>
		make("option", { value: name, textContent: name }),
	),
);

const notify = (text: string) => {
	notice.textContent = text;
	notice.hidden = text === "";
};
const setting = () => ({
	agent: crawler.agent,
	dialect: dialectField.value as Dialect,
});
const subject = (): Subject => ({ ...setting(), ...pane.subject });
const newWorker = () =>
	new Worker(new URL("./judge-worker.ts", import.meta.url), { type: "module" });
const judge = new Asker(newWorker(), subject);
const linter = new Asker(newWorker(), subject);

const saveSoon = delayed(saveState, 400);
const crawler = new CrawlerField(() => {
	pane.update();
	updateByteCode();
	saveSoon();
});
const updateByteCode = () => {
	if (tabs.current === "byte-code") void byteCode.show();
};
const pane = new TestPane({
	setting,
	judge,
	linter,
	notify,
	onChange: () => saveSoon(),
});
const byteCode = new ByteCodePane({ judge, notify });
new BenchPane();
const tabs = new Tabs((name) => {
	document.body.dataset.pane = name;
	saveSoon();
	if (name === "byte-code") void byteCode.show(pane.url);
	if (name === "log") void showLog();
});

/** The pane's code is loaded for those who open it; until then what a link says of it is kept. */
let logPane: LogPane | undefined;
let logSettings: PageState["log"] = {};

async function showLog(): Promise<void> {
	const { LogPane: Pane } = await import("./log-pane.ts");
	if (!logPane) {
		logPane = new Pane({
			dialect: () => setting().dialect,
			robots: () => pane.robots,
			onChange: () => saveSoon(),
		});
		logPane.settings = logSettings;
	}
	logPane.show();
}

dialectField.addEventListener("change", () => {
	pane.updateAll();
	updateByteCode();
	saveSoon();
});

/** In front of the sample's URLs, as the dialects, or rules of several lengths, meet on them. */
const instructive = [
	"https://example.com/tee/gr%C3%BC%6E/lager/1",
	"https://example.com/forum/user/7/print",
	"https://example.com/internal/press-kit.pdf",
	"https://example.com/search?q=oolong&sort=price",
	"example.com/without-a-scheme",
];

const initial: PageState = {
	pane: "test",
	agent: "DuckDuckBot",
	dialect: "rfc9309",
	robots: robotsSample,
	urls: [...instructive, urlsSample.trimEnd()].join("\n"),
	log: {},
};

function state(): PageState {
	const { robots, urls } = pane;
	const log = logPane?.settings ?? logSettings;
	return { pane: tabs.current, ...setting(), robots, urls, log };
}

function show(shown: PageState): void {
	crawler.agent = shown.agent;
	dialectField.value = shown.dialect;
	pane.setUrls(shown.urls);
	pane.setRobots(shown.robots);
	logSettings = shown.log;
	if (logPane) logPane.settings = logSettings;
	pane.updateAll();
	tabs.show(shown.pane);
}

/** What the page wrote to the address itself, so that it need not read it. */
let ownHash = location.hash;

async function saveState(): Promise<boolean> {
	const { robots, urls } = pane;
	// More than this takes long to pack, at every change, and no link could carry it.
	if (robots.length + urls.length > 8 * LONGEST_LINK) return false;
	const hash = `#${await encodeState(state())}`;
	if (hash.length > LONGEST_LINK) return false;
	ownHash = hash;
	history.replaceState(null, "", hash);
	return true;
}

async function loadState(): Promise<void> {
	if (location.hash.length < 2) {
		show(initial);
		return;
	}
	ownHash = location.hash;
	try {
		show(await decodeState(ownHash));
	} catch {
		show(initial);
		notify("The link is damaged; this is the sample instead.");
	}
}

addEventListener("hashchange", () => {
	if (location.hash !== ownHash) void loadState();
});

const copyButton = byId<HTMLButtonElement>("copy-link");
copyButton.addEventListener("click", async () => {
	if (!(await saveState())) {
		notify("The files are too large for a link.");
		return;
	}
	try {
		await navigator.clipboard.writeText(location.href);
		copyButton.textContent = "Copied";
	} catch {
		copyButton.textContent = "Link is in the address bar";
	}
	setTimeout(() => {
		copyButton.textContent = "Copy link";
	}, 2000);
});

await loadState();
crawler.suggest((await linter.ask("crawlers")) ?? []);
