import { parseDictionary, Token } from "structured-headers";

/** What a Content-Signal or Content-Usage line says about uses of the pages below a path. */
export interface UsageStatement {
	/** Pattern as in rules; "/" where the line names none. */
	readonly path: string;
	/** By category of use, whether it is wanted. */
	readonly uses: ReadonlyMap<string, boolean>;
}

/** A statement, and what is wrong with it: even one that says nothing may be the most specific. */
export interface ReadStatement {
	readonly statement: UsageStatement;
	readonly fault: string | undefined;
}

/** The path, if the value begins with one, and what stands behind it. */
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

/**
 * `[path] signal=yes|no, …` with the signals search, ai-input and ai-train, in any case (contentsignals.org, and
 * draft-romm-aipref-contentsignals). The policy writes them without a path; one in front limits them to the pages below
 * it, as in a Content-Usage line. What is none of the three signals is passed over.
 */
export function readContentSignal(value: string): ReadStatement {
	const { path, rest } = splitPath(value);
	const uses = new Map<string, boolean>();
	let fault: string | undefined;
	for (const part of rest.split(",")) {
		const [name = "", answer] = part
			.toLowerCase()
			.split("=", 2)
			.map((text) => text.trim());
		if (answer === undefined)
			fault ??= "signals are search, ai-input and ai-train, =yes or =no";
		else if (!signals.has(name)) continue;
		else if (answer === "yes" || answer === "no") {
			// Said twice, the restriction counts.
			uses.set(name, answer === "yes" && uses.get(name) !== false);
		} else fault ??= `${name} is neither yes nor no`;
	}
	return { statement: { path, uses }, fault };
}

/**
 * `[path] category=y|n, …`, a dictionary of RFC 9651 §3.2 (draft-ietf-aipref-attach-05, "Robots Exclusion Protocol
 * Content-Usage Rule"; draft-ietf-aipref-vocab-08, "Exemplary Serialization Format"). A value that is neither `y` nor `n`,
 * or a dictionary that does not parse, leaves preferences unknown.
 */
export function readContentUsage(value: string): ReadStatement {
	const { path, rest } = splitPath(value);
	const uses = new Map<string, boolean>();
	try {
		for (const [label, [value]] of parseDictionary(rest)) {
			const answer = value instanceof Token ? value.toString() : undefined;
			if (answer === "y" || answer === "n") uses.set(label, answer === "y");
		}
	} catch {
		return {
			statement: { path, uses },
			fault: "preferences are a dictionary, such as train-ai=n, search=y",
		};
	}
	const fault =
		uses.size === 0 ? "it states no preference, such as train-ai=n" : undefined;
	return { statement: { path, uses }, fault };
}
