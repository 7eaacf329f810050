import { createSocket } from "node:dgram";
import { once } from "node:events";
import { decode, encode, type Packet } from "dns-packet";

/** Records by type and name; a name that is missing does not exist, one with "SERVFAIL" fails, one with "silence" gets no answer. */
export type Zone = Readonly<
	Record<string, readonly string[] | "SERVFAIL" | "silence">
>;

/** "PTR 1.2.0.192.in-addr.arpa" for an IPv4 address. */
export function ptr(address: string): string {
	return `PTR ${address.split(".").reverse().join(".")}.in-addr.arpa`;
}

const codes = { NXDOMAIN: 3, SERVFAIL: 2 } as const;

/** A DNS server on loopback that answers from a table. `asked` are the questions it got, as keys of the table. */
export async function startDns(zone: Zone): Promise<{
	readonly address: string;
	readonly asked: string[];
	readonly stop: () => void;
}> {
	const asked: string[] = [];
	const socket = createSocket("udp4");
	socket.on("message", (message, { port, address }) => {
		const { id, questions = [] } = decode(message);
		const [question] = questions;
		if (!question) return;
		const { type, name } = question;
		const key = `${type} ${name}`;
		asked.push(key);
		const data = zone[key];
		if (data === "silence") return;
		const code =
			data === undefined
				? codes.NXDOMAIN
				: data === "SERVFAIL"
					? codes.SERVFAIL
					: 0;
		const answers = typeof data === "object" ? data : [];
		const response = {
			type: "response",
			id,
			// The code of an answer is in the low bits.
			flags: 0x180 | code,
			questions,
			answers: answers.map((each) => ({ type, name, ttl: 60, data: each })),
		} as Packet;
		socket.send(encode(response), port, address);
	});
	socket.bind(0, "127.0.0.1");
	await once(socket, "listening");
	return {
		address: `127.0.0.1:${socket.address().port}`,
		asked,
		stop: () => socket.close(),
	};
}
