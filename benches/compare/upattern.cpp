// Steps a two-state RLE with lifelib's upattern, the fastest of its engines for boards that are alive everywhere, on the
// unbounded plane; prints the seconds that it took and the population.
//
//   upattern FILE GENERATIONS        (an even number)
#include "upattern.h"

#include <chrono>
#include <cstdlib>
#include <fstream>

#ifdef __AVX512F__
using Universe = apg::upattern<apg::VTile44, 28, 44>;
#else
using Universe = apg::upattern<apg::VTile28, 28>;
#endif

// Squares of 8 x 8 cells are filled from the top down, a band of them at a time.
class Reader {
    Universe &universe;
    std::vector<uint64_t> band;
    int64_t x = 0, y = 0;

    void flush() {
        for (size_t i = 0; i < band.size(); i++) {
            if (band[i] != 0) { universe.emplace_uint64(0, 8 * (int64_t) i, y - y % 8, band[i]); }
            band[i] = 0;
        }
    }

    public:
    explicit Reader(Universe &universe) : universe(universe) {}

    void token(char kind, int64_t count) {
        switch (kind) {
            case 'o':
                if (band.size() <= (size_t) (x + count) / 8) { band.resize((x + count) / 8 + 1); }
                for (int64_t i = x; i < x + count; i++) { band[i / 8] |= 1ull << (8 * (y % 8) + i % 8); }
                x += count;
                break;
            case 'b': x += count; break;
            case '$':
                for (; count > 0; count--) {
                    if (y % 8 == 7) { flush(); }
                    y++;
                }
                x = 0;
                break;
            case '!': flush(); break;
            default: break;
        }
    }
};

int main(int argc, char **argv) {
    if (argc != 3) { return 2; }
    Universe universe;
    Reader reader(universe);
    std::ifstream file(argv[1]);
    int64_t count = 0;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#' || line[0] == 'x') { continue; }
        for (char c : line) {
            if (c >= '0' && c <= '9') {
                count = 10 * count + (c - '0');
            } else {
                reader.token(c, count > 0 ? count : 1);
                count = 0;
            }
        }
    }
    universe.totalPopulation();
    auto start = std::chrono::steady_clock::now();
    universe.advance(0, 0, std::strtoull(argv[2], nullptr, 10));
    std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::cout << seconds.count() << " " << universe.totalPopulation() << std::endl;
}
