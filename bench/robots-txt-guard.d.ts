declare module "robots-txt-guard" {
	export default function guard(config: {
		readonly groups: readonly {
			readonly agents: readonly string[];
			readonly rules: readonly {
				readonly rule: string;
				readonly path: string;
			}[];
		}[];
	}): { isAllowed(agent: string, path: string): boolean };
}
