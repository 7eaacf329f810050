/**
 * The entry of the command line (@robotrie/audit/internal), which keeps answers of DNS from one audit to the next. Not for users; it changes
 * without notice.
 */

export { ReverseDns } from "./scan/reverse-dns.ts";
