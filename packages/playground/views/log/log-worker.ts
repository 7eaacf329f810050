/**
 * The worker of the Log pane: one request, progress, then the report or what went wrong. log-pane.ts starts one for each audit and ends it
 * to cancel. It does what `robotrie audit` does in one thread, with the same functions, so that both give the same report.
 */
import {
	type FormatAdvice,
	fieldFormats,
	formatOf,
	htmlReport,
	jsonFormat,
	LogAudit,
	type LogFormat,
	parseRanges,
	parseTime,
	sortLogs,
} from "@robotrie/audit";
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
	const logs = await sortLogs(
		files.map((file) => ({
			name: file.name,
			file,
			open: () => bytesOf(file),
		})),
		{ format: forced, robots, advice: onThePage },
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
	for (const { log } of logs)
		await audit.add(log.name, bytesOf(log.file, onRead));
	const report = audit.report();
	return {
		report,
		html: await htmlReport(report),
		logs: logs.map(({ log, format }) => ({ name: log.name, format })),
		isSilent: logs.every(({ tellsAgent }) => !tellsAgent),
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

addEventListener("message", async ({ data }: MessageEvent<LogRequest>) => {
	try {
		tell({ result: await run(data) });
	} catch (error) {
		tell({ error: error instanceof Error ? error.message : String(error) });
	}
});
