// VitePress's own theme with the playground's colours, the system's fonts and one component, the front page's verdict.
import type { Theme } from "vitepress";
import DefaultTheme, {
	VPHomeFeatures,
	VPHomeHero,
} from "vitepress/theme-without-fonts";
import { onMounted } from "vue";
import LiveVerdict from "./LiveVerdict.vue";
import "./style.css";

export default {
	extends: DefaultTheme,
	setup() {
		// For start.js, which holds back what is pressed before.
		onMounted(() => dispatchEvent(new Event("site-ready")));
	},
	enhanceApp({ app }) {
		app.component("LiveVerdict", LiveVerdict);
		app.component("VPHomeHero", VPHomeHero);
		app.component("VPHomeFeatures", VPHomeFeatures);
		if (import.meta.env.SSR) return;
		// Its address is relative to the page that was opened first; browsers ask again when the page changes.
		const icon = document.querySelector<HTMLLinkElement>("link[rel=icon]");
		if (icon) icon.href = String(icon.href);
	},
} satisfies Theme;
