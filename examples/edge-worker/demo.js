// Runs the worker in front of the first site that it is given, and asks it for some URLs.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import workerd from "workerd";

const [site] = process.argv.slice(2);
const unused = createServer().listen(0, "127.0.0.1");
await once(unused, "listening");
const address = `127.0.0.1:${unused.address().port}`;
unused.close();
const server = spawn(
	workerd.default ?? workerd,
	["serve", "config.capnp", "--socket-addr", `http=${address}`],
	{ stdio: "inherit", env: { ...process.env, SITE: site } },
);

async function ask(path, agent) {
	for (let tries = 1; ; tries++) {
		try {
			const headers = { "user-agent": agent };
			return await fetch(`http://${address}${path}`, { headers });
		} catch (error) {
			if (tries === 100) throw error;
			await sleep(100);
		}
	}
}

const browser =
	"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const crawler =
	"Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)";
try {
	for (const path of ["/tea", "/private/prices"])
		for (const agent of [browser, crawler]) {
			const response = await ask(path, agent);
			const text = response.status === 403 ? await response.text() : "\n";
			const name = agent === crawler ? "GPTBot" : "a browser";
			process.stdout.write(`${response.status} ${path} for ${name} ${text}`);
		}
} finally {
	server.kill();
}
