import * as assemblyscript from "assemblyscript";

const { NodeKind, Token } = assemblyscript;

/** What each operator is exchanged for. */
const EXCHANGED = new Map([
	["<", ["<=", ">="]],
	["<=", ["<", ">"]],
	[">", [">=", "<="]],
	[">=", [">", "<"]],
	["==", ["!="]],
	["!=", ["=="]],
	["&&", ["||"]],
	["||", ["&&"]],
	["&", ["|"]],
	["|", ["&"]],
	["+", ["-"]],
	["-", ["+"]],
	["*", ["+"]],
	["<<", [">>"]],
	[">>", ["<<"]],
	[">>>", ["<<"]],
	["+=", ["-="]],
	["-=", ["+="]],
	["|=", ["&="]],
	["&=", ["|="]],
	["++", ["--"]],
	["--", ["++"]],
]);

/** What each function of vectors is exchanged for. */
const VECTOR_TYPE = /^(?:i8x16|i16x8|i32x4|i64x2|v128)$/;
const VECTOR_EXCHANGED = new Map([
	["eq", "ne"],
	["lt_u", "le_u"],
	["le_u", "lt_u"],
	["min_u", "max_u"],
	["max_u", "min_u"],
	["add", "sub"],
	["sub", "add"],
	["or", "and"],
	["and", "or"],
]);

/** Kinds of statements that can be left out, and of loops and branches whose condition can. */
const DROPPED = new Set([
	NodeKind.Expression,
	NodeKind.Break,
	NodeKind.Continue,
]);

/**
 * Everything that one small change can break in a file of AssemblyScript: an operator, a number, a condition, a statement. Each as the
 * range that `text` takes the place of. Imports, types and declarations of constants' names stay.
 */
export function mutantsOf(source, path) {
	const program = assemblyscript.newProgram(assemblyscript.newOptions());
	assemblyscript.parse(program, source, path, true);
	const parsed = program.sources.find(({ text }) => text === source);
	const mutants = [];
	const add = (start, end, text) => {
		const before = source.slice(start, end);
		const head = source.slice(0, start);
		const line = head.split("\n").length;
		mutants.push({
			path,
			line,
			column: start - head.lastIndexOf("\n"),
			start,
			end,
			before: before.replace(/\s+/g, " "),
			text,
		});
	};
	const textOf = ({ range }) => source.slice(range.start, range.end);
	const exchange = (operator, from, to) => {
		const name = assemblyscript.operatorTokenToString(operator);
		const at = source.indexOf(name, from);
		if (at < 0 || at >= to) return;
		for (const other of EXCHANGED.get(name) ?? [])
			add(at, at + name.length, other);
	};
	const condition = (node, values) => {
		for (const value of values)
			if (textOf(node) !== value) add(node.range.start, node.range.end, value);
	};
	const visitors = {
		[NodeKind.Binary]: ({ operator, left, right }) =>
			exchange(operator, left.range.end, right.range.start),
		[NodeKind.UnaryPostfix]: ({ operator, operand, range }) =>
			exchange(operator, operand.range.end, range.end),
		[NodeKind.UnaryPrefix]: ({ operator, operand, range }) => {
			if (operator === Token.Exclamation || operator === Token.Tilde)
				add(range.start, operand.range.start, "");
			else exchange(operator, range.start, operand.range.start);
		},
		[NodeKind.PropertyAccess]: ({ expression, property }) => {
			const other = VECTOR_EXCHANGED.get(property.text);
			if (other && VECTOR_TYPE.test(textOf(expression)))
				add(property.range.start, property.range.end, other);
		},
		[NodeKind.Literal]: (node) => {
			const text = textOf(node);
			if (!/^(?:\d+|0x[\da-f]+)$/i.test(text)) return;
			const value = BigInt(text);
			add(node.range.start, node.range.end, String(value + 1n));
			if (value > 0n) add(node.range.start, node.range.end, String(value - 1n));
		},
		[NodeKind.True]: ({ range }) => add(range.start, range.end, "false"),
		[NodeKind.False]: ({ range }) => add(range.start, range.end, "true"),
		[NodeKind.If]: (node) => condition(node.condition, ["true", "false"]),
		// Forever is found by waiting, which takes long and tells little.
		[NodeKind.While]: (node) => condition(node.condition, ["false"]),
		[NodeKind.For]: (node) =>
			node.condition && condition(node.condition, ["false"]),
		[NodeKind.Ternary]: (node) => condition(node.condition, ["true", "false"]),
	};
	const isNode = (value) =>
		typeof value === "object" && value !== null && "kind" in value;
	const visit = (node) => {
		if (node.kind === NodeKind.Import || node.kind === NodeKind.NamedType)
			return;
		visitors[node.kind]?.(node);
		if (DROPPED.has(node.kind)) add(node.range.start, node.range.end, ";");
		for (const [name, value] of Object.entries(node)) {
			if (name === "range" || name === "parent" || name === "source") continue;
			if (Array.isArray(value))
				for (const each of value) isNode(each) && visit(each);
			else if (isNode(value)) visit(value);
		}
	};
	for (const statement of parsed.statements) visit(statement);
	return mutants.sort((a, b) => a.start - b.start || a.end - b.end);
}
