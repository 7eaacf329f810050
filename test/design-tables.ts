import { opcodes } from "../src/matching/opcodes.ts";

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

/** All opcodes, as Markdown. */
export function opcodeTable(): string {
	const widths = { u24: 24, rank: 24, u8: 8, shape: 8, flags: 8 } as const;
	const operandText = ({ name, form }: { name: string; form: string }) => {
		if (form === "arms") return "arms-1:8 bytes:arms targets:24×arms";
		if (form === "varint") return `${name}:varint`;
		return form in widths
			? `${name}:${widths[form as keyof typeof widths]}`
			: name;
	};
	const rows = [...opcodes]
		.sort((a, b) => a.code - b.code)
		.map(({ code, name, operands, does }) => {
			const layout = operands.map(operandText).join(" ");
			return `| ${code} | \`${name}\` | ${layout ? `\`${layout}\`` : ""} | ${does} |`;
		});
	return [
		"| code | name | operands | what it does |",
		"|---|---|---|---|",
		...rows,
	].join("\n");
}
