/**
 * What the beginning of a line was meant to be that is no field's name: a slip of the pen, a missing colon, or something else that happens to
 * look like one, such as a line that was switched off or a field of somebody else's. lines.ts words it, and only the first two have an edit.
 */
import leven from "leven";
import { knownOtherFields } from "../robots-txt/other-fields.ts";

const fields = [
	"user-agent",
	"disallow",
	"allow",
	"sitemap",
	...knownOtherFields,
].filter((field) => field.length > 4 && field !== "content-signals");

/** What may follow a field's name by a slip of the pen: "Disallows", "Allowed". Other letters make a word of their own. */
const endings = /^(?:s|d|ed|w)$/;

const lettersOf = (name: string) => name.replace(/[ \t_-]/g, "");

/**
 * The field whose name this is but for a slip: a letter or two too many, too few, or in the wrong place; undefined where two may be meant, or
 * where it is no slip. "Xdisallow", "Disallow-AI" and "Disallow_old" are something else, which somebody may have chosen.
 */
export function closestField(written: string): string | undefined {
	const name = written.toLowerCase().trim();
	const letters = lettersOf(name);
	if (!/^[a-z]+$/.test(letters)) return undefined;
	const near = fields.filter((field) => isNear(name, letters, field));
	const [field] = near;
	// "Dallow" may be either; nobody gets the first letter wrong, and some switch a line off by one.
	return near.length === 1 && field?.charAt(0) === letters.charAt(0)
		? field
		: undefined;
}

/** Short names are close to many words. */
function isNear(name: string, letters: string, field: string): boolean {
	const wanted = lettersOf(field);
	if (letters === wanted) return true;
	if (letters.startsWith(wanted))
		return name.startsWith(field.slice(0, 5)) && hasEnding(name, field, wanted);
	const distance = wanted.length > 5 ? 2 : 1;
	return (
		Math.abs(wanted.length - letters.length) <= distance &&
		leven(wanted, letters) <= distance
	);
}

function hasEnding(name: string, field: string, wanted: string): boolean {
	const rest = name.startsWith(field)
		? name.slice(field.length)
		: lettersOf(name).slice(wanted.length);
	return endings.test(rest);
}

/** Whether a name in front of a colon is that of rules, perhaps misspelled: Google's library takes all names for one that begin so. */
export function isRuleField(name: string): boolean {
	return ["allow", "disallow"].includes(closestField(name) ?? "");
}

/** Fields that a value shows to be meant, with values that do. */
const values: readonly (readonly [field: string, value: RegExp])[] = [
	["disallow", /^[/*]\S*$/],
	["allow", /^[/*]\S*$/],
	["user-agent", /^(?:\*|[\w-]+)$/],
	["sitemap", /^(?:https?|ftp):\/\/\S+$/i],
	["crawl-delay", /^\d+(?:\.\d+)?$/],
];

/** A field, and where its value begins in the line. */
export interface WithoutColon {
	readonly field: string;
	readonly value: string;
	/** Characters in front of the value, white space at the beginning of the line included. */
	readonly before: number;
}

/**
 * A line whose first word is a field's name and whose second is a value that the field may have, with white space, "=", ";" or " - " where
 * the colon belongs. There may be a colon in the value.
 */
export function withoutColon(line: string): WithoutColon | undefined {
	const [whole, before = "", name = "", separator = "", value = ""] =
		/^([ \t]*)([a-z-]{5,11})([ \t]*[=;][ \t]*|[ \t]+-[ \t]+|[ \t]+)(\S+)[ \t]*$/i.exec(
			line,
		) ?? [];
	if (whole === undefined) return undefined;
	const field = name.toLowerCase();
	const known = values.find(
		([wanted, valid]) => wanted === field && valid.test(value),
	);
	return known
		? {
				...{ field, value },
				before: before.length + name.length + separator.length,
			}
		: undefined;
}

/** What people begin a comment with elsewhere, in front of a field's name: "//Disallow", "; Allow", "--User-agent", "!", "'". */
export function isSwitchedOff(name: string): boolean {
	const [sign, rest = ""] = /^[^\p{L}\p{N}]+(.*)$/su.exec(name.trim()) ?? [];
	return (
		sign !== undefined &&
		fields.some((field) => rest.toLowerCase().startsWith(field))
	);
}
