// What all engines in C++ share: reads sites and jobs, and does what the harness asks for (../README.md). An engine is a class that is
// made from a site's rules and has `bool allows(std::string_view path) const`. If it has `void lines(std::string_view lines, bool areUrls,
// uint8_t* verdicts) const`, too, that one gets all lines of a site.
#pragma once
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <unistd.h>
#include <unordered_map>

#include "robots.hpp"

namespace driver {

/** Reads a file of numbers and texts. */
class Reader {
public:
	explicit Reader(const std::string& path) {
		std::ifstream file(path, std::ios::binary);
		bytes.assign(std::istreambuf_iterator<char>(file), {});
	}
	uint32_t number() {
		uint32_t value;
		memcpy(&value, bytes.data() + at, 4);
		at += 4;
		return value;
	}
	std::string text() {
		const uint32_t length = number();
		at += length;
		return bytes.substr(at - length, length);
	}

private:
	std::string bytes;
	size_t at = 0;
};

struct Site {
	std::string origin, robots;
};

struct Job {
	/** -1 for URLs of any sites. */
	int32_t site;
	uint32_t count;
	std::string lines;
	std::vector<uint8_t> verdicts;
};

/** From a URL's path on, without fragment; a path as it is. */
inline std::string_view pathOf(std::string_view line) {
	size_t from = 0;
	if (line[0] != '/') from = std::min(line.find('/', line.find("://") + 3), line.size());
	return line.substr(from, line.find('#', from) - from);
}

template <class Engine>
class Driver {
public:
	explicit Driver(const char* file) {
		Reader in(file);
		for (uint32_t left = in.number(); left > 0; left--) {
			Site site{in.text(), in.text()};
			sites.push_back(std::move(site));
		}
	}

	void obey() {
		for (std::string command; std::cin >> command;) {
			if (command == "compile") {
				std::cout << timed([&] { compile(); });
			} else if (command == "jobs") {
				std::string file;
				std::cin >> file;
				readJobs(file);
				std::cout << jobs.size();
			} else if (command == "judge") {
				size_t from, to, times;
				std::cin >> from >> to >> times;
				while (times-- > 0) std::cout << timed([&] { judge(from, to); }) << ' ';
			} else if (command == "verdicts") {
				judge(0, jobs.size());
				for (const Job& job : jobs)
					for (uint8_t verdict : job.verdicts) std::cout << char('0' + verdict);
			} else if (command == "memory") {
				size_t pages = 0;
				std::ifstream("/proc/self/statm") >> pages >> pages;
				std::cout << pages * sysconf(_SC_PAGESIZE);
			}
			std::cout << std::endl;
		}
	}

private:
	template <class Work>
	static int64_t timed(Work work) {
		const auto start = std::chrono::steady_clock::now();
		work();
		return std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count();
	}

	void compile() {
		byOrigin.clear();
		engines.clear();
		for (const Site& site : sites) {
			engines.push_back(std::make_unique<Engine>(robots::rulesFor(site.robots, "googlebot")));
			byOrigin[site.origin] = engines.back().get();
		}
	}

	void readJobs(const std::string& file) {
		jobs.clear();
		Reader in(file);
		for (uint32_t left = in.number(); left > 0; left--) {
			const int32_t site = in.number();
			const uint32_t count = in.number();
			jobs.push_back({site, count, in.text(), std::vector<uint8_t>(count + 64)});
			jobs.back().verdicts.resize(count);
			// Engines may read some bytes behind the last line.
			jobs.back().lines.reserve(jobs.back().lines.size() + 128);
		}
	}

	void judge(size_t from, size_t to) {
		for (; from < to; from++) {
			Job& job = jobs[from];
			std::string_view lines = job.lines;
			uint8_t* out = job.verdicts.data();
			if constexpr (requires(const Engine& engine) { engine.lines(lines, true, out); })
				if (job.site >= 0) {
					engines[job.site]->lines(lines, lines[0] != '/', out);
					continue;
				}
			while (!lines.empty()) {
				const size_t end = lines.find('\n');
				const std::string_view line = lines.substr(0, end);
				lines.remove_prefix(end + 1);
				const std::string_view path = pathOf(line);
				*out++ = (job.site >= 0 ? *engines[job.site] : *of(line, path)).allows(path);
			}
		}
	}

	const Engine* of(std::string_view url, std::string_view path) {
		return byOrigin.find(url.substr(0, path.data() - url.data()))->second;
	}

	std::vector<Site> sites;
	std::vector<Job> jobs;
	std::vector<std::unique_ptr<Engine>> engines;
	std::unordered_map<std::string_view, const Engine*> byOrigin;
};

template <class Engine>
int run(char** argv, const std::string& version) {
	std::cout << version << std::endl;
	Driver<Engine>(argv[2]).obey();
	return 0;
}

}  // namespace driver
