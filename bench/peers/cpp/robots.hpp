// Reads the rules that a robots.txt has for one crawler, as Google's library reads them: for engines that have no reader of their own.
#pragma once
#include <cctype>
#include <string>
#include <string_view>
#include <strings.h>
#include <vector>

struct Rule {
	std::string pattern;
	bool allow;
};

namespace robots {

constexpr size_t kLongestLine = 16663;
constexpr std::string_view kBlanks = " \t\v\f\r\n";

inline std::string_view strip(std::string_view text) {
	const size_t from = text.find_first_not_of(kBlanks);
	if (from == text.npos) return {};
	return text.substr(from, text.find_last_not_of(kBlanks) - from + 1);
}

inline bool beginsWith(std::string_view text, std::initializer_list<std::string_view> words) {
	for (std::string_view word : words)
		if (text.size() >= word.size() && !strncasecmp(text.data(), word.data(), word.size())) return true;
	return false;
}

/** Hexadecimal digits in upper case, bytes above 127 percent-encoded. */
inline std::string escaped(std::string_view text) {
	constexpr char digits[] = "0123456789ABCDEF";
	std::string out;
	for (size_t i = 0; i < text.size(); i++) {
		const unsigned char byte = text[i];
		if (byte == '%' && i + 2 < text.size() && isxdigit((unsigned char)text[i + 1]) && isxdigit((unsigned char)text[i + 2])) {
			out += '%';
			out += toupper(text[++i]);
			out += toupper(text[++i]);
		} else if (byte >= 128) {
			out += {'%', digits[byte >> 4], digits[byte & 15]};
		} else {
			out += text[i];
		}
	}
	return out;
}

/** Cuts a line into key and value; the colon may be missing where there are two words. */
inline bool cut(std::string_view line, std::string_view& key, std::string_view& value) {
	line = strip(line.substr(0, line.find('#')));
	size_t colon = line.find(':');
	if (colon == line.npos) {
		colon = line.find_first_of(" \t");
		if (colon == line.npos || strip(line.substr(colon)).find_first_of(" \t") != line.npos) return false;
	}
	key = strip(line.substr(0, colon));
	value = strip(line.substr(colon + 1));
	return !key.empty();
}

inline std::vector<Rule> rulesFor(std::string_view file, std::string_view agent) {
	std::vector<Rule> own, common;
	bool inOwn = false, inCommon = false, hasOwn = false, hasRule = false;
	if (file.substr(0, 3) == "\xEF\xBB\xBF") file.remove_prefix(3);
	while (!file.empty()) {
		const size_t end = std::min(file.find_first_of("\r\n"), file.size());
		std::string_view key, value;
		const bool isPair = cut(file.substr(0, std::min(end, kLongestLine)), key, value);
		file.remove_prefix(std::min(end + 1, file.size()));
		if (!isPair) continue;
		if (beginsWith(key, {"user-agent", "useragent", "user agent"})) {
			if (hasRule) inOwn = inCommon = hasRule = false;
			if (value.starts_with('*') && (value.size() == 1 || isspace((unsigned char)value[1]))) {
				inCommon = true;
				continue;
			}
			size_t length = 0;
			while (length < value.size() && (isalpha((unsigned char)value[length]) || value[length] == '-' || value[length] == '_')) length++;
			if (length == agent.size() && beginsWith(value, {agent})) inOwn = hasOwn = true;
			continue;
		}
		const bool allow = beginsWith(key, {"allow"});
		if (!allow && !beginsWith(key, {"disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"})) continue;
		if (!inOwn && !inCommon) continue;
		hasRule = true;
		std::string pattern = escaped(value);
		if (pattern.empty()) continue;
		std::vector<Rule>& rules = inOwn ? own : common;
		const size_t slash = pattern.rfind('/');
		if (allow && slash != pattern.npos && pattern.compare(slash, 10, "/index.htm") == 0)
			rules.push_back({pattern.substr(0, slash + 1) + '$', true});
		rules.push_back({std::move(pattern), allow});
	}
	return hasOwn ? own : common;
}

/** A pattern's texts between its "*", and whether the last one has to be the path's end. */
struct Pieces {
	std::vector<std::string> texts;
	bool isAnchored;

	explicit Pieces(std::string_view pattern) : isAnchored(pattern.ends_with('$')) {
		if (isAnchored) pattern.remove_suffix(1);
		for (size_t star; (star = pattern.find('*')) != pattern.npos; pattern.remove_prefix(star + 1))
			texts.emplace_back(pattern.substr(0, star));
		texts.emplace_back(pattern);
	}
};

}  // namespace robots
