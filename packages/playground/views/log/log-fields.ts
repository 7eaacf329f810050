/**
 * Fields of the Log pane that few need, made in code so that the page's HTML need not have them. log-form.ts adds them to its form; a
 * field's name is its key in LogSettings and in links, so it stays as it is.
 */
import { make } from "../../page/dom.ts";
import type { LogSettings } from "./log-messages.ts";

type Name = keyof LogSettings;

function field(text: string, input: HTMLElement): HTMLElement {
	return make("label", {}, text, input);
}

const patterns = (name: Name, placeholder: string) =>
	make("textarea", { name, rows: 2, placeholder, spellcheck: false });

/** Settings that few need, folded up; `ranges` takes files. */
export function moreFields(ranges: {
	readonly input: HTMLInputElement;
	readonly names: HTMLElement;
}): HTMLElement {
	return make(
		"details",
		{ className: "whole more", id: "log-more" },
		make("summary", { textContent: "Who is it really?" }),
		make(
			"div",
			{ className: "fields" },
			field(
				"People’s headers, one pattern per line",
				patterns("people", "Mozilla/*chromeframe*"),
			),
			field(
				"Crawlers’ headers, one pattern per line",
				patterns("crawlers", "InhouseFetcher*"),
			),
			field(
				"Proxies whose X-Forwarded-For counts",
				make("input", {
					name: "trustedProxies",
					spellcheck: false,
					placeholder: "none; 10.0.0.0/8, or how many: 1",
				}),
			),
			make(
				"div",
				{ className: "ranges" },
				make(
					"label",
					{ className: "file" },
					"Open published addresses",
					ranges.input,
				),
				ranges.names,
			),
			make("p", {
				className: "quiet whole",
				textContent:
					"Files of addresses that operators publish, such as gptbot.json, tell a crawler from others that use its name.",
			}),
		),
	);
}
