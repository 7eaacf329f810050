import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { root } from "../../../test/installed.ts";
import { serviceOf } from "./services.ts";

/** The files of deploy/, as far as they can be checked without a cluster or a container. */
const read = (name: string) =>
	readFileSync(join(root, "packages/server/deploy", name), "utf8");
const { version } = JSON.parse(
	readFileSync(join(root, "package.json"), "utf8"),
) as { version: string };

describe("deploy/", () => {
	test("compose.yaml: three replicas on a read-only file system, and Redis", () => {
		const { services } = parse(read("compose.yaml")) as {
			services: Record<string, Record<string, unknown>>;
		};
		expect(services.robotrie).toMatchObject({
			deploy: { replicas: 3 },
			read_only: true,
			cap_drop: ["ALL"],
			stop_grace_period: "40s",
		});
		expect(services.redis).toBeDefined();
	});

	test("kubernetes.yaml: its parts name each other", () => {
		const documents = parseAllDocuments(read("kubernetes.yaml"));
		expect(documents.flatMap(({ errors }) => errors)).toEqual([]);
		const [deployment, service, budget, redis, redisService, policy] =
			documents.map((one) => one.toJS());
		const labels = deployment.spec.template.metadata.labels;
		expect(deployment.spec.selector.matchLabels).toEqual(labels);
		expect(service.spec.selector).toEqual(labels);
		expect(budget.spec.selector.matchLabels).toEqual(labels);
		const [container] = deployment.spec.template.spec.containers;
		expect(container.image).toBe(`robotrie:${version}`);
		expect(container.securityContext).toEqual({
			readOnlyRootFilesystem: true,
			allowPrivilegeEscalation: false,
			capabilities: { drop: ["ALL"] },
		});
		expect(
			deployment.spec.template.spec.terminationGracePeriodSeconds,
		).toBeGreaterThan(30);
		const redisLabels = redis.spec.template.metadata.labels;
		expect(redis.spec.selector.matchLabels).toEqual(redisLabels);
		expect(redis.spec.serviceName).toBe(redisService.metadata.name);
		expect(redisService.spec.selector).toEqual(redisLabels);
		expect(policy.spec.podSelector.matchLabels).toEqual(redisLabels);
		expect(policy.spec.ingress[0].from[0].podSelector.matchLabels).toEqual(
			labels,
		);
		const { port } = redisService.spec.ports[0];
		expect(container.args).toContain(
			`redis://${redisService.metadata.name}:${port}`,
		);
	});

	test("Redis evicts nothing, wherever it is started", () => {
		const { services } = parse(read("compose.yaml"));
		const manifests = parseAllDocuments(read("kubernetes.yaml")).map((one) =>
			one.toJS(),
		);
		const { args } = manifests.find(({ kind }) => kind === "StatefulSet").spec
			.template.spec.containers[0];
		for (const command of [services.redis.command, args])
			expect(command.join(" ")).toMatch(
				/--appendonly yes --maxmemory 2gb --maxmemory-policy noeviction$/,
			);
	});

	test.each(["alerts.yaml", "grafana.json"])(
		"%s asks for metrics that there are",
		async (name) => {
			const { service } = await serviceOf();
			// Metrics with labels have no line before the first event.
			await service.inject("/allowed?url=https://example.com/&fetch=no");
			const { body } = await service.inject("/metrics");
			await service.close();
			const types = [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
			const known = new Set(
				types.flatMap(([, metric = "", type]) =>
					type === "histogram"
						? [`${metric}_bucket`, `${metric}_count`]
						: type === "counter"
							? [`${metric}_total`]
							: [metric],
				),
			);
			const asked = [
				...read(name).matchAll(/\b(?:robotrie|process|nodejs)_[a-z\d_]+/g),
			].map(([metric]) => metric);
			expect(asked.length).toBeGreaterThan(5);
			expect(asked.filter((metric) => !known.has(metric))).toEqual([]);
		},
	);

	/** Codes as sources name them, by what counts them. */
	const codes = {
		robotrie_fetches: {
			file: "src/access/outcome.ts",
			code: /^\t+\| "([a-z-]+)"/gm,
		},
		robotrie_refused: {
			file: "packages/server/src/bounds.ts",
			code: /new Refusal\(\s*\d+,\s*"([a-z-]+)"/g,
		},
		"robotrie_refused ": {
			file: "packages/server/src/service.ts",
			code: /metrics\.refused\("([a-z-]+)"\)/g,
		},
	};
	test.each(["alerts.yaml", "grafana.json"])(
		"%s asks for codes that there are",
		(name) => {
			const text = read(name).replaceAll('\\"', '"');
			const asked = [
				...text.matchAll(/(robotrie_\w+?)_total\{code[!=]~"([^"]+)"\}/g),
			].flatMap(([, metric, values = ""]) =>
				values.split("|").map((value) => `${metric} ${value}`),
			);
			const known = Object.entries(codes).flatMap(([metric, { file, code }]) =>
				[...readFileSync(join(root, file), "utf8").matchAll(code)].map(
					([, value]) => `${metric.trim()} ${value}`,
				),
			);
			expect(asked.length).toBeGreaterThan(2);
			expect(asked.filter((one) => !known.includes(one))).toEqual([]);
		},
	);

	test("alerts.yaml: docs/service.md has a row of each", () => {
		const { groups } = parse(read("alerts.yaml"));
		const names: string[] = groups[0].rules.map(
			({ alert }: { alert: string }) => alert,
		);
		const page = readFileSync(join(root, "docs/service.md"), "utf8");
		const rows = [...page.matchAll(/^\| `(Robotrie\w+)` \|/gm)];
		expect(rows.map(([, name]) => name)).toEqual(names);
	});

	test("Dockerfile: not root, a health check, the packages' version", () => {
		const text = read("Dockerfile");
		expect(text).toMatch(/^USER node$/m);
		expect(text).toMatch(/^HEALTHCHECK /m);
		expect(text).toContain(`@robotrie/server@${version}`);
		expect(text).toContain(`@robotrie/cli@${version}`);
	});

	test("robotrie.service, by systemd where it is there", () => {
		const file = join(root, "packages/server/deploy/robotrie.service");
		expect(readFileSync(file, "utf8")).toMatch(/^DynamicUser=yes$/m);
		if (!existsSync("/usr/bin/systemd-analyze")) return;
		execFileSync("systemd-analyze", ["verify", file], { stdio: "pipe" });
	});

	/** Validators that know every field of their format, in the environment of Python that .ci/run makes. */
	test.each([
		["kubernetes.yaml", "kubernetes-validate", ["--strict"]],
		[
			"compose.yaml",
			"check-jsonschema",
			["--builtin-schema", "vendor.compose-spec"],
		],
	])("%s, by %s where it is there", (name, validator, options) => {
		const command = join(dirname(process.env.PYTHON ?? ""), validator);
		if (!process.env.PYTHON || !existsSync(command)) {
			console.log(`skipped: ${name}: ${validator} is not there`);
			return;
		}
		const file = join(root, "packages/server/deploy", name);
		execFileSync(command, [...options, file], { stdio: "pipe" });
	});
});
