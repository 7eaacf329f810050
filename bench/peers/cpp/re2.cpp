// RE2::Set: all rules of a site as one set of regular expressions.
#include <algorithm>

#include <re2/re2.h>
#include <re2/set.h>

#include "driver.hpp"
#include "regex.hpp"

class Set {
public:
	explicit Set(const std::vector<Rule>& rules) : set(options(), RE2::UNANCHORED) {
		for (const Rule& rule : rules) {
			if (set.Add(regexOf(rule.pattern, ".*"), nullptr) < 0) throw std::runtime_error(rule.pattern);
			ranks.push_back(rule.pattern.size() * 2 + rule.allow);
		}
		if (!set.Compile()) throw std::runtime_error("RE2::Set does not compile");
	}

	bool allows(std::string_view path) const {
		size_t best = 1;
		thread_local std::vector<int> found;
		if (!ranks.empty() && set.Match(re2::StringPiece(path.data(), path.size()), &found))
			for (int rule : found) best = std::max(best, ranks[rule]);
		return best & 1;
	}

private:
	static RE2::Options options() {
		RE2::Options options;
		options.set_encoding(RE2::Options::EncodingLatin1);
		options.set_dot_nl(true);
		options.set_max_mem(64 << 20);
		return options;
	}

	RE2::Set set;
	std::vector<size_t> ranks;
};

int main(int, char** argv) { return driver::run<Set>(argv, RE2_VERSION); }
