import {
	CLASS_COUNTS_AS_ESCAPE,
	CLASS_DECODE,
	CLASS_DECODE_IN_QUERY,
	CLASS_DROP,
	CLASS_ESCAPE,
	TABLE_BARE,
	TABLE_ESCAPED,
	TABLE_GOOGLE,
	TABLE_SIZE,
} from "../../assembly/format/program.ts";

/** The byte-class tables, by index, for the module. */
export function byteClassTables(): ReadonlyMap<number, Uint8Array> {
	const bare = new Uint8Array(TABLE_SIZE);
	const spelled = new Uint8Array(TABLE_SIZE);
	const google = new Uint8Array(TABLE_SIZE);
	for (let byte = 0; byte < TABLE_SIZE; byte++) {
		const character = String.fromCharCode(byte);
		if (/[A-Za-z0-9._~-]/.test(character)) {
			// RFC 3986 §2.3, unreserved characters: escaped and bare are the same.
			bare[byte] = spelled[byte] = CLASS_DECODE;
		} else if (":/?#[]@".includes(character)) {
			// RFC 9309 §2.2.2, the example "?baz=https://foo.bar": RFC 3986's gen-delims.
			bare[byte] = spelled[byte] = CLASS_DECODE_IN_QUERY;
		} else if (byte > 127 || "*$".includes(character)) {
			// RFC 9309 §2.2.2: what is not ASCII is escaped; §2.2.3: "%2A" and "%24" in a rule stand for "*" and "$".
			bare[byte] = CLASS_DECODE | CLASS_COUNTS_AS_ESCAPE;
			spelled[byte] = CLASS_ESCAPE;
		}
		if ("\t\n\r".includes(character)) bare[byte] = spelled[byte] = CLASS_DROP;
		if (byte > 127) google[byte] = CLASS_ESCAPE;
	}
	return new Map([
		[TABLE_BARE, bare],
		[TABLE_ESCAPED, spelled],
		[TABLE_GOOGLE, google],
	]);
}
