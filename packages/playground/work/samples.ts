/**
 * Samples to choose from, each for something that the shop does not show: groups with several names, a dialect's own fields, and what
 * hostile or broken files look like.
 */
import { type Sample, shop } from "./shop.ts";

/** Loaded for those who choose one; the page has their names. */
export const samples: readonly Sample[] = [
	shop,
	{
		name: "A news site against AI crawlers",
		agent: "GPTBot",
		dialect: "auto",
		robots: `User-agent: *
Disallow: /subscribers/
Allow: /subscribers/preview/

# Crawlers that collect texts to train models
User-agent: GPTBot
User-agent: ClaudeBot
User-agent: CCBot
User-agent: Google-Extended
Disallow: /
Allow: /about$

Sitemap: https://news.example/sitemap.xml
`,
		urls: `https://news.example/
https://news.example/about
https://news.example/about/team
https://news.example/2026/03/election
https://news.example/subscribers/letter
https://news.example/subscribers/preview/letter`,
	},
	{
		name: "A site for Yandex",
		agent: "YandexBot",
		dialect: "auto",
		robots: `User-agent: Yandex
Disallow: /basket
Disallow: /*?sort=
Allow: /catalogue
Clean-param: utm_source&utm_medium /catalogue
Crawl-delay: 2

User-agent: *
Disallow: /

Host: https://shop.example
`,
		urls: `https://shop.example/catalogue/tea
https://shop.example/catalogue/tea?utm_source=letter
https://shop.example/catalogue?sort=price
https://shop.example/basket
https://shop.example/about`,
	},
	{
		// Wildcards that would make a backtracking matcher try without end, and lines that lint finds.
		name: "A hostile file",
		agent: "*",
		dialect: "auto",
		robots: `Disallow: /before-any-group
User-agent *
User-agent: *
Disallow: /${"a*".repeat(40)}b
Disallow: ${"/*".repeat(40)}$
Disalow: /misspelt
Disallow: https://example.com/absolute
Allow: /%zz
`,
		urls: `/before-any-group
/${"a".repeat(120)}
/${"a".repeat(120)}b
/misspelt
/absolute
/%zz`,
	},
];
