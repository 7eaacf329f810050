// Preloaded by a process whose CPU time is measured: writes it to stderr when the process ends, in microseconds.
const { writeSync } = require("node:fs");

process.on("exit", () => {
	const { user, system } = process.cpuUsage();
	writeSync(2, `\ncpu ${user + system}\n`);
});
