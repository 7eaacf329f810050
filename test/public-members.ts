import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { packages } from "../tools/packages.mjs";
import { root } from "./installed.ts";

/** A name that users of the package can write, and the docstring above its declaration ("" without one). */
export interface PublicMember {
	/** "src/matching/matcher.ts: Matcher.match" */
	readonly name: string;
	readonly docstring: string;
	/** ESTree's type of its declaration: "ClassDeclaration", "MethodDefinition". */
	readonly type: string;
}

/** What is used of a syntax tree's nodes (ESTree with TypeScript's). */
interface Node {
	readonly type: string;
	readonly start: number;
	readonly [key: string]: unknown;
}

interface Module {
	readonly path: string;
	readonly text: string;
	readonly body: readonly Node[];
}

/** What users and siblings import, and the source of it. */
const sources: ReadonlyMap<string, string> = new Map(
	packages.flatMap(({ folder, about: { name, exports } }) =>
		Object.keys(exports)
			.filter((entry) => /^\.(\/[\w-]+)?$/.test(entry))
			.map((entry) => {
				const file = entry === "." ? "index" : entry.slice(2);
				return [
					name + entry.slice(1),
					join(root, folder, "src", `${file}.ts`),
				] as const;
			}),
	),
);

/** Sources of what users import. */
export const publicEntries: readonly string[] = [...sources]
	.filter(([name]) => !name.includes("/internal"))
	.map(([, path]) => path);

const modules = new Map<string, Module>();

function moduleAt(path: string): Module {
	let module = modules.get(path);
	if (!module) {
		const text = readFileSync(path, "utf8");
		const { body } = parseAst(text, { lang: "ts" }) as unknown as {
			body: Node[];
		};
		module = { path, text, body };
		modules.set(path, module);
	}
	return module;
}

const nodes = (value: unknown) => (value ?? []) as readonly Node[];
const node = (value: unknown) => value as Node | null | undefined;
const nameOf = (value: unknown) => {
	const key = node(value);
	return String(key?.name ?? key?.value ?? "");
};

/** The docstring that ends where a declaration begins. */
function docstringOf({ text }: Module, { start }: Node): string {
	const [docstring = ""] =
		/\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.exec(text.slice(0, start)) ?? [];
	return docstring.trim();
}

/** The module that an import or export names; undefined for other packages. */
function sourceOf(module: Module, statement: Node): Module | undefined {
	const source = nameOf(statement.source);
	const path = source.startsWith(".")
		? join(dirname(module.path), source)
		: sources.get(source);
	return path?.endsWith(".ts") ? moduleAt(path) : undefined;
}

/** Members of a class or an interface, without those that users cannot reach. */
function membersOf(module: Module, name: string, body: Node): PublicMember[] {
	const members: PublicMember[] = [];
	for (const member of nodes(body.body)) {
		const key = node(member.key);
		if (key?.type === "PrivateIdentifier" || member.accessibility === "private")
			continue;
		const docstring = docstringOf(module, member);
		if (docstring.includes("@internal")) continue;
		const isConstructor = member.kind === "constructor";
		// The class's own docstring is that of a constructor without errors of its own.
		if (isConstructor && !docstring) continue;
		const own =
			key?.type === "MemberExpression"
				? `[Symbol.${nameOf(key.property)}]`
				: nameOf(key);
		const path = relative(root, module.path).replaceAll("\\", "/");
		members.push({
			name: `${path}: ${name}.${own}`,
			docstring,
			type: member.type,
		});
		const type = node(node(member.typeAnnotation)?.typeAnnotation);
		if (type?.type === "TSTypeLiteral")
			members.push(
				...membersOf(module, `${name}.${own}`, {
					...type,
					body: type.members,
				}),
			);
	}
	return members;
}

/** A declaration, its members, and those of what it extends. */
function declared(
	module: Module,
	statement: Node,
	declaration: Node,
): PublicMember[] {
	const docstring = docstringOf(module, statement);
	if (docstring.includes("@internal")) return [];
	const path = relative(root, module.path).replaceAll("\\", "/");
	if (declaration.type === "VariableDeclaration")
		return nodes(declaration.declarations).map(({ id }) => ({
			name: `${path}: ${nameOf(id)}`,
			docstring,
			type: declaration.type,
		}));
	const name = nameOf(declaration.id);
	const own = {
		name: `${path}: ${name}`,
		docstring,
		type: declaration.type,
	};
	const body = node(declaration.body);
	const parents = [
		...nodes(declaration.extends).map(({ expression }) => nameOf(expression)),
		nameOf(declaration.superClass),
	].filter((parent) => parent !== "");
	const inherited = parents.flatMap((parent) => find(module, parent));
	if (body?.type === "TSInterfaceBody" || body?.type === "ClassBody")
		return [own, ...membersOf(module, name, body), ...inherited];
	return [own, ...inherited];
}

/** What a name stands for in a module, its own or an imported one. */
function find(module: Module, name: string): PublicMember[] {
	return module.body.flatMap((statement) => {
		const from = statement.source ? sourceOf(module, statement) : undefined;
		if (from)
			return nodes(statement.specifiers)
				.filter(
					({ local, exported }) =>
						name ===
						nameOf(statement.type === "ImportDeclaration" ? local : exported),
				)
				.flatMap((specifier) =>
					find(from, nameOf(specifier.imported ?? specifier.local)),
				);
		const declaration = node(statement.declaration) ?? statement;
		const names =
			declaration.type === "VariableDeclaration"
				? nodes(declaration.declarations).map(({ id }) => nameOf(id))
				: [nameOf(declaration.id)];
		return names.includes(name) && !statement.source
			? declared(module, statement, declaration)
			: [];
	});
}

/** Everything that a module exports. */
function exportsOf(module: Module): PublicMember[] {
	return module.body.flatMap((statement) => {
		const from = statement.source ? sourceOf(module, statement) : undefined;
		if (!from) return [];
		if (statement.type === "ExportAllDeclaration") return exportsOf(from);
		return nodes(statement.specifiers).flatMap(({ local }) =>
			find(from, nameOf(local)),
		);
	});
}

/** The names that the packages' entries export, and their members. */
export function publicMembers(): readonly PublicMember[] {
	const all = publicEntries.flatMap((path) => exportsOf(moduleAt(path)));
	const byName = new Map<string, PublicMember>();
	for (const member of all) {
		// Overloads have docstrings of their own; an example stands at one of them.
		const earlier = byName.get(member.name)?.docstring ?? "";
		const docstring =
			earlier !== "" && member.docstring !== "" && earlier !== member.docstring
				? `${earlier}\n${member.docstring}`
				: member.docstring;
		byName.set(member.name, { ...member, docstring });
	}
	return [...byName.values()];
}
