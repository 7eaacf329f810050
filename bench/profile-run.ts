import { command, count } from "../tools/command.mjs";
import { storeResult } from "../tools/store-result.mjs";
import { isSmall, loadData, partOf } from "./data.ts";
import { library } from "./library.ts";
import { measureProfile } from "./profile.ts";

const values = command(
	"npm run bench -- profile",
	"Says where the time of parse + compile goes, and that of judging lines, by stages of the module.",
)
	.option(
		"--passes <number>",
		"passes of which each file's best counts",
		count,
		25,
	)
	.option("--seconds <number>", "for which V8's profiler samples", count, 5)
	.parse()
	.opts<{ passes: number; seconds: number }>();
const data = loadData();
const result = await measureProfile(library, data, {
	passes: isSmall ? 1 : values.passes,
	sampled: isSmall ? 50 : values.seconds * 1000,
});
const percent = (share: number) => `${(share * 100).toFixed(0)}%`;
const { files, rules, bytes, ms, largestMs, stages, judging } = result;
const { paths, urls } = judging;
process.stdout.write(`${files} files, ${rules} rules compiled, ${bytes} bytes: ${ms.toFixed(1)} ms, ${largestMs.toFixed(1)} of them the largest file

| stage | other files | the largest |
|---|---:|---:|
${stages.map((one) => `| ${one.name} | ${percent(one.others)} | ${percent(one.largest)} |\n`).join("")}`);
process.stdout.write(`
${paths.lines} lines: ${paths.ns.toFixed(1)} ns a path, ${(paths.ns / paths.floors.list).toFixed(1)} times listing their ends; ${urls.ns.toFixed(1)} ns a URL, ${(urls.ns / urls.floors.list).toFixed(1)} times

| stage | ns a path | ns a URL |
|---|---:|---:|
${paths.stages.map(({ name, part }, at) => `| ${name} | ${(part * paths.ns).toFixed(1)} | ${((urls.stages[at]?.part ?? 0) * urls.ns).toFixed(1)} |\n`).join("")}`);
process.stdout.write(
	`saved as ${storeResult("profile", result, partOf(data))}\n`,
);
