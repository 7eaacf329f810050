import { createHash } from "node:crypto";

const KEPT = 2 ** 20;

/** What a command line wrote, and its exit code. */
export class Collected {
	code: number | null = null;
	stdoutSize = 0;
	stderrSize = 0;
	readonly #stdout: Buffer[] = [];
	readonly #stderr: Buffer[] = [];
	readonly #hash = createHash("sha256");

	addStdout(chunk: Buffer): void {
		if (this.stdoutSize < KEPT) this.#stdout.push(chunk);
		this.stdoutSize += chunk.length;
		this.#hash.update(chunk);
	}

	addStderr(chunk: Buffer): void {
		this.#stderr.push(chunk);
		this.stderrSize += chunk.length;
	}

	/** Once all has come. */
	result(): Result {
		return {
			code: this.code,
			stdout: Buffer.concat(this.#stdout),
			stdoutSize: this.stdoutSize,
			stdoutHash: this.#hash.digest("hex"),
			stderr: Buffer.concat(this.#stderr).toString(),
		};
	}
}

export interface Result {
	readonly code: number | null;
	/** The first megabyte of stdout. */
	readonly stdout: Buffer;
	readonly stdoutSize: number;
	/** SHA-256 of stdout, in hexadecimal digits. */
	readonly stdoutHash: string;
	readonly stderr: string;
}
