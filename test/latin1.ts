/** Bytes as a Latin-1 string, and back. */
export const latin1 = (text: string) => Buffer.from(text).toString("latin1");
export const bytes = (text: string) => Buffer.from(text, "latin1");
