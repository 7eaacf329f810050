/**
 * Reads the values of Content-Signal and Content-Usage lines (contentsignals.org; the drafts of the IETF's aipref group). preferences.ts
 * asks what they say, other-fields.ts what is wrong with them.
 */
import { parseDictionary, Token } from "structured-headers";
import { shorten } from "../common/wording.ts";

/** How far content may be used, from the least to the most: the values of the signal `use`. */
export const useLevels = ["immediate", "reference", "full"] as const;

/**
 * How far content may be used: `immediate`, for the moment, nothing kept; `reference`, indexed, quoted and linked; `full`, summarised and
 * reproduced.
 */
export type UseLevel = (typeof useLevels)[number];

/** What a Content-Signal or Content-Usage line says about uses of the pages below a path. */
interface UsageStatement {
	/** Pattern as in rules; "/" where the line names none. */
	readonly path: string;
	/** By category of use, whether it is wanted. */
	readonly uses: ReadonlyMap<string, boolean>;
	/** The signal `use`; undefined without one. */
	readonly level?: UseLevel | undefined;
}

/** A statement, and what is wrong with it: even one that says nothing may be the most specific. */
export interface ReadStatement {
	readonly statement: UsageStatement;
	/** For each part that does not count, why. */
	readonly faults: readonly string[];
}

/** The path, if the value begins with one, and what follows it. */
function splitPath(value: string): { path: string; rest: string } {
	const [, path = "/", rest = ""] =
		/^(\/[^ \t]*)?[ \t]*(.*)$/s.exec(value) ?? [];
	return { path, rest };
}

const signals: ReadonlySet<string> = new Set([
	"search",
	"ai-input",
	"ai-train",
]);

const isLevel = (text: string): text is UseLevel =>
	(useLevels as readonly string[]).includes(text);

/**
 * `[path] signal=value, …` in any case: search, ai-input and ai-train, yes or no (contentsignals.org, and
 * draft-romm-aipref-contentsignals-00), and use, immediate, reference or full (Cloudflare, since June 2026). The policy writes them
 * without a path; one in front limits them to the pages below it, as in a Content-Usage line.
 */
export function readContentSignal(value: string): ReadStatement {
	const { path, rest } = splitPath(value);
	const uses = new Map<string, boolean>();
	const faults: string[] = [];
	let level: UseLevel | undefined;
	for (const part of rest.split(",")) {
		if (part.trim() === "") continue;
		const [name = "", answer] = part
			.toLowerCase()
			.split("=", 2)
			.map((text) => text.trim());
		if (part.includes(";"))
			faults.push('signals are separated by ",", not ";"');
		else if (name === "use" && answer !== undefined && isLevel(answer)) {
			// Said twice, the restriction counts.
			if (!level || useLevels.indexOf(answer) < useLevels.indexOf(level))
				level = answer;
		} else if (name === "use")
			faults.push(`use is ${useLevels.slice(0, -1).join(", ")} or full`);
		else if (!signals.has(name)) faults.push(unknownSignal(name));
		else if (answer === "yes" || answer === "no")
			uses.set(name, answer === "yes" && uses.get(name) !== false);
		else faults.push(`${name} is yes or no`);
	}
	if (uses.size === 0 && !level && faults.length === 0)
		faults.push("it names no signal, such as ai-train=no");
	return { statement: { path, uses, level }, faults };
}

function unknownSignal(name: string): string {
	const meant = /train/.test(name)
		? "ai-train"
		: /input|ground|rag/.test(name)
			? "ai-input"
			: /search|index/.test(name)
				? "search"
				: undefined;
	const known = meant
		? `perhaps ${meant} is meant`
		: "the signals are search, ai-input, ai-train and use";
	return `"${shorten(name)}" is not a signal; ${known}`;
}

/** Categories of draft-ietf-aipref-vocab-08, for advice only: a line may hold others. */
const categories: ReadonlySet<string> = new Set([
	"ai-use",
	"search",
	"train-ai",
]);

/**
 * `[path] category=y|n, …`, a dictionary of RFC 9651 §3.2 (draft-ietf-aipref-attach-05, "Robots Exclusion Protocol
 * Content-Usage Rule"; draft-ietf-aipref-vocab-08, "Exemplary Serialization Format"). A value that is neither `y` nor `n`,
 * or a dictionary that does not parse, leaves preferences unknown.
 */
export function readContentUsage(value: string): ReadStatement {
	const { path, rest } = splitPath(value);
	const uses = new Map<string, boolean>();
	const faults: string[] = [];
	try {
		for (const [label, [value, parameters]] of parseDictionary(rest)) {
			const answer = value instanceof Token ? value.toString() : undefined;
			if (answer === "y" || answer === "n") uses.set(label, answer === "y");
			// Content-Signal has this name, and yes and no.
			if (label === "ai-train")
				faults.push(
					`"ai-train" is no category here; perhaps train-ai=${/^n/i.test(answer ?? "n") ? "n" : "y"} is meant`,
				);
			else if (answer !== "y" && answer !== "n")
				faults.push(`${shorten(label)} is y or n`);
			for (const name of parameters.keys())
				if (categories.has(name))
					faults.push(`${name} stands after ";", where "," belongs`);
		}
	} catch {
		faults.push("preferences are a dictionary, such as train-ai=n, search=y");
	}
	if (uses.size === 0 && faults.length === 0)
		faults.push("it states no preference, such as train-ai=n");
	return { statement: { path, uses }, faults };
}
