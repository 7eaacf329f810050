// The figures of docs/performance.md, block by block.

import {
	audit,
	auditMachine,
	auditWorkers,
	browser,
	browserMachine,
} from "./browser-and-audit.mjs";
import { curves } from "./curves.mjs";
import { ratiosOfBoth } from "./generated.mjs";
import { hostile, hostilePeer, huge } from "./hostile.mjs";
import { machines } from "./machines.mjs";
import { cleanParam, manySites, pool, scale, siteBytes } from "./many.mjs";
import {
	about,
	firstPass,
	harder,
	oneSite,
	parsing,
	peersWrong,
} from "./one-site.mjs";
import { freshProcesses, growth, startUp } from "./processes.mjs";
import { profile } from "./profile.mjs";
import { readme } from "./readme.mjs";
import { say } from "./text.mjs";

export const performance = {
	summary: readme.numbers,
	about,
	"one site": oneSite,
	"first pass": () => say`${firstPass()}${peersWrong()}`,
	harder,
	machines,
	generated: ratiosOfBoth,
	parsing,
	"fresh processes": () => say`${freshProcesses()}\n${growth()}`,
	profile,
	"start-up": startUp,
	"clean-param": cleanParam,
	"many sites": manySites,
	scale: () => say`${scale()}\n${siteBytes()}${pool()}`,
	curves,
	hostile: () => say`${hostile()}\n${hostilePeer()}\n\n${huge()}`,
	browser: () => say`${browserMachine()}\n\n${browser()}`,
	audit: () => say`${auditMachine()}\n\n${audit()}\n${auditWorkers()}`,
};
