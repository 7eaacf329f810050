// Publishes the packages, or says what keeps them from it: npm run release -- --dry-run. It looks at what is built, packs each package
// twice, and fills in what the root's package.json says about the project's home: `repository`, `homepage`, `bugs` and `author`.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { command } from "./command.mjs";
import { packages } from "./packages.mjs";
import { linksOf, pack, publintFinds, wrongTypes } from "./tarballs.mjs";

const LICENCES =
	/^(0BSD|Apache-2\.0|BlueOak-1\.0\.0|BSD-[23]-Clause|ISC|MIT|Unlicense)$/;
const root = fileURLToPath(new URL("..", import.meta.url));
const { dryRun, out } = command(
	"npm run release --",
	"Publishes the packages to npm, or lists what is missing and exits with 1.",
)
	.option("--dry-run", "only look, publish nothing")
	.option("--out <folder>", "keep the tarballs there")
	.parse()
	.opts();

const read = (...path) => readFileSync(join(root, ...path), "utf8");
const digest = (file) =>
	createHash("sha256").update(readFileSync(file)).digest("hex");
const missing = [];
const need = (holds, text) => holds || missing.push(text);

const main = JSON.parse(read("package.json"));
/** Has the repository's page, such as https://github.com/owner/robotrie. */
const home = (main.repository?.url ?? main.repository ?? "")
	.replace(/^git\+|\.git$/g, "")
	.replace(/^github:/, "https://github.com/");
need(home, "package.json: repository (the project's home)");
for (const field of ["author", "homepage", "bugs"])
	need(main[field], `package.json: ${field}`);
