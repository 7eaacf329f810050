// A native engine with wide vectors: a site's rules as tables and one flat radix tree. judge.cpp is compiled twice, for
// AVX2 and for AVX-512; rival.cpp makes the tables and chooses one at run time.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "robots.hpp"

/** What follows a pattern's first text: a path whose rest has it is judged by `rank`, twice the pattern's length and one for allow. */
struct Tail {
	uint32_t rank;
	robots::Pieces pieces;
};

/** A text that may begin anywhere behind a path's first byte. Its first eight bytes stand in `key`, as far as `mask` says. */
struct Needle {
	uint64_t key, mask;
	Tail tail;
};

/**
 * A node in the tree's bytes: this head, the label (a multiple of 16 bytes), the first bytes of its children's labels (as well), and
 * their places.
 */
struct Node {
	uint32_t rank;
	uint16_t labelLength, childCount;
	/** Its tails, highest rank first. */
	uint32_t tailFrom, tailEnd;
};

struct Tables {
	/** For a path's second, third and fourth byte the groups of rules that may have it there: with none in common, no rule applies. */
	uint8_t first[3][256];
	/** As Teddy has it: by the low and the high half of each of three bytes, the groups of needles that may have it there. */
	uint8_t halves[3][2][16];
	/** Of a path to which no rule applies. */
	uint32_t rank;
	bool hasNeedles;
	std::vector<uint8_t> tree;
	std::vector<Tail> tails;
	/** By their first byte. */
	uint32_t needleFrom[257];
	std::vector<Needle> needles;
};

inline size_t padded(size_t size) { return (size + 15) & ~size_t(15); }

/** Whether the rest of a path has a pattern's texts from `which` on, in their order. */
bool hasTail(const robots::Pieces& pieces, size_t which, std::string_view rest);

/** The rank of the rule that decides a path; `candidates` are places where needles may begin. */
namespace avx2 {
void judge(const Tables& tables, std::string_view lines, bool areUrls, uint8_t* verdicts);
}
namespace avx512 {
void judge(const Tables& tables, std::string_view lines, bool areUrls, uint8_t* verdicts);
}
