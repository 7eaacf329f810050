export const schemes = ["light", "dark"] as const;

/** Pixels of windows: a phone, a tablet, a desktop. */
export const widths = [360, 800, 1500] as const;

/** How the page is looked at. */
export const views: readonly (readonly [
	width: number,
	scheme: "light" | "dark",
])[] = widths.flatMap((width) =>
	schemes.map((scheme) => [width, scheme] as const),
);
