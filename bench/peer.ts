import module from "robots-parser";

/** robots-parser is CommonJS, its types say otherwise: what is imported is the function itself. */
export const robotsParser = module as unknown as typeof module.default;
