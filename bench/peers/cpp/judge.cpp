// One pass over lines: each 64 bytes become masks of line ends, fragments and places where needles may begin. Compiled twice, with
// ISA=avx2 and ISA=avx512. Reads up to 64 bytes behind the last line and 8 in front of the first one.
#include <cstring>
#include <immintrin.h>

#include "rival.hpp"

namespace ISA {
namespace {

struct Masks {
	uint64_t ends, fragments, needles;
};

#ifdef __AVX512BW__
using Vector = __m512i;
Vector load(const uint8_t* from) { return _mm512_loadu_si512(from); }
Vector splat(uint8_t byte) { return _mm512_set1_epi8(byte); }
Vector table(const uint8_t* bytes) { return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i*)bytes)); }
Vector both(Vector a, Vector b) { return _mm512_and_si512(a, b); }
Vector chosen(Vector from, Vector by) { return _mm512_shuffle_epi8(from, by); }
Vector high(Vector bytes) { return both(_mm512_srli_epi16(bytes, 4), splat(15)); }
uint64_t equal(Vector a, Vector b) { return _mm512_cmpeq_epi8_mask(a, b); }
uint64_t some(Vector bytes) { return _mm512_test_epi8_mask(bytes, bytes); }
#else
using Vector = __m256i;
Vector load(const uint8_t* from) { return _mm256_loadu_si256((const Vector*)from); }
Vector splat(uint8_t byte) { return _mm256_set1_epi8(byte); }
Vector table(const uint8_t* bytes) { return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i*)bytes)); }
Vector both(Vector a, Vector b) { return _mm256_and_si256(a, b); }
Vector chosen(Vector from, Vector by) { return _mm256_shuffle_epi8(from, by); }
Vector high(Vector bytes) { return both(_mm256_srli_epi16(bytes, 4), splat(15)); }
uint64_t equal(Vector a, Vector b) { return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(a, b)); }
uint64_t some(Vector bytes) { return (uint32_t)~equal(bytes, splat(0)); }
#endif
constexpr size_t kWidth = sizeof(Vector);

/** The tables for needles, in registers. */
struct Halves {
	Vector low[3], high[3];
	explicit Halves(const Tables& tables) {
		for (int i = 0; i < 3; i++) {
			low[i] = table(tables.halves[i][0]);
			high[i] = table(tables.halves[i][1]);
		}
	}
	uint64_t candidates(const uint8_t* from) const {
		Vector groups = splat(255);
		for (int i = 0; i < 3; i++) {
			const Vector bytes = load(from + i);
			groups = both(groups, both(chosen(low[i], both(bytes, splat(15))), chosen(high[i], ISA::high(bytes))));
		}
		return some(groups);
	}
};

/** Masks of 64 bytes. */
template <bool hasNeedles>
Masks masksOf(const uint8_t* from, const Halves& halves) {
	Masks masks{};
	for (size_t at = 0; at < 64; at += kWidth) {
		const Vector bytes = load(from + at);
		masks.ends |= equal(bytes, splat('\n')) << at;
		masks.fragments |= equal(bytes, splat('#')) << at;
		if (hasNeedles) masks.needles |= halves.candidates(from + at) << at;
	}
	return masks;
}

uint64_t wordAt(const uint8_t* at) {
	uint64_t word;
	memcpy(&word, at, 8);
	return word;
}

uint32_t equal16(const uint8_t* a, const uint8_t* b) {
	return _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128((const __m128i*)a), _mm_loadu_si128((const __m128i*)b)));
}

