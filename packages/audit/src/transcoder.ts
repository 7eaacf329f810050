import { CsvRows } from "./csv-rows.ts";
import type { LogFormat } from "./formats.ts";
import { JsonLines, NO_REQUEST, type Transcoder } from "./json-lines.ts";

/** Undefined where lines need none. */
export function transcoderOf(format: LogFormat): Transcoder | undefined {
	const json = format.json && new JsonLines(format.json);
	if (format.envelope === "docker")
		return { transcode: (line) => ofContainer(line, json) };
	if (json && format.envelope === "text")
		return { transcode: (line) => behindText(line, json) };
	if (json && format.records?.kind === "csv")
		return new CsvRows(json, format.records.separator);
	return json;
}

/** Whether lines that are usual need none. */
export function isPlainJson(format: LogFormat): boolean {
	return (
		format.json !== undefined &&
		format.envelope === undefined &&
		format.records?.kind !== "csv"
	);
}

/** The line that a container wrote, which Docker keeps as {"log": "…\n", "stream": "stdout", "time": …}. */
export function lineInside(line: string): string | undefined {
	try {
		const value: unknown = JSON.parse(line);
		if (typeof value !== "object" || value === null) return undefined;
		if (!("log" in value) || !("stream" in value)) return undefined;
		return typeof value.log === "string"
			? value.log.replace(/\r?\n$/, "")
			: undefined;
	} catch {
		return undefined;
	}
}

function ofContainer(line: string, json: Transcoder | undefined): string {
	if (line.trim() === "") return "";
	const inside = lineInside(line);
	if (inside === undefined || /[\r\n]/.test(inside)) return NO_REQUEST;
	return json ? json.transcode(inside) : inside;
}

/** An object with text in front, which may begin with the time: "2025/10/14 12:30:45.500<tab>INFO<tab>…". */
function behindText(line: string, json: JsonLines): string {
	if (line.trim() === "") return "";
	const at = line.indexOf("{");
	if (at < 0) return NO_REQUEST;
	const [time = ""] = /^[\d/]+ [\d:.]+(?=\t)/.exec(line) ?? [];
	return json.transcode(line.slice(at), time);
}
