/**
 * May this crawler fetch this URL? robots.txt compiled to byte-code, for millions of URLs a second.
 *
 * <pre>{@code
 * RobotsTxt robots = RobotsTxt.parse(body);
 * boolean allowed = robots.isAllowed("https://example.com/a.html", "ExampleBot");
 * byte[] verdicts = robots.matcher("ExampleBot").matchMany(urls);
 * }</pre>
 */
package robotrie;
