// A server on loopback that stands for any number of hosts: h0.test, h1.test, … Sends its port to the parent process, and at
// any message how often each host was asked.
import { createServer } from "node:http";

const asked = new Map();

const server = createServer((request, response) => {
	const host = request.headers.host ?? "";
	asked.set(host, (asked.get(host) ?? 0) + 1);
	const number = Number(/^h(\d+)\./.exec(host)?.[1]);
	if (number % 10 === 9) response.statusCode = 404;
	if (number % 10 === 8) response.statusCode = 503;
	response.end(
		`User-agent: *\nDisallow: /section-${number % 7}/\nAllow: /section-${number % 7}/open/\n`,
	);
});
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
process.on("message", () => process.send([...asked.values()]));
process.on("disconnect", () => process.exit());
