import { shorten } from "../common/shorten.ts";
import { parseCleanParam } from "../robots-txt/clean-param.ts";
import type { Found } from "./finding.ts";
import type { Reading } from "./reading.ts";

/** Clean-param lines whose names are valid and can hardly be meant. */
export function findDoubtfulParameters({ file }: Reading): Found[] {
	return file.others.flatMap(({ field, value, line }): Found[] => {
		const doubt = field === "clean-param" ? doubtAbout(value) : undefined;
		return doubt === undefined
			? []
			: [
					{
						line,
						code: "doubtful-parameter",
						severity: "warning",
						message: `In Clean-param: ${shorten(value)} ${doubt}.`,
					},
				];
	});
}

function doubtAbout(value: string): string | undefined {
	const parsed = parseCleanParam(value);
	if (parsed.fault !== undefined) return undefined;
	if (/&[ \t]/.test(value))
		return 'what stands behind the space is read as the path: write no space behind "&"';
	for (const name of parsed.value.parameters) {
		const shown = `"${shorten(name)}"`;
		if (/[,;]/.test(name))
			return `${shown} is read as one parameter: separate names by "&"`;
		if (/^[?/]/.test(name))
			return `${shown} is read as the parameter's name: write it without "${name.charAt(0)}"`;
		if (name.includes("*"))
			return `"*" is no wildcard, as ${shown} is compared letter by letter: name each parameter`;
		if (name.includes("="))
			return `${shown} is read as the parameter's name: write the name without a value`;
	}
	return undefined;
}
