import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { resolve } from "node:path";

/**
 * The engines that `npm run bench:peers` times, and how the drivers are built that have them inside. Every driver is a page or two in its
 * language, and obeys the commands that README.md lists.
 */
export interface PeerEngine {
	readonly name: string;
	readonly language: string;
	/** What it is asked with: bytes of paths and of URLs, URLs one call each, or arrays of URLs. */
	readonly takes: "bytes" | "paths" | "call" | "strings";
	readonly toolchain: keyof typeof toolchains;
	/** Takes minutes to compile the rules of all sites: measured where it is named. */
	readonly isSlow?: boolean;
}

const cpp = (name: string, takes: PeerEngine["takes"] = "bytes") =>
	({ name, language: "C++", takes }) as const;
const rust = (name: string, takes: PeerEngine["takes"] = "bytes") =>
	({ name, language: "Rust", takes, toolchain: "rust" }) as const;
const python = (name: string) =>
	({ name, language: "Python", takes: "call", toolchain: "python" }) as const;
const node = (
	name: string,
	takes: PeerEngine["takes"],
	language = "JavaScript",
) => ({ name, language, takes, toolchain: "node" }) as const;

export const ROBOTRIE = "robotrie matchLines";

export const engines: readonly PeerEngine[] = [
	node(ROBOTRIE, "bytes", "WebAssembly"),
	node("robotrie matchMany", "strings", "WebAssembly"),
	node("robotrie isAllowed", "call", "WebAssembly"),
	node("robots-parser", "call"),
	node("robots-txt-guard", "call"),
	{ ...cpp("rival"), toolchain: "rival" },
	{ ...cpp("trie"), toolchain: "trie" },
	{ ...cpp("RE2::Set"), toolchain: "re2" },
	{
		...cpp("Hyperscan, a scan per site", "paths"),
		toolchain: "hyperscanSites",
		isSlow: true,
	},
	{
		...cpp("Hyperscan, a scan per line"),
		toolchain: "hyperscanLines",
		isSlow: true,
	},
	rust("lazy DFA"),
	rust("RegexSet"),
	rust("aho-corasick"),
	rust("texting_robots", "call"),
	{
		name: "temoto/robotstxt",
		language: "Go",
		takes: "call",
		toolchain: "go",
	},
	{
		name: "crawler-commons",
		language: "Java",
		takes: "call",
		toolchain: "java",
	},
	python("Protego"),
	python("urllib.robotparser"),
	python("robotspy"),
];

/** The command that starts a driver, without the engine's name and the file of sites. */
type Driver = readonly string[];

/** What a toolchain lacks, in a sentence. */
export class Missing extends Error {}

const built = (...names: string[]) => {
	mkdirSync("build/peers", { recursive: true });
	return resolve("build/peers", ...names);
};
const source = (...names: string[]) => resolve("bench/peers", ...names);

function need(command: string, ...args: string[]): void {
	if (spawnSync(command, args).status !== 0)
		throw new Missing(`${command} is not installed`);
}

/** @throws {Error} With what a compiler said. */
function make(command: string, ...args: string[]): void {
	const { status, stdout, stderr, error } = spawnSync(command, args, {
		encoding: "utf8",
		maxBuffer: 2 ** 26,
		env: { ...process.env, CARGO_TARGET_DIR: built("rust") },
	});
	if (status !== 0)
		throw new Error(
			`${command} ${args.join(" ")}: ${error ?? `${stdout}${stderr}`}`,
		);
}

const FLAGS = ["-std=c++20", "-O3"];

/** A program of one file; `library` with Debian's package that has it. */
function compiled(
	file: string,
	name: string,
	options: readonly string[] = [],
	library?: readonly [name: string, header: string, debian: string],
): Driver {
	need("g++", "--version");
	const [lib, header, debian] = library ?? [];
	if (header && !existsSync(`/usr/include/${header}`))
		throw new Missing(`${debian} is not installed`);
	const link = lib === undefined ? [] : [`-l${lib}`];
	make(
		"g++",
		...FLAGS,
		...options,
		source("cpp", file),
		"-o",
		built(name),
		...link,
	);
	return [built(name)];
}

