// Solve with letter masks: g++ -std=c++11 -Wall -Wextra -pedantic -Werror -O2 -o filter-cpp filter.cpp && ./filter-cpp words.txt vctaoen

#include <cstdint>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

static std::uint32_t mask(const std::string &word) {
    std::uint32_t bits = 0;
    for (char letter : word) {
        const int place = (letter | 32) - 'a';
        bits |= std::uint32_t{1} << (place >= 0 && place < 26 ? place : 31);
    }
    return bits;
}

int main(int argc, char **argv) {
    if (argc != 3) return std::cerr << "usage: filter-cpp WORDS LETTERS\n", 2;
    std::ifstream list(argv[1]);
    std::vector<std::pair<std::uint32_t, std::string>> words;
    for (std::string word; std::getline(list, word);)
        if (word.size() >= 4 && word.size() <= 19) words.emplace_back(mask(word), word);
    const std::string asked = argv[2];
    const std::uint32_t letters = mask(asked) & 0x3ffffff, center = mask(asked.substr(0, 1)) & letters;
    for (const auto &entry : words)
        if ((entry.first & center) && (entry.first & letters) == entry.first) std::cout << entry.second << '\n';
}
