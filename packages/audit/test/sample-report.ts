import { readFileSync } from "node:fs";
import { LogAudit } from "../src/index.ts";
import { htmlReport } from "../src/show/html.ts";

const root = new URL("../../../", import.meta.url);

/** Names and targets that would do harm in a page that believed them. */
const hostile = `192.0.2.9 - - [14/Oct/2025:01:00:00 +0000] "GET /cart<script>document.title='x'</script><img/src=x> HTTP/1.1" 200 5 "-" "<b>Evil</b>Bot/1.0"\n`;

/** The report of the sample as a page. */
export async function sampleReport(): Promise<string> {
	const audit = new LogAudit({
		robots: [
			{
				file: "robots.txt",
				bytes: readFileSync(new URL("sample/robots.txt", root)),
			},
		],
	});
	const log = readFileSync(new URL("sample/access.log", root));
	await audit.add("access.log", [
		log,
		Buffer.from(hostile),
		Buffer.from("?\n"),
	]);
	return htmlReport(audit.report());
}
