// Keeps all files of the page, so that it works offline. The build puts FILES and VERSION in front (vite.config.ts).

const { scope } = registration;
const CACHE = `robotrie ${scope} ${VERSION}`;

addEventListener("install", (event) => {
	event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
});

addEventListener("activate", (event) => {
	event.waitUntil(removeOlder().then(() => clients.claim()));
});

async function removeOlder() {
	const names = await caches.keys();
	const older = names.filter(
		(name) => name.startsWith(`robotrie ${scope} `) && name !== CACHE,
	);
	await Promise.all(older.map((name) => caches.delete(name)));
}

addEventListener("fetch", (event) => {
	const { request } = event;
	if (request.method === "GET" && request.url.startsWith(scope))
		event.respondWith(answer(request));
});

async function answer(request) {
	const cache = await caches.open(CACHE);
	// Each address has one answer, whatever a server says of headers that it depends on.
	const isPage = request.mode === "navigate";
	const kept =
		(await cache.match(request, { ignoreVary: true, ignoreSearch: isPage })) ??
		(isPage ? await cache.match("./", { ignoreVary: true }) : undefined);
	if (!isPage) return kept ?? fetch(request);
	// The page itself comes from the server where there is one: it may be newer.
	try {
		return await fetch(request);
	} catch (error) {
		if (!kept) throw error;
		return kept;
	}
}
