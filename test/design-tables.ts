import * as format from "../assembly/format/opcodes.ts";
import { type CompactForm, opcodes } from "../src/matching/opcodes.ts";

/** Columns as wide as their widest cell. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
	const widths = rows[0]?.map((_, column) =>
		Math.max(...rows.map((row) => String(row[column]).length)),
	);
	return rows
		.map((row) =>
			row
				.map((cell, column) => String(cell).padEnd(widths?.[column] ?? 0))
				.join("  ")
				.trimEnd(),
		)
		.join("\n");
}

const compactWords: Readonly<Record<number, string>> = {
	[format.OPERAND_RANK]: "priority",
	[format.OPERAND_SIZE]: "size",
	[format.OPERAND_SKIP]: "distance",
	[format.OPERAND_BIT]: "bit",
	[format.OPERAND_FLAGS]: "flags:8",
	[format.OPERAND_LENGTH]: "number",
	[format.OPERAND_TEXT]: "symbols",
	[format.OPERAND_ARMS]: "bytes distances",
	[format.OPERAND_BEFORE]: "before",
	[format.OPERAND_AFTER]: "after-length",
	[format.OPERAND_PREFIX]: "prefix-length prefix",
	[format.OPERAND_TAIL]: "tail",
	[format.OPERAND_SLOTS]: "length:8 bits:8 bitmap distances",
};

function compactText({ code, operands }: CompactForm): string {
	const byte =
		code.toString(16).padStart(2, "0") +
		(code < format.C_PLAIN ? "+number" : "");
	return `\`${[byte, ...operands.map((kind) => compactWords[kind])].join(" ")}\``;
}

/** All opcodes, as Markdown. */
export function opcodeTable(): string {
	const widths = { u24: 24, rank: 24, u8: 8, shape: 8, flags: 8 } as const;
	const operandText = ({ name, form }: { name: string; form: string }) => {
		if (form === "arms") return "arms-1:8 bytes:arms targets:24×arms";
		if (form === "slots") return "bits:8 targets:24×2^bits";
		if (form === "varint") return `${name}:varint`;
		return form in widths
			? `${name}:${widths[form as keyof typeof widths]}`
			: name;
	};
	const rows = opcodes.map(({ code, name, operands, compact, does }) => {
		const layout = operands.map(operandText).join(" ");
		const inIndex = compact.map(compactText).join(", ");
		return `| ${code} | \`${name}\` | ${layout ? `\`${layout}\`` : ""} | ${inIndex} | ${does} |`;
	});
	return [
		"| code | name | operands | in an index | what it does |",
		"|---|---|---|---|---|",
		...rows,
	].join("\n");
}
