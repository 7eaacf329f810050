// Makes the rival's tables from a site's rules.
#include <algorithm>
#include <cstring>
#include <map>

#include "driver.hpp"
#include "rival.hpp"

bool hasTail(const robots::Pieces& pieces, size_t which, std::string_view rest) {
	const auto& texts = pieces.texts;
	const size_t last = texts.size() - 1;
	if (last == 0) return rest.empty();
	for (; which < last + !pieces.isAnchored; which++) {
		const void* found = memmem(rest.data(), rest.size(), texts[which].data(), texts[which].size());
		if (!found) return false;
		rest.remove_prefix((const char*)found - rest.data() + texts[which].size());
	}
	return !pieces.isAnchored || rest.ends_with(texts[last]);
}

namespace {

struct Building {
	uint32_t rank = 0;
	std::vector<Tail> tails;
	std::map<uint8_t, Building> children;
};

class Rival {
public:
	explicit Rival(const std::vector<Rule>& rules) : tables() {
		tables.rank = 1;
		Building root;
		std::vector<Needle> needles;
		for (const Rule& rule : rules) {
			const uint32_t rank = rule.pattern.size() * 2 + rule.allow;
			robots::Pieces pieces(rule.pattern);
			// A last "*" says nothing, nor do several.
			auto& texts = pieces.texts;
			if (!pieces.isAnchored)
				while (texts.size() > 1 && texts.back().empty()) texts.pop_back();
			const size_t keep = pieces.isAnchored ? texts.size() - 1 : texts.size();
			for (size_t i = keep; i-- > 1;)
				if (texts[i].empty()) texts.erase(texts.begin() + i);
			// Any path.
			if (texts.size() == 2 && texts[1].empty() && texts[0].size() <= 1) {
				pieces.isAnchored = false;
				texts.pop_back();
			}
			if (texts[0].empty() && texts.size() == 1 && !pieces.isAnchored) texts[0] = "/";
			if ((texts[0] == "/" || texts[0].empty()) && texts.size() > 1) {
				needles.push_back(needleOf({rank, std::move(pieces)}));
				continue;
			}
			note(tables.first, texts[0]);
			Building* node = &root;
			for (uint8_t byte : texts[0]) node = &node->children[byte];
			if (texts.size() == 1 && !pieces.isAnchored)
				node->rank = std::max(node->rank, rank);
			else
				node->tails.push_back({rank, std::move(pieces)});
		}
		write(root, "");
		tables.tree.resize(tables.tree.size() + 64);
		index(std::move(needles));
	}

	bool allows(std::string_view path) const {
		// A line of a job: what is behind the path is a fragment or the line's end.
		uint8_t verdict;
		const char* const end = path.data() + path.size();
		judge(tables, {path.data(), *end == '\n' ? end + 1 : strchr(end, '\n') + 1}, false, &verdict);
		return verdict;
	}

	void lines(std::string_view lines, bool areUrls, uint8_t* verdicts) const { judge(tables, lines, areUrls, verdicts); }

private:
	/** Lets paths pass that may have a text. */
	static void note(uint8_t (&first)[3][256], const std::string& text) {
		const uint8_t group = 1 << (text.size() > 1 ? (uint8_t)text[1] * 7 % 8 : 0);
		for (size_t i = 0; i < 3; i++)
			for (int byte = 0; byte < 256; byte++)
				if (text.size() <= i + 1 || (uint8_t)text[i + 1] == byte) first[i][byte] |= group;
	}

	static Needle needleOf(Tail tail) {
		const std::string& text = tail.pieces.texts[1];
		const size_t length = std::min<size_t>(8, text.size());
		uint64_t key = 0;
		memcpy(&key, text.data(), length);
		return {key, length == 8 ? ~uint64_t(0) : (uint64_t(1) << 8 * length) - 1, std::move(tail)};
	}

	void index(std::vector<Needle> needles) {
		std::ranges::stable_sort(needles, [](auto& a, auto& b) { return (a.key & 255) < (b.key & 255); });
		tables.hasNeedles = !needles.empty();
		for (const Needle& needle : needles) {
			const std::string& text = needle.tail.pieces.texts[1];
			tables.needleFrom[(uint8_t)text[0] + 1]++;
			const uint8_t group = 1 << ((uint8_t)text[0] * 5 + (text.size() > 1 ? (uint8_t)text[1] : 0)) % 8;
			for (size_t i = 0; i < 3; i++)
				for (int half = 0; half < 16; half++) {
					const bool isAny = text.size() <= i;
					if (isAny || (text[i] & 15) == half) tables.halves[i][0][half] |= group;
					if (isAny || (uint8_t)text[i] >> 4 == half) tables.halves[i][1][half] |= group;
				}
		}
		for (int byte = 0; byte < 256; byte++) tables.needleFrom[byte + 1] += tables.needleFrom[byte];
		tables.needles = std::move(needles);
	}

	/** Writes a node and what is below it; nodes with one child and no rules become part of its label. */
	uint32_t write(Building& node, std::string label) {
		if (node.children.size() == 1 && node.rank == 0 && node.tails.empty()) {
			auto& [byte, child] = *node.children.begin();
			return write(child, label + char(byte));
		}
		std::ranges::sort(node.tails, [](auto& a, auto& b) { return a.rank > b.rank; });
		const uint32_t place = tables.tree.size(), from = tables.tails.size(), count = node.children.size();
		for (Tail& tail : node.tails) tables.tails.push_back(std::move(tail));
		const Node head{node.rank, uint16_t(label.size()), uint16_t(count), from, uint32_t(tables.tails.size())};
		const size_t keys = place + sizeof head + padded(label.size()), places = keys + padded(count);
		tables.tree.resize(places + 4 * count);
		memcpy(&tables.tree[place], &head, sizeof head);
		memcpy(&tables.tree[place + sizeof head], label.data(), label.size());
		size_t i = 0;
		for (auto& [byte, child] : node.children) {
			tables.tree[keys + i] = byte;
			const uint32_t at = write(child, std::string(1, char(byte)));
			memcpy(&tables.tree[places + 4 * i++], &at, 4);
		}
		return place;
	}

	static void judge(const Tables& tables, std::string_view lines, bool areUrls, uint8_t* verdicts) {
		static const auto chosen = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") ? avx512::judge : avx2::judge;
		chosen(tables, lines, areUrls, verdicts);
	}

	Tables tables;
};

}  // namespace

int main(int argc, char** argv) {
	if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2")) return 77;
	if (argc < 3) return 0;
	return driver::run<Rival>(argv, __builtin_cpu_supports("avx512bw") ? "AVX-512" : "AVX2");
}