/** Down the tree as far as the path goes: of the rules whose texts it has, the longest. */
uint32_t walk(const Tables& tables, const uint8_t* path, const uint8_t* end, uint32_t best) {
	for (const uint8_t* at = tables.tree.data();;) {
		Node node;
		memcpy(&node, at, sizeof node);
		at += sizeof node;
		if (path + node.labelLength > end) return best;
		for (size_t done = 0; done < node.labelLength; done += 16) {
			const size_t length = std::min<size_t>(16, node.labelLength - done);
			if (_tzcnt_u32(~equal16(path + done, at + done)) < length) return best;
		}
		path += node.labelLength;
		best = std::max(best, node.rank);
		for (uint32_t i = node.tailFrom; i < node.tailEnd && tables.tails[i].rank > best; i++)
			if (hasTail(tables.tails[i].pieces, 1, {(const char*)path, size_t(end - path)})) best = tables.tails[i].rank;
		if (path == end || node.childCount == 0) return best;
		at += padded(node.labelLength);
		const __m128i byte = _mm_set1_epi8(*path);
		size_t child = 0;
		for (;; child += 16) {
			if (child >= node.childCount) return best;
			const uint32_t found = _mm_movemask_epi8(_mm_cmpeq_epi8(byte, _mm_loadu_si128((const __m128i*)(at + child))));
			const size_t which = child + _tzcnt_u32(found | 0x10000);
			if (found && which < node.childCount) {
				child = which;
				break;
			}
		}
		uint32_t place;
		memcpy(&place, at + padded(node.childCount) + 4 * child, 4);
		at = tables.tree.data() + place;
	}
}

uint32_t rankAt(const Tables& tables, const uint8_t* path, const uint8_t* at, const uint8_t* end, uint32_t best) {
	const uint64_t word = wordAt(at);
	for (uint32_t i = tables.needleFrom[*at]; i < tables.needleFrom[*at + 1]; i++) {
		const Needle& needle = tables.needles[i];
		if ((word & needle.mask) != needle.key || needle.tail.rank <= best) continue;
		if (at - path < ptrdiff_t(needle.tail.pieces.texts[0].size())) continue;
		if (hasTail(needle.tail.pieces, 1, {(const char*)at, size_t(end - at)})) best = needle.tail.rank;
	}
	return best;
}

/** The "/" behind a URL's authority, or the URL's end. */
const uint8_t* pathOf(const uint8_t* url, const uint8_t* end) {
	const uint8_t* from = url + 8;
	for (;; from += kWidth) {
		const uint64_t slashes = equal(load(from), splat('/'));
		if (slashes) return std::min(from + _tzcnt_u64(slashes), end);
		if (from >= end) return end;
	}
}

template <bool hasNeedles, bool areUrls>
void judgeLines(const Tables& tables, std::string_view lines, uint8_t* verdicts) {
	const Halves halves(tables);
	const uint8_t* block = (const uint8_t*)lines.data();
	const uint8_t* const last = block + lines.size();
	const uint8_t* start = block;
	const uint8_t* fragment = nullptr;
	std::vector<const uint8_t*> candidates;
	for (; block < last; block += 64) {
		Masks masks = masksOf<hasNeedles>(block, halves);
		const auto noteBelow = [&](uint64_t below) {
			if (hasNeedles)
				for (uint64_t found = masks.needles & below; found; found &= found - 1) candidates.push_back(block + _tzcnt_u64(found));
			if (hasNeedles) masks.needles &= ~below;
			if ((masks.fragments & below) && !fragment) fragment = block + _tzcnt_u64(masks.fragments & below);
			masks.fragments &= ~below;
		};
		for (; masks.ends; masks.ends &= masks.ends - 1) {
			const uint8_t* const lineEnd = block + _tzcnt_u64(masks.ends);
			if (lineEnd >= last) break;
			if (masks.needles | masks.fragments) noteBelow(_blsmsk_u64(masks.ends));
			const uint8_t* const end = fragment ? fragment : lineEnd;
			const uint8_t* const path = areUrls ? pathOf(start, end) : start;
			uint32_t best = tables.rank;
			if (tables.first[0][path[1]] & tables.first[1][path[2]] & tables.first[2][path[3]]) best = walk(tables, path, end, best);
			if (hasNeedles && !candidates.empty()) {
				for (const uint8_t* at : candidates)
					if (at >= path && at < end) best = rankAt(tables, path, at, end, best);
				candidates.clear();
			}
			*verdicts++ = best & 1;
			start = lineEnd + 1;
			fragment = nullptr;
		}
		if (masks.needles | masks.fragments) noteBelow(~uint64_t(0));
	}
}

}  // namespace

void judge(const Tables& tables, std::string_view lines, bool areUrls, uint8_t* verdicts) {
	if (tables.hasNeedles)
		areUrls ? judgeLines<true, true>(tables, lines, verdicts) : judgeLines<true, false>(tables, lines, verdicts);
	else
		areUrls ? judgeLines<false, true>(tables, lines, verdicts) : judgeLines<false, false>(tables, lines, verdicts);
}

}  // namespace ISA
