// What a run is called in a text.

export const dateOf = (date) =>
	date.length < 8
		? new Date(`${date}-01`).toLocaleDateString("en-GB", {
				month: "long",
				year: "numeric",
			})
		: new Date(date.slice(0, 10)).toLocaleDateString("en-GB", {
				day: "numeric",
				month: "long",
				year: "numeric",
			});

export const machineOf = ({ cpu, model }) =>
	`${cpu
		.replaceAll(/\(\w+\)/g, "")
		.replace(/ Processor$/, "")
		.trim()}${model ? ` (model ${model})` : ""}`;
