/** What the packages beside this one need of it; it changes without notice. */

// The service tells its crawlers' servers apart by the client's own key, and adds the crawler's name.
export { paceKey } from "./pacing/pace-key.ts";
// The command line fetches pages and lists with the client's limits; a client itself asks for robots.txt alone.
export { pageRequests } from "./source/page-requests.ts";
// Overrides of the service are entries of a store, whose form is the client's.
export { encodeEntry } from "./stores/entry.ts";
