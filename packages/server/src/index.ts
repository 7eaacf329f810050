/**
 * What users of @robotrie/server import: `serve` listens by itself, `createService` makes the application for programs that listen
 * themselves, and `openApi` describes both. All else is internal.
 * @module
 */

export type { OpenApiDocument } from "./openapi.ts";
export { type Running, type ServeOptions, serve } from "./serve.ts";
export {
	createService,
	openApi,
	type Service,
	type ServiceOptions,
} from "./service.ts";
