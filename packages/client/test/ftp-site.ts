import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** How a server takes what it is asked: a reply for a command in place of the usual one, and the file. */
export interface FtpBehaviour {
	readonly replies?: Readonly<Record<string, string>>;
	readonly file?: Uint8Array | string;
	/** What happens to the connection for data once the file is written. */
	readonly data?: "end" | "reset" | "stay";
	/** EPSV is not known, and PASV names this address. */
	readonly passive?: string;
}

export interface FtpSite extends AsyncDisposable {
	readonly port: number;
	readonly commands: string[];
}

/** As much of an FTP server (RFC 959, RFC 2428) as a download needs, on loopback. */
export async function serveFtp({
	replies = {},
	file = "",
	data = "end",
	passive,
}: FtpBehaviour): Promise<FtpSite> {
	const commands: string[] = [];
	const sockets = new Set<Socket>();
	/** Connections for data, which clients make before they say what for. */
	const connections: Socket[] = [];
	const dataServer = createServer((connection) => {
		sockets.add(connection);
		connection.on("error", () => {});
		connections.push(connection);
	});
	dataServer.listen(0, "127.0.0.1");
	await once(dataServer, "listening");
	const dataPort = (dataServer.address() as AddressInfo).port;
	const usual: Record<string, string> = {
		greeting: "220 ready",
		USER: "331 password",
		PASS: "230 welcome",
		TYPE: "200 binary",
		STRU: "200 file",
		EPSV: `229 passive (|||${dataPort}|)`,
		QUIT: "221 bye",
		...(passive === undefined
			? {}
			: {
					EPSV: "500 what?",
					PASV: `227 passive (${passive},${dataPort >> 8},${dataPort & 255})`,
				}),
		...replies,
	};
	const server = createServer((socket) => {
		const reply = (name: string) =>
			socket.write(`${usual[name] ?? "502 not implemented"}\r\n`);
		sockets.add(socket);
		socket.on("error", () => {});
		reply("greeting");
		socket.on("data", async (chunk) => {
			for (const line of String(chunk).split("\r\n").filter(Boolean)) {
				commands.push(line);
				const [name = ""] = line.split(" ");
				if (name !== "RETR" || usual.RETR !== undefined) {
					reply(name);
					continue;
				}
				if (connections.length === 0) await once(dataServer, "connection");
				const connection = connections.shift() as Socket;
				socket.write("150 here it comes\r\n");
				connection.write(file);
				if (data === "end") {
					connection.end();
					socket.write("226 that was it\r\n");
				} else if (data === "reset") {
					connection.resetAndDestroy();
					socket.write("426 broken off\r\n");
				}
			}
		});
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		port: (server.address() as AddressInfo).port,
		commands,
		async [Symbol.asyncDispose]() {
			for (const socket of sockets) socket.destroy();
			server.close();
			dataServer.close();
		},
	};
}
