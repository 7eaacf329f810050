import { type ChildProcess, spawn } from "node:child_process";
import { createInterface, type Interface } from "node:readline";
import { pinned } from "./engines.ts";

/** An engine did not answer in time. */
export class TooSlow extends Error {}

/** A process with an engine inside; it does one thing at a time. */
export class Driver {
	readonly name: string;
	/** What it says about its engine when it is ready. */
	version = "";
	readonly #process: ChildProcess;
	readonly #lines: Interface;
	readonly #waiting: ((line: string | Error) => void)[] = [];
	#ended: Error | undefined;

	private constructor(name: string, command: readonly string[], file: string) {
		this.name = name;
		const [program = "", ...args] = [...pinned, ...command, name, file];
		this.#process = spawn(program, args, {
			stdio: ["pipe", "pipe", "pipe"],
		});
		let stderr = "";
		this.#process.stderr?.on("data", (text) => {
			stderr = `${stderr}${text}`.slice(-500);
		});
		this.#process.stdin?.on("error", () => {});
		this.#lines = createInterface({
			input: this.#process.stdout as NodeJS.ReadableStream,
		});
		this.#lines.on("line", (line) => this.#waiting.shift()?.(line));
		const end = (error: Error) => {
			this.#ended = error;
			for (const give of this.#waiting.splice(0)) give(error);
		};
		this.#process.on("error", end);
		this.#process.on("close", (code, signal) =>
			end(new Error(`${name} ended (${code ?? signal}): ${stderr.trim()}`)),
		);
	}

	/** Starts one; it has read the sites when this resolves. */
	static async start(
		name: string,
		command: readonly string[],
		file: string,
	): Promise<Driver> {
		const driver = new Driver(name, command, file);
		driver.version = await driver.#line();
		return driver;
	}

	#line(seconds = 3600): Promise<string> {
		return new Promise((resolve, reject) => {
			if (this.#ended) return reject(this.#ended);
			const timer = setTimeout(() => {
				reject(new TooSlow(`${this.name} took more than ${seconds} s`));
				this.#process.kill("SIGKILL");
			}, seconds * 1000);
			this.#waiting.push((line) => {
				clearTimeout(timer);
				if (typeof line === "string") resolve(line);
				else reject(line);
			});
		});
	}

	#ask(command: string, seconds?: number): Promise<string> {
		this.#process.stdin?.write(`${command}\n`);
		return this.#line(seconds);
	}

	async #number(command: string, seconds?: number): Promise<number> {
		return Number(await this.#ask(command, seconds));
	}

	/** Makes judges of all sites; nanoseconds. */
	compile = (seconds?: number) => this.#number("compile", seconds);
	/** Reads lines to judge; how many jobs they are. */
	jobs = (file: string) => this.#number(`jobs ${file}`);
	/** Resident bytes. */
	memory = () => this.#number("memory");
	/** Of each line, "0" or "1". */
	verdicts = (seconds?: number) => this.#ask("verdicts", seconds);

	/** Nanoseconds of each time that jobs [from, to) are judged. */
	async judge(
		from: number,
		to: number,
		times: number,
		seconds?: number,
	): Promise<number[]> {
		const answer = await this.#ask(`judge ${from} ${to} ${times}`, seconds);
		return answer.trim().split(" ").map(Number);
	}

	/** Ends it, and waits until it has. */
	async end(): Promise<void> {
		if (this.#ended) return;
		const closed = new Promise((resolve) => this.#process.on("close", resolve));
		this.#process.stdin?.end();
		await closed;
	}

	kill(): void {
		this.#process.kill("SIGKILL");
	}
}
