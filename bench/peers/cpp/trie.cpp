// A trie written by hand: a node for each byte of the texts in front of a pattern's first "*", memmem for what follows.
#include <algorithm>
#include <map>

#include "driver.hpp"

class Trie {
public:
	explicit Trie(const std::vector<Rule>& rules) {
		std::vector<std::map<uint8_t, uint32_t>> children(1);
		nodes.emplace_back();
		for (const Rule& rule : rules) {
			robots::Pieces pieces(rule.pattern);
			uint32_t node = 0;
			for (uint8_t byte : pieces.texts[0]) {
				auto [child, isNew] = children[node].try_emplace(byte, nodes.size());
				node = child->second;
				if (!isNew) continue;
				nodes.emplace_back();
				children.emplace_back();
			}
			const uint32_t rank = rule.pattern.size() * 2 + rule.allow;
			if (pieces.texts.size() == 1 && !pieces.isAnchored)
				nodes[node].rank = std::max(nodes[node].rank, rank);
			else
				nodes[node].tails.push_back({rank, std::move(pieces)});
		}
		for (size_t i = 0; i < nodes.size(); i++) {
			nodes[i].first = edges.size();
			for (auto [byte, child] : children[i]) edges.push_back({byte, child});
			nodes[i].end = edges.size();
			std::ranges::sort(nodes[i].tails, [](auto& a, auto& b) { return a.rank > b.rank; });
		}
	}

	bool allows(std::string_view path) const {
		uint32_t best = 1;
		const Node* node = &nodes[0];
		for (size_t at = 0;; at++) {
			best = std::max(best, node->rank);
			for (const Tail& tail : node->tails) {
				if (tail.rank <= best) break;
				if (matches(tail.pieces, path.substr(at))) best = tail.rank;
			}
			if (at == path.size()) break;
			const Edge* edge = edges.data() + node->first;
			const Edge* end = edges.data() + node->end;
			while (edge < end && edge->byte != uint8_t(path[at])) edge++;
			if (edge == end) break;
			node = &nodes[edge->child];
		}
		return best & 1;
	}

private:
	struct Tail {
		uint32_t rank;
		robots::Pieces pieces;
	};
	struct Node {
		uint32_t rank = 0, first = 0, end = 0;
		std::vector<Tail> tails;
	};
	struct Edge {
		uint8_t byte;
		uint32_t child;
	};

	/** Whether what follows a pattern's first text is in the rest of a path. */
	static bool matches(const robots::Pieces& pieces, std::string_view rest) {
		const auto& texts = pieces.texts;
		if (texts.size() == 1) return rest.empty();
		const size_t last = texts.size() - 1;
		for (size_t i = 1; i < last + !pieces.isAnchored; i++) {
			const void* found = memmem(rest.data(), rest.size(), texts[i].data(), texts[i].size());
			if (!found) return false;
			rest.remove_prefix((const char*)found - rest.data() + texts[i].size());
		}
		return !pieces.isAnchored || rest.ends_with(texts[last]);
	}

	std::vector<Node> nodes;
	std::vector<Edge> edges;
};

int main(int, char** argv) { return driver::run<Trie>(argv, ""); }
