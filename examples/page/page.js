// Browsers resolve no package names: the file is named itself.
import {
	RobotrieError,
	RobotsTxt,
} from "./node_modules/robotrie/dist/index.js";

const [robots, agent, url, answer] = ["robots", "agent", "url", "answer"].map(
	(id) => document.getElementById(id),
);

function judge() {
	try {
		const { allowed, reason } = RobotsTxt.parse(robots.value).explain(
			url.value,
			agent.value,
		);
		answer.value = `${allowed ? "Allowed" : "Disallowed"}: ${reason}`;
	} catch (error) {
		if (!(error instanceof RobotrieError)) throw error;
		answer.value = error.message;
	}
}

for (const field of [robots, agent, url])
	field.addEventListener("input", judge);
judge();
