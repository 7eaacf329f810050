// Starts three sites on this machine, runs a command with their URLs as further arguments, and tells what was asked of each site.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";

const links = ["/", "/tea", "/coffee", "/private/prices", "/search?q=tea"];
const page = links.map((path) => `<a href="${path}">${path}</a>`).join("\n");

/** What each site answers for robots.txt. */
const robots = [
	[
		200,
		"User-agent: *\nDisallow: /private/\nDisallow: /search\nCrawl-delay: 0.2\n",
	],
	[404, "There is none."],
	[503, "Later, please."],
];

const sites = await Promise.all(
	robots.map(async ([status, text]) => {
		const requests = [];
		const server = createServer(({ url }, response) => {
			requests.push(url);
			if (url === "/robots.txt") response.writeHead(status).end(text);
			else
				response
					.writeHead(links.includes(url) ? 200 : 404, {
						"content-type": "text/html",
					})
					.end(page);
		}).listen(0, "127.0.0.1");
		await once(server, "listening");
		return {
			server,
			requests,
			url: `http://127.0.0.1:${server.address().port}/`,
		};
	}),
);

const [command, ...args] = process.argv.slice(2);
const child = spawn(command, [...args, ...sites.map(({ url }) => url)], {
	stdio: "inherit",
});
const [code] = await once(child, "exit");
for (const [i, { server, requests }] of sites.entries()) {
	server.closeAllConnections();
	server.close();
	console.log(
		`site ${i + 1}, robots.txt ${robots[i][0]}: ${requests.sort().join(" ")}`,
	);
}
process.exitCode = code ?? 1;
