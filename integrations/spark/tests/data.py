"""Sites and URLs, the same in every run."""

import random

_random = random.Random(9309)
_PATHS = ["/", "/a", "/a/b", "/b", "/c?d=1", "/private/x", "/%61", "/é"]
_RULES = ["/a", "/b", "/private", "/*?", "/a$", "/"]


def _rules() -> str:
    return "".join(f"{_random.choice(['Allow', 'Disallow'])}: {_random.choice(_RULES)}\n" for _ in range(4))


def _site(number: int):
    origin = f"http{'s' * (number % 2)}://h{number}.example{':8080' if number % 7 == 0 else ''}"
    if number % 11 == 0:
        return origin, 404, b"", "allow-all"
    if number % 13 == 0:
        return origin, 503, b"", "later"
    return origin, 200, f"User-agent: OtherBot\n{_rules()}\nUser-agent: *\n{_rules()}".encode(), ""


#: Origin, status, body, and what a status other than 200 means.
ROBOTS = [_site(number) for number in range(400)] + [
    ("https://münchen.example", 200, b"User-agent: *\nDisallow: /a\n", ""),
    ("http://192.0.2.1", 200, b"User-agent: *\nDisallow: /a\n", ""),
    ("http://[2001:db8::1]", 200, b"User-agent: *\nDisallow: /a\n", ""),
    ("https://big.example", 200, b"User-agent: *\nDisallow: /a\n", ""),
]

_BIG = "https://big.example"

#: A URL, and what it is for a crawler that may not fetch paths that begin with /a.
ODD = [
    (f"{_BIG}/a\n", "disallowed"),
    (f"{_BIG}/\nb", "allowed"),
    ("\n", "invalid"),
    (f"{_BIG}/b\r", "allowed"),
    (f"{_BIG}/b\0", "allowed"),
    ("https://big\0.example/a", "invalid"),
    (None, "invalid"),
    ("null", "invalid"),
    ("", "invalid"),
    ("/a", "invalid"),
    (f"{_BIG}/a{'x' * 65536}", "disallowed"),
    (" https://BIG.example:443/a", "disallowed"),
    ("https:\\\\big.example\\a", "disallowed"),
    ("https://user:a@big.example/a", "disallowed"),
    ("https://münchen.example/a", "disallowed"),
    ("https://MÜNCHEN.example/b", "allowed"),
    ("https://XN--MNCHEN-3YA.example/a", "disallowed"),
    ("http://0xC0000201/a", "disallowed"),
    ("http://192.0.2.1/b", "allowed"),
    ("http://[2001:DB8::1]/a", "disallowed"),
    ("https://none.example/a", "unknown"),
    ("http://big.example/a", "unknown"),
    ("https://big.example./a", "unknown"),
]


def _url(number: int) -> str:
    if number % 5 < 2:
        return f"{_BIG}{_random.choice(_PATHS)}/{number}"
    origin = _random.choice(ROBOTS)[0] if number % 10 else "https://elsewhere.example"
    return f"{origin}{_random.choice(_PATHS)}{number}"


#: 40% are of one origin.
URLS = [_url(number) for number in range(20_000)] + [url for url, _ in ODD]
