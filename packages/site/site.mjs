// The documentation as a site: `npm run site` writes it to packages/site/dist, `-- --serve` also shows it on loopback, `-- --out FOLDER`
// writes it elsewhere. All pages are made of files that the repository has anyway (pages.mjs, api.mjs, charts.mjs); build/ holds them
// between the steps. What is written works in any folder of any server of files: VitePress makes every address relative.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { InvalidArgumentError } from "commander";
import { command, count } from "../../tools/command.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "../..");

function portOf(text) {
	const port = count(text);
	if (port > 65_535)
		throw new InvalidArgumentError("Expected a number from 1 to 65535.");
	return port;
}

function addressOf(text) {
	if (!/^https?:\/\/[^?#]+$/.test(text) || !URL.canParse(text))
		throw new InvalidArgumentError("Expected an absolute URL.");
	return text.replace(/\/*$/, "/");
}

const options = command(
	"npm run site --",
	"Builds the documentation as a site.",
)
	.option("--serve", "show it on loopback")
	.option("--port <number>", "where it is shown", portOf, 4173)
	.option("--out <folder>", "where it is written", join(here, "dist"))
	.option(
		"--address <url>",
		"where it will stand: shared links then show a picture",
		addressOf,
	)
	.parse()
	.opts();
const out = resolve(options.out);
const source = join(here, "build/source");

/** Runs a program of an installed package. What it prints is shown where it fails. */
function run(cwd, program, ...args) {
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		[program, ...args],
		{
			cwd,
			encoding: "utf8",
			// For the playground, which is built by a configuration of its own.
			env: { ...process.env, SITE_ADDRESS: options.address ?? "" },
		},
	);
	if (status === 0) return;
	process.stderr.write(`${stdout}${stderr}`);
	process.exit(1);
}

rmSync(source, { recursive: true, force: true });
mkdirSync(join(source, "public"), { recursive: true });
run(
	root,
	"node_modules/vite/bin/vite.js",
	"build",
	"--logLevel",
	"warn",
	"--mode",
	"site",
	"--config",
	"packages/playground/vite.config.ts",
	"--outDir",
	join(source, "public/playground"),
);
for (const file of ["packages/playground/icon.svg", "docs/images/share.png"])
	cpSync(join(root, file), join(source, "public", basename(file)));
// Packages of this folder, which only those have who build the site.
const { writeApi } = await import("./api.mjs");
const { writePages } = await import("./pages.mjs");
const api = await writeApi(root, source);
await writePages(root, source, api, options.address);
run(
	here,
	"node_modules/vitepress/bin/vitepress.js",
	"build",
	".",
	"--outDir",
	out,
);
process.stdout.write(`The site is in ${out}\n`);

if (options.serve) {
	const { preview } = await import("vite");
	const { default: compression } = await import("compression");
	const server = await preview({
		root: here,
		configFile: false,
		appType: "mpa",
		build: { outDir: out },
		preview: { port: options.port, host: "127.0.0.1" },
		plugins: [
			{
				name: "compressed",
				configurePreviewServer: ({ middlewares }) => {
					middlewares.use(compression());
				},
			},
		],
	});
	server.printUrls();
}
