"""May this crawler fetch this URL? robots.txt compiled to byte-code, for millions of URLs a second.

>>> from robotrie import RobotsTxt
>>> robots = RobotsTxt.parse("User-agent: *\\nDisallow: /private/")
>>> robots.is_allowed("https://example.com/private/a.html", "ExampleBot")
False
"""

from ._index import Index
from ._matcher import Matcher, Rule, Verdict
from ._robots_txt import Explanation, Group, RobotsTxt

__all__ = ["Explanation", "Group", "Index", "Matcher", "RobotsTxt", "Rule", "Verdict"]
__version__ = "0.1.0"
