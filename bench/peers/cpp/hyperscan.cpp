// Hyperscan: a database for each site. By default a scan for each line; with -DWHOLE_SITES one scan over all lines of a site, in which
// "^" and "$" are those of lines.
#include <algorithm>

#include <hs/hs.h>

#include "driver.hpp"
#include "regex.hpp"

class Database {
public:
	explicit Database(const std::vector<Rule>& rules) {
		if (rules.empty()) return;
		std::vector<std::string> regexes;
		for (const Rule& rule : rules) {
			regexes.push_back(regexOf(rule.pattern, "[^\\n]*"));
			ranks.push_back(rule.pattern.size() * 2 + rule.allow);
		}
		std::vector<const char*> texts;
		std::vector<unsigned> flags, ids;
		for (const std::string& regex : regexes) {
			texts.push_back(regex.c_str());
			flags.push_back(HS_FLAG_MULTILINE | HS_FLAG_ALLOWEMPTY);
			ids.push_back(ids.size());
		}
		hs_compile_error_t* error = nullptr;
		if (hs_compile_multi(texts.data(), flags.data(), ids.data(), texts.size(), HS_MODE_BLOCK, nullptr, &database, &error) != HS_SUCCESS)
			throw std::runtime_error(error->message);
		hs_alloc_scratch(database, &scratch());
	}
	Database(const Database&) = delete;
	~Database() { hs_free_database(database); }

	bool allows(std::string_view path) const {
		if (!database) return true;
		Best best{this, 1};
		hs_scan(database, path.data(), path.size(), 0, scratch(), [](unsigned id, unsigned long long, unsigned long long, unsigned, void* context) {
			Best& best = *static_cast<Best*>(context);
			best.rank = std::max(best.rank, best.database->ranks[id]);
			return 0;
		}, &best);
		return best.rank & 1;
	}

#ifdef WHOLE_SITES
	void lines(std::string_view lines, bool areUrls, uint8_t* verdicts) const {
		if (areUrls) throw std::runtime_error("a scan of whole sites takes paths");
		Walk walk{this, lines, lines.find('\n'), 1, verdicts};
		if (database)
			hs_scan(database, lines.data(), lines.size(), 0, scratch(), [](unsigned id, unsigned long long, unsigned long long to, unsigned, void* context) {
				Walk& walk = *static_cast<Walk*>(context);
				while (to > walk.end) walk.next();
				walk.rank = std::max(walk.rank, walk.database->ranks[id]);
				return 0;
			}, &walk);
		while (walk.end != lines.npos) walk.next();
	}
#endif

private:
	struct Best {
		const Database* database;
		size_t rank;
	};
	/** Matches come in the order of their ends: the line they belong to only moves forward. */
	struct Walk {
		const Database* database;
		std::string_view lines;
		size_t end;
		size_t rank;
		uint8_t* verdicts;

		void next() {
			*verdicts++ = rank & 1;
			rank = 1;
			end = lines.find('\n', end + 1);
		}
	};

	static hs_scratch_t*& scratch() {
		static hs_scratch_t* shared = nullptr;
		return shared;
	}

	hs_database_t* database = nullptr;
	std::vector<size_t> ranks;
};

int main(int, char** argv) { return driver::run<Database>(argv, std::string(hs_version()).substr(0, 5)); }
