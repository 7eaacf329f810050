/**
 * The shadow root in which an editor stands, and its style sheet: the page's policy allows no style elements, and CodeMirror's styles are
 * sheets of a root. Plain text (plain-text.ts) and the editor that takes its place have the same root.
 */
import sheetText from "./editor.css?inline";

const sheet = new CSSStyleSheet();
sheet.replaceSync(sheetText);

/** The root of a place, made when it is first asked for. */
export function editorRoot(place: HTMLElement): ShadowRoot {
	if (place.shadowRoot) return place.shadowRoot;
	const root = place.attachShadow({ mode: "open", delegatesFocus: true });
	// CodeMirror puts its own in front, so these win.
	root.adoptedStyleSheets.push(sheet);
	return root;
}
