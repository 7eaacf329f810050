import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { root } from "../../../test/installed.ts";

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
		const [deployment, service, budget] = documents.map((one) => one.toJS());
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
