// attack: computes forever at compile time
// expect: compiling was stopped: it takes more than 1 s of processor time
template <int n> constexpr long count() {
    long sum = 0;
    for (int i = 0; i < 200000; i++) sum += i % (n + 1);
    if constexpr (n > 0) sum += count<n - 1>();
    return sum;
}
constexpr long all[] = {count<0>(), count<100>(), count<200>(), count<300>(), count<400>(), count<500>()};
template <int... n> constexpr long more = (count<n>() + ...);
static_assert(more<700, 701, 702, 703, 704, 705, 706, 707, 708, 709> > 0);
int main() {}
