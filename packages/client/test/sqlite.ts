/** Whether this process has what SqliteStore needs. */
export const hasSqlite: boolean =
	process.getBuiltinModule("node:sqlite") !== undefined;
