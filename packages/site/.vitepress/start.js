/**
 * Starts a page of the site; config.ts writes it into each. The page is HTML that can be read, and whose links work, as it comes. What the
 * scripts add (search, menus, copy buttons, the outline beside the text) is made when it can be seen or is first used: on a wide screen once
 * the page is idle, on a phone with the first press of a button or into a field. To hydrate at once kept a slow phone busy for half a second.
 * What is pressed or clicked meanwhile is done again when the scripts are ready. Where they cannot be loaded, as browsers load no module from
 * a folder, the page says so and hides what would not work.
 */
// biome-ignore lint/correctness/noUnusedVariables: the page calls it
function startPage(scripts, modules) {
	const wide = matchMedia("(min-width: 960px)");
	const controls = "button, [role=button], input, textarea";
	const types = ["pointerdown", "focusin", "click", "keydown"];
	const isFolder = location.protocol === "file:";
	let started;
	let again;

	function start() {
		started ??= (async () => {
			// One after the other: the first has the names of all pages' files, which the second reads.
			for (const script of scripts)
				await import(new URL(script, location).href);
		})();
		started.catch(stayWithout);
	}

	function stayWithout() {
		const root = document.documentElement;
		if (root.classList.contains("without-scripts")) return;
		root.classList.add("without-scripts");
		const note = document.createElement("p");
		note.className = "without-scripts-note";
		note.setAttribute("role", "status");
		note.textContent = isFolder
			? "Opened from a folder, this page can be read. Search, menus and the playground need a server of files, as browsers load no scripts without one."
			: "The scripts of this page could not be loaded: reload it for search and menus.";
		document.querySelector("#VPContent")?.prepend(note);
	}

	function onEvent(event) {
		const { type, target, key } = event;
		if (type === "keydown") {
			const isSearch =
				key === "/"
					? !target.closest("input, textarea")
					: key === "k" && (event.ctrlKey || event.metaKey);
			if (!isSearch) return;
			again = () => document.querySelector(".VPNavBarSearchButton")?.click();
			event.preventDefault();
		} else {
			const control = target.closest?.(controls);
			if (!control) return;
			if (type === "click") again = () => control.click();
		}
		start();
	}

	// On white paper the letters of a dark page could hardly be read.
	let isDark = false;
	const { classList } = document.documentElement;
	addEventListener("beforeprint", () => {
		isDark = classList.contains("dark");
		classList.remove("dark");
	});
	addEventListener("afterprint", () => classList.toggle("dark", isDark));

	if (isFolder) {
		addEventListener("DOMContentLoaded", stayWithout);
		return;
	}
	for (const type of types) addEventListener(type, onEvent, true);
	addEventListener(
		"site-ready",
		() => {
			for (const type of types) removeEventListener(type, onEvent, true);
			again?.();
		},
		{ once: true },
	);

	const startWide = () => {
		if (wide.matches) (window.requestIdleCallback ?? setTimeout)(start);
	};
	addEventListener("load", () => {
		// They wait in the browser's cache: a first press then waits for no server.
		for (const href of modules)
			document.head.append(
				Object.assign(document.createElement("link"), {
					rel: "modulepreload",
					href,
				}),
			);
		startWide();
		wide.addEventListener("change", startWide);
	});
}
