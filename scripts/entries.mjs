/** What `exports` in package.json names, by the file in dist. */
export const entries = {
	index: "src/index.ts",
	access: "src/access.ts",
	audit: "src/audit.ts",
	client: "src/client.ts",
	compare: "src/compare.ts",
	disassemble: "src/disassemble.ts",
	lint: "src/lint.ts",
	pool: "src/pool.ts",
	"robots-parser": "src/robots-parser.ts",
	"store-lmdb": "src/store-lmdb.ts",
	"store-redis": "src/store-redis.ts",
	"store-sqlite": "src/store-sqlite.ts",
};

/** Those that have a bundle of their own for edge runtimes, in dist/edge. */
export const edgeEntries = {
	index: entries.index,
	compare: entries.compare,
	disassemble: entries.disassemble,
	lint: entries.lint,
	"robots-parser": entries["robots-parser"],
};

/** What processes and threads are started with. */
export const programs = {
	"audit-worker": "src/cli/audit/worker.ts",
	"index-worker": "src/cli/index/worker.ts",
	"match-worker": "src/cli/match/worker.ts",
	"pool-worker": "src/sites/pool-worker.ts",
	"pool-loader": "src/sites/pool-loader.ts",
	cli: "src/cli/main.ts",
};
