export { openApi } from "./openapi.ts";
export { type Running, type ServeOptions, serve } from "./serve.ts";
export { createService, type Service, type ServiceOptions } from "./service.ts";
