/**
 * The form of the Log pane: its settings as text, for an audit and for links. log-pane.ts makes it. Fields are found by their names, which
 * are those of LogSettings.
 */
import { type Every, formatNames } from "@robotrie/audit";
import { byId, make } from "../../page/dom.ts";
import { moreFields } from "./log-fields.ts";
import { LOG_FORMAT, type LogSettings } from "./log-messages.ts";

/** Formats that need fields. */
const anyNames: ReadonlyMap<string, string> = new Map([
	["ndjson", "ndjson: any JSON"],
	["csv", "csv: any CSV"],
]);

const everyNames = ["hour", "day", "week", "month"] satisfies readonly Every[];

/** The settings of an audit. */
export class LogForm {
	readonly #form = byId<HTMLFormElement>("log-settings");
	readonly #more: HTMLElement;

	/** @param ranges Takes files of addresses, and lists their names. */
	constructor(ranges: Parameters<typeof moreFields>[0], onChange: () => void) {
		// Settings that few need, and that the page is not loaded with.
		this.#more = moreFields(ranges);
		this.#form.append(this.#more);
		this.#field("format").append(
			make("option", { value: "", textContent: "told from the first lines" }),
			...formatNames.map((name) =>
				make("option", {
					value: name,
					textContent: anyNames.get(name) ?? name,
				}),
			),
			make("option", {
				value: LOG_FORMAT,
				textContent: "log_format: a string",
			}),
		);
		this.#field("groupBy").append(
			make("option", { value: "address", textContent: "address" }),
			make("option", { value: "network", textContent: "network" }),
		);
		this.#field("every").append(
			...everyNames.map((name) =>
				make("option", { value: name, textContent: name }),
			),
		);
		// Four hundred names: for those who look for theirs.
		this.#field("timeZone").addEventListener(
			"focus",
			() =>
				byId("time-zones").append(
					...Intl.supportedValuesOf("timeZone").map((value) =>
						make("option", { value }),
					),
				),
			{ once: true },
		);
		this.#form.addEventListener("input", () => {
			this.#showFields();
			onChange();
		});
		this.#form.addEventListener("submit", (event) => event.preventDefault());
	}

	/** Takes files of addresses, also when they are dropped on it. */
	get more(): HTMLElement {
		return this.#more;
	}

	get settings(): LogSettings {
		return Object.fromEntries(
			new FormData(this.#form),
		) as unknown as LogSettings;
	}

	/** For a link: names of fields and what is in them, where that is not the default. */
	get changed(): Readonly<Record<string, string>> {
		return Object.fromEntries(
			Object.entries(this.settings).filter(
				([name, text]) =>
					text !== "" && !(name === "groupBy" && text === "name"),
			),
		);
	}

	set changed(settings: Readonly<Record<string, string>>) {
		this.#form.reset();
		for (const [name, text] of Object.entries(settings)) {
			const field = this.#form.elements.namedItem(name);
			if (
				field instanceof HTMLInputElement ||
				field instanceof HTMLTextAreaElement
			)
				field.value = text;
			else if (
				field instanceof HTMLSelectElement &&
				// A link may be of another version of the page: an option that is not there would leave the field empty.
				[...field.options].some(({ value }) => value === text)
			)
				field.value = text;
		}
		this.#showFields();
		// What a link sets must be seen.
		byId<HTMLDetailsElement>("log-fold").open =
			Object.keys(this.changed).length > 0;
		const more = byId<HTMLDetailsElement>("log-more");
		more.open = Array.from(
			more.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("[name]"),
		).some(({ value }) => value !== "");
	}

	#field(name: keyof LogSettings): HTMLElement {
		return this.#form.elements.namedItem(name) as HTMLElement;
	}

	/** A string and keys are asked for where the format needs them. */
	#showFields(): void {
		const { format } = this.settings;
		const show = (name: keyof LogSettings, isShown: boolean) => {
			const label = this.#field(name).closest("label");
			if (label) label.hidden = !isShown;
		};
		show("logFormat", format === LOG_FORMAT);
		show("fields", anyNames.has(format));
	}
}
