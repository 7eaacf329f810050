/**
 * The worker of the Log pane: one request, progress, then the report or what went wrong. log-pane.ts starts one for each audit and ends it
 * to cancel. It does what `robotrie audit` does in one thread, with the same functions, so that both give the same report.
 */
import {
	fieldFormats,
	formatOf,
	htmlReport,
	jsonFormat,
	LogAudit,
	type LogFormat,
	parseRanges,
	parseTime,
} from "@robotrie/audit";
import {
	byTime,
	checkHosts,
	type FormatAdvice,
	formatFor,
	formatOfHead,
	HEAD,
	tells,
	timeOfFirstLine,
} from "@robotrie/audit/internal";
import { withHead } from "#robotrie/common/compression";
import { bytesOf } from "../../files/log-file.ts";
import {
	LOG_FORMAT,
	type LogMessage,
	type LogRequest,
	type LogResult,
	type LogSettings,
} from "./log-messages.ts";

/** Milliseconds between two messages of progress: each is a task on the page's thread. */
const PERIOD = 100;

const tell = (message: LogMessage) => postMessage(message);

async function run(request: LogRequest): Promise<LogResult> {
	const { files, robots, reading, settings } = request;
	const start = performance.now();
	const forced = forcedFormat(settings);
	const timeZone = settings.timeZone.trim() || undefined;
	// The form's times have no offset: they are those of the time zone's clocks.
	const [since, until] = [settings.since, settings.until].map((text) =>
		text === "" ? undefined : parseTime(text, timeZone),
	);
	if (since && until && since >= until)
		throw new Error("“Until” has to be later than “From”");
	// Before the audit: pauses between requests need times in order, and rotated files are chosen in any.
	const logs = await inOrder(files, forced);
	checkHosts(
		logs.map(({ file, format }) => ({ name: file.name, format })),
		robots,
	);
	const audit = new LogAudit({
		...reading,
		robots,
		format: forced,
		groupBy: settings.groupBy,
		agents: listOf(settings.agents).filter((name) => name !== "+"),
		people: settings.people,
		crawlers: settings.crawlers,
		trustedProxies: listOf(settings.trustedProxies),
		ranges: request.ranges.map(({ name, text }) => parseRanges(text, name)),
		defaultAgent: settings.defaultAgent.trim() || undefined,
		since,
		until,
		timeZone,
		every: settings.every || undefined,
		paths: true,
	});
	const total = files.reduce((sum, { size }) => sum + size, 0);
	let bytes = 0;
	let told = start;
	const onRead = (read: number) => {
		bytes += read;
		const now = performance.now();
		if (now - told < PERIOD) return;
		told = now;
		const seconds = (now - start) / 1000;
		tell({ progress: { bytes, total, lines: audit.lines, seconds } });
	};
	for (const { file } of logs)
		await audit.add(file.name, bytesOf(file, onRead));
	const report = audit.report();
	return {
		report,
		html: await htmlReport(report),
		logs: logs.map(({ file, format }) => ({
			name: file.name,
			format: format.name,
		})),
		isSilent: logs.every(({ format }) => !tells(format, "agent")),
		seconds: (performance.now() - start) / 1000,
	};
}

function listOf(text: string): readonly string[] {
	return text
		.split(",")
		.map((one) => one.trim())
		.filter((one) => one !== "");
}

function forcedFormat({
	format,
	logFormat,
	fields,
}: LogSettings): LogFormat | undefined {
	if (format === "") return undefined;
	if (format === LOG_FORMAT) return formatOf(logFormat);
	return fieldFormats.includes(format) ? jsonFormat(fields) : formatOf(format);
}

const onThePage: FormatAdvice = {
	choose: "choose it under “Format of the logs”",
	fields:
		"choose ndjson or csv under “Format of the logs”, and under “Keys of the fields” say where they are",
};

/** Logs in the order of their first times, as the command line takes them. */
async function inOrder(
	files: readonly File[],
	forced: LogFormat | undefined,
): Promise<readonly { readonly file: File; readonly format: LogFormat }[]> {
	const logs: { file: File; format: LogFormat; time: number }[] = [];
	for (const file of files) {
		const { head, bytes } = await withHead(bytesOf(file), HEAD);
		// Lets go of the file, of which only the first lines were wanted: the audit opens it again.
		await bytes.return(undefined);
		const format = forced
			? formatFor(forced, head)
			: formatOfHead(head, file.name, [], onThePage);
		logs.push({ file, format, time: timeOfFirstLine(head, format) });
	}
	return logs.sort(byTime);
}

addEventListener("message", async ({ data }: MessageEvent<LogRequest>) => {
	try {
		tell({ result: await run(data) });
	} catch (error) {
		tell({ error: error instanceof Error ? error.message : String(error) });
	}
});