const versions = [...read("CHANGELOG.md").matchAll(/^## (\S+) \((.+)\)$/gm)];
const [, , date] = versions.find(([, name]) => name === main.version) ?? [];
need(date, `CHANGELOG.md: no section for ${main.version}`);
need(
	!date || /^\d{4}-\d\d-\d\d$/.test(date),
	`CHANGELOG.md: ${main.version} has no date but "${date}"`,
);

const names = new Set(packages.map(({ about }) => about.name));
const work = mkdtempSync(join(tmpdir(), "robotrie-release-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
const tarballs = [];
for (const { folder, about } of inOrder(packages)) await look(folder, about);

/** Packages, each after those that it needs: nobody can install one that was published before them. */
function inOrder(all) {
	const sorted = new Set();
	const add = (one) => {
		const needed = Object.keys(one.about.dependencies ?? {});
		for (const other of all) if (needed.includes(other.about.name)) add(other);
		sorted.add(one);
	};
	for (const one of all) add(one);
	return [...sorted];
}

/** Packs a package as it would be published, and notes what is wrong with it. */
async function look(folder, own) {
	const say = (text) => missing.push(`${own.name}: ${text}`);
	if (own.version !== main.version)
		say(`version ${own.version}, the root's is ${main.version}`);
	for (const [name, range] of Object.entries(own.dependencies ?? {})) {
		if (names.has(name)) {
			if (range !== main.version)
				say(`${name} is ${range}, not exactly ${main.version}`);
			continue;
		}
		const { license } = installed(folder, name);
		if (!LICENCES.test(license))
			say(`the licence of ${name} is ${license ?? "not known"}`);
	}
	if (own.license !== main.license) say(`licence ${own.license}`);

	const { unpacked, packed, broken } = fill(folder, own);
	const [tarball, digests] = packTwice(unpacked);
	if (digests[0] !== digests[1]) say("two tarballs of the same files differ");
	for (const file of ["LICENSE", "README.md"])
		if (!packed.includes(file)) say(`${file} is not packed`);
	if (!packed.some((file) => file.startsWith("dist/")))
		say("dist is not packed: npm run build");
	for (const link of broken) say(`${link} leads nowhere`);
	for (const text of await publintFinds(unpacked)) say(`publint: ${text}`);
	for (const text of await wrongTypes(tarball)) say(`types: ${text}`);
	const bundled = packed.filter((file) => /licenses\.txt$/.test(file));
	for (const file of bundled)
		for (const [, name, licence] of readFileSync(
			join(unpacked, file),
			"utf8",
		).matchAll(/^(\S+) [\d.]+ \((.+)\)$/gm))
			if (!LICENCES.test(licence)) say(`the licence of ${name} is ${licence}`);
	tarballs.push(tarball);
	if (out) {
		mkdirSync(out, { recursive: true });
		copyFileSync(tarball, join(out, basename(tarball)));
	}
	console.log(
		`${own.name} ${own.version}: ${packed.length} files, SHA-256 ${digests[0].slice(0, 12)}…`,
	);
}

/** The package.json of a dependency. */
function installed(folder, name) {
	const file = [folder, "."]
		.map((from) => join(root, from, "node_modules", name, "package.json"))
		.find((each) => existsSync(each));
	return file ? JSON.parse(readFileSync(file, "utf8")) : {};
}

/** Packs a folder twice: the first tarball, and the digests of both. */
function packTwice(unpacked) {
	const folders = ["first", "second"].map((name) => join(unpacked, "..", name));
	const tarballs = folders.map((to) => {
		mkdirSync(to);
		return pack(unpacked, to).tarball;
	});
	return [tarballs[0], tarballs.map(digest)];
}

/** The files of a package as it is published: its package.json has the home's fields, and links of pages lead to files in it or home. */
function fill(folder, own) {
	const to = join(work, own.name.replace("/", "-"));
	mkdirSync(to);
	const { tarball, packed } = pack(join(root, folder), to);
	execFileSync("tar", ["xzf", tarball, "-C", to]);
	rmSync(tarball);
	const unpacked = join(to, "package");
	const { author, homepage, bugs } = main;
	const repository = home && {
		type: "git",
		url: `git+${home}.git`,
		...(folder !== "." && { directory: folder }),
	};
	const filled = {
		...own,
		author,
		homepage,
		bugs,
		...(home && { repository }),
	};
	// They are for developers, and those that npm runs by itself would build once more.
	delete filled.scripts;
	delete filled.devDependencies;
	delete filled.workspaces;
	writeFileSync(
		join(unpacked, "package.json"),
		`${JSON.stringify(filled, null, "\t")}\n`,
	);
	const broken = [];
	for (const page of packed.filter((file) => file.endsWith(".md"))) {
		let text = readFileSync(join(unpacked, page), "utf8");
		for (const link of new Set(linksOf(text))) {
			const [path] = link.split("#");
			if (packed.includes(posix.join(posix.dirname(page), path))) continue;
			const there = posix.join(folder, posix.dirname(page), path);
			if (!existsSync(join(root, there))) broken.push(`${page}: ${link}`);
			const kind = /\.(png|svg)$/.test(path) ? "raw" : "blob";
			const at = `${home}/${kind}/v${own.version}/${posix.join(folder, page)}`;
			if (!home) continue;
			const { href } = new URL(link, at);
			text = text
				.replaceAll(`](${link})`, `](${href})`)
				.replaceAll(`<img src="${link}"`, `<img src="${href}"`);
		}
		if (home && page === "SECURITY.md")
			text = text.replace(
				"private vulnerability reporting",
				`[$&](${home}/security/advisories/new)`,
			);
		writeFileSync(join(unpacked, page), text);
	}
	return { unpacked, packed, broken };
}

if (missing.length > 0) {
	console.error(`\nMissing for ${main.version}:\n`);
	for (const text of missing) console.error(`  ${text}`);
	process.exitCode = 1;
} else if (dryRun) console.log(`\nNothing is missing for ${main.version}.`);
else
	for (const tarball of tarballs) {
		// Provenance is what a workflow's identity signs; a machine at home has none.
		const provenance = process.env.GITHUB_ACTIONS ? ["--provenance"] : [];
		const args = ["publish", tarball, "--access", "public", ...provenance];
		execFileSync("npm", args, { cwd: root, stdio: "inherit" });
	}
