// A rule's pattern as a regular expression, for engines that take those.
#pragma once
#include <string>

#include "robots.hpp"

/** Every byte as \xHH, so that none has a meaning; `any` stands for "*". A last "*" says nothing. */
inline std::string regexOf(std::string pattern, const std::string& any) {
	constexpr char digits[] = "0123456789ABCDEF";
	std::string regex = "^";
	const bool isAnchored = pattern.ends_with('$');
	if (isAnchored) pattern.pop_back();
	else
		while (pattern.ends_with('*')) pattern.pop_back();
	for (unsigned char byte : pattern) {
		if (byte == '*') regex += any;
		else
			regex += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
	}
	return isAnchored ? regex + '$' : regex;
}