const hyperscan = ["hs", "hs/hs.h", "libhyperscan-dev"] as const;

/** Builds a driver. Throws `Missing` where the toolchain is not there, and another error where it fails. */
export const toolchains = {
	node: (): Driver => [
		process.execPath,
		"--expose-gc",
		source("node/driver.mjs"),
	],
	python: (): Driver => {
		need("python3", "--version");
		const python = built("python/bin/python");
		if (!existsSync(python)) make("python3", "-m", "venv", built("python"));
		make(
			python,
			"-m",
			"pip",
			"--disable-pip-version-check",
			"--quiet",
			"install",
			"--requirement",
			source("python/requirements.txt"),
		);
		return [python, source("python/driver.py")];
	},
	rust: (): Driver => {
		need("cargo", "--version");
		make(
			"cargo",
			"build",
			"--release",
			"--quiet",
			"--manifest-path",
			source("rust/Cargo.toml"),
		);
		return [built("rust/release/peers")];
	},
	go: (): Driver => {
		need("go", "version");
		make("go", "build", "-C", source("go"), "-o", built("go"), ".");
		return [built("go")];
	},
	java: (): Driver => {
		need("java", "-version");
		need("mvn", "--version");
		make(
			"mvn",
			"--quiet",
			"--batch-mode",
			"--file",
			source("java/pom.xml"),
			`-Dbuilds=${built("java")}`,
			"compile",
			"dependency:copy-dependencies",
		);
		const path = `${built("java/classes")}:${built("java/dependency")}/*`;
		return ["java", "-cp", path, "Driver"];
	},
	trie: (): Driver => compiled("trie.cpp", "trie"),
	re2: (): Driver =>
		compiled(
			"re2.cpp",
			"re2",
			[`-DRE2_VERSION="${debianVersion("libre2-dev")}"`],
			["re2", "re2/set.h", "libre2-dev"],
		),
	hyperscanLines: (): Driver =>
		compiled("hyperscan.cpp", "hyperscan-lines", [], hyperscan),
	hyperscanSites: (): Driver =>
		compiled("hyperscan.cpp", "hyperscan-sites", ["-DWHOLE_SITES"], hyperscan),
	rival: (): Driver => {
		need("g++", "--version");
		if (process.arch !== "x64")
			throw new Missing(`it is for x86-64, not ${process.arch}`);
		const objects = [
			["avx2", "-march=x86-64-v3"],
			["avx512", "-march=x86-64-v4"],
		].map(([isa = "", march = ""]) => {
			const object = built(`${isa}.o`);
			make(
				"g++",
				...FLAGS,
				march,
				`-DISA=${isa}`,
				"-c",
				source("cpp/judge.cpp"),
				"-o",
				object,
			);
			return object;
		});
		// Its own object first: of what several have, the linker takes the first, which every processor runs.
		make(
			"g++",
			...FLAGS,
			"-c",
			source("cpp/rival.cpp"),
			"-o",
			built("rival.o"),
		);
		make("g++", built("rival.o"), ...objects, "-o", built("rival"));
		if (spawnSync(built("rival")).status === 77)
			throw new Missing("the processor has no AVX2");
		return [built("rival")];
	},
} as const;

function debianVersion(name: string): string {
	const { stdout } = spawnSync("dpkg", ["--status", name], {
		encoding: "utf8",
	});
	return /^Version: ([^+\n]+)/m.exec(stdout ?? "")?.[1] ?? "";
}

/** Whether processes can be kept to one core. */
export const pinned: readonly string[] = (() => {
	try {
		execFileSync("taskset", ["-c", "0", "true"], { stdio: "ignore" });
		return ["taskset", "-c", "0"];
	} catch {
		return [];
	}
})();
