/**
 * What all panes do with the page's elements. Loaded with the page, so it holds only what most of them need; nothing here takes HTML from a
 * reader.
 */

/** The page's element of an id; the page has it, or is broken. */
export function byId<E extends HTMLElement = HTMLElement>(id: string): E {
	const element = document.getElementById(id);
	if (!element) throw new Error(`no element ${id}`);
	return element as E;
}

/** An element with properties and children; strings become text, never HTML. */
export function make<K extends keyof HTMLElementTagNameMap>(
	name: K,
	properties: Partial<Omit<HTMLElementTagNameMap[K], "style">> = {},
	...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
	const element = document.createElement(name);
	Object.assign(element, properties);
	element.append(...children);
	return element;
}

/**
 * Puts a pane's markup into its place. It is a file of the build, loaded with the pane, never text of a reader: this is the one place that
 * writes HTML.
 */
export function fillPane(name: string, markup: string): void {
	byId(`pane-${name}`).innerHTML = markup;
}

/** Calls `run` once, some milliseconds after the last of many calls, unless that is cancelled. */
export function delayed(
	run: () => void,
	milliseconds: number,
): { (): void; readonly cancel: () => void } {
	let timer: number | undefined;
	const cancel = () => window.clearTimeout(timer);
	const call = () => {
		cancel();
		timer = window.setTimeout(run, milliseconds);
	};
	return Object.assign(call, { cancel });
}

/** Makes something when it is first asked for. The wrapper lets it be undefined, too. */
export function once<Thing>(build: () => Thing): () => Thing {
	let made: { readonly thing: Thing } | undefined;
	return () => {
		made ??= { thing: build() };
		return made.thing;
	};
}

/** "1,234". `toLocaleString` says the same, but its first call loads the locale's data, 29 ms of CPU at the page's start. */
export function grouped(count: number): string {
	return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** "1,234 URLs", "1 URL". */
export function counted(count: number, noun: string): string {
	return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/**
 * Lets the browser draw and answer before the next step of a start that takes long. A message, not a timer: timers that are nested are
 * delayed.
 */
export function pause(): Promise<void> {
	return new Promise((resolve) => {
		const { port1, port2 } = new MessageChannel();
		port1.onmessage = () => {
			port1.close();
			resolve();
		};
		port2.postMessage(null);
	});
}
