// Takes the choices of a generator written with testlib from rebut, so that its findings shrink: include this in place
// of testlib.h, which has to be beside it or on the include path. See docs/reference/choices.md.
#ifndef REBUT_TESTLIB_H_
#define REBUT_TESTLIB_H_
#ifdef _TESTLIB_H_
#error "include rebut_testlib.h before testlib.h, or in place of it"
#endif
#include <iterator>
#include <type_traits>

#include "rebut.h"

namespace rebut {
// Returns random bits, for the functions of testlib that are not written anew below.
inline long long testlib_bits(int bits) { return static_cast<long long>(draw((1ULL << bits) - 1)); }
}  // namespace rebut

// testlib makes everything of `random_t::nextBits(int bits)`. Its definition gets another name here, and its calls lead
// to the function above.
#define nextBits(bits) REBUT_BITS_##bits)
#define REBUT_BITS_int unused_bits(int
#define REBUT_BITS_26 rebut::testlib_bits(26
#define REBUT_BITS_27 rebut::testlib_bits(27
#define REBUT_BITS_31 rebut::testlib_bits(31
#define REBUT_BITS_63 rebut::testlib_bits(63
#define REBUT_BITS_lowerBitCount rebut::testlib_bits(lowerBitCount
#include "testlib.h"
#undef nextBits
namespace rebut {

// testlib's random source. A number is one draw of as many values as it can have, and the order of a shuffle shrinks
// towards the existing one.
class testlib_random : public random_t {
    template <class T>
    using whole = typename std::enable_if<std::is_integral<T>::value, T>::type;

  public:
    template <class T>
    whole<T> next(T n) {
        if (n <= 0) __testlib_fail("random_t::next(n): n must be positive");
        return static_cast<T>(draw(static_cast<u64>(n) - 1));
    }
    template <class T, class U>
    whole<typename std::common_type<T, U>::type> next(T from, U to) {
        typedef typename std::common_type<T, U>::type number;
        const number lo = static_cast<number>(from), hi = static_cast<number>(to);
        if (lo > hi) __testlib_fail("random_t::next(from, to): from can not be greater than to");
        if (std::is_signed<number>::value)
            return static_cast<number>(rebut::next(static_cast<long long>(lo), static_cast<long long>(hi)));
        return static_cast<number>(static_cast<u64>(lo) + draw(static_cast<u64>(hi) - static_cast<u64>(lo)));
    }
    double next() { return random_t::next(); }
    double next(double n) { return random_t::next(n); }
    double next(double from, double to) { return random_t::next(from, to); }
    std::string next(const std::string& text) { return random_t::next(text); }
    template <class... Arguments>
    std::string next(const char* format, Arguments... arguments) {
        return random_t::next(format, arguments...);
    }

    // The largest, or smallest, of several numbers. Very many are approximated by testlib.
    template <class T>
    whole<T> wnext(T n, int type) {
        if (type > 25 || type < -25) return random_t::wnext(n, type);
        T result = next(n);
        for (int more = type < 0 ? -type : type; more > 0; more--) {
            const T other = next(n);
            if (type > 0 ? other > result : other < result) result = other;
        }
        return result;
    }
    template <class T, class U>
    whole<typename std::common_type<T, U>::type> wnext(T from, U to, int type) {
        typedef typename std::common_type<T, U>::type number;
        if (static_cast<number>(from) > static_cast<number>(to))
            __testlib_fail("random_t::wnext(from, to, type): from can not be greater than to");
        return static_cast<number>(from + wnext(static_cast<number>(to) - static_cast<number>(from) + 1, type));
    }
    double wnext(int type) { return random_t::wnext(type); }
    double wnext(double n, int type) { return random_t::wnext(n, type); }
    double wnext(double from, double to, int type) { return random_t::wnext(from, to, type); }

    template <class Container>
    typename Container::value_type any(const Container& items) {
        return any(items.begin(), items.end());
    }
    template <class Iterator>
    typename std::iterator_traits<Iterator>::value_type any(Iterator begin, Iterator end) {
        std::advance(begin, next(std::distance(begin, end)));
        return *begin;
    }

    template <class T, class U>
    std::vector<U> perm(T size, U first) {
        std::vector<U> items;
        for (T at = 0; at < size; at++) items.push_back(first++);
        rebut::shuffle(items);
        return items;
    }
    template <class T>
    std::vector<T> perm(T size) {
        return perm(size, T(0));
    }
    // Distinct numbers by Floyd's algorithm, which never rejects a draw.
    template <class T>
    std::vector<T> distinct(int size, T from, T to) {
        std::vector<T> found;
        std::set<T> taken;
        if (size > 0 && (from > to || static_cast<u64>(size) > static_cast<u64>(to) - static_cast<u64>(from) + 1))
            __testlib_fail("random_t::distinct expected size <= to - from + 1");
        while (static_cast<int>(found.size()) < size) {
            const T last = static_cast<T>(to - (size - 1 - static_cast<T>(found.size())));
            const T item = next(from, last);
            found.push_back(taken.count(item) > 0 ? last : item);
            taken.insert(found.back());
        }
        return found;
    }
    template <class T>
    std::vector<T> distinct(int size, T upper) {
        return distinct(size, T(0), static_cast<T>(upper - 1));
    }
};

inline testlib_random& testlib_source() {
    static testlib_random only;
    return only;
}
inline void register_gen(int argc, char** argv, int version) {
    init(argc, argv);
    ::registerGen(argc, argv, version);
}
}  // namespace rebut

// The shuffle of arrays and vectors, which is preferred to that of testlib.
template <class T>
void shuffle(T* begin, T* end) {
    for (T* last = end; last - begin > 1;) --last, std::swap(*last, *(last - rebut::draw(static_cast<rebut::u64>(last - begin))));
}
#ifdef __GLIBCXX__
template <class T, class Container>
void shuffle(__gnu_cxx::__normal_iterator<T, Container> begin, __gnu_cxx::__normal_iterator<T, Container> end) {
    ::shuffle(begin.base(), end.base());
}
#endif

#define registerGen rebut::register_gen
#define rnd rebut::testlib_source()
#endif
