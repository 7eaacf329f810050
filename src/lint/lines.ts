import leven from "leven";
import { shorten } from "../common/shorten.ts";
import { type Diagnostic, diagnosticOf } from "../robots-txt/diagnostics.ts";
import { findDiagnostics } from "../robots-txt/find-diagnostics.ts";
import { knownOtherFields } from "../robots-txt/other-fields.ts";
import type { RawDiagnostic } from "../robots-txt/raw-diagnostic.ts";
import type { Found } from "./finding.ts";
import type { Reading } from "./reading.ts";

/** The parser's diagnostics, each as what it most likely comes from. */
export function findLineOddities({ file, dialect }: Reading): Found[] {
	return findDiagnostics(file).map((raw) =>
		refine(raw, diagnosticOf(raw, dialect.name)),
	);
}

const scheme = /^[a-z][a-z0-9+.-]*:\/\//i;

function refine({ text = "" }: RawDiagnostic, diagnostic: Diagnostic): Found {
	const { code, line } = diagnostic;
	if (code === "pattern-without-slash" && scheme.test(text))
		return {
			line,
			code: "absolute-url",
			severity: "error",
			message: `${shorten(text)} is a whole URL, and a rule needs a path: write what stands behind the host. Rules for another host belong in that host's robots.txt.`,
		};
	if (code !== "unknown-field") return diagnostic;
	if (/^noindex$/i.test(text))
		return {
			line,
			code: "noindex",
			severity: "warning",
			message:
				"Noindex in robots.txt is not read by crawlers: Google stopped in 2019. Use a robots meta tag or an X-Robots-Tag header with noindex, and leave the page allowed.",
		};
	const meant = closestField(text.toLowerCase());
	if (meant === undefined) return diagnostic;
	return {
		line,
		code: "misspelled-field",
		severity: "error",
		message: `${shorten(text)} is not a field name, so the line is ignored; ${meant} was meant?`,
	};
}

const fields = [
	...["user-agent", "disallow", "allow", "sitemap"],
	...knownOtherFields,
].filter((field) => field.length > 4);

/** A field whose name is written almost so. Short names are close to many words. */
function closestField(name: string): string | undefined {
	return fields.find((field) => {
		const distance = field.length > 5 ? 2 : 1;
		return (
			Math.abs(field.length - name.length) <= distance &&
			leven(field, name) <= distance
		);
	});
}
