// Any solution of the system is correct; whether there is one, the reference decides.
// The matrix is applied by divisors: the product of powers is i^d j^d f(gcd), where f(g) = g^(c-d).
#include "judge.h"

const Number MODULUS = 998244353;

Number power(Number base, Number exponent) {
    exponent %= MODULUS - 1;
    if (exponent < 0) exponent += MODULUS - 1;
    Number result = 1;
    for (base %= MODULUS; exponent; exponent /= 2, base = base * base % MODULUS)
        if (exponent % 2) result = result * base % MODULUS;
    return result;
}

std::vector<Number> apply(const std::vector<Number> &x, Number c, Number d) {
    const int n = int(x.size()) - 1;
    std::vector<Number> part(n + 1), result(n + 1);
    for (int g = 1; g <= n; g++) part[g] = power(g, c - d);
    for (int g = 1; g <= n; g++)
        for (int multiple = 2 * g; multiple <= n; multiple += g) part[multiple] = (part[multiple] - part[g] + MODULUS) % MODULUS;
    for (int g = 1; g <= n; g++) {
        Number sum = 0;
        for (int j = g; j <= n; j += g) sum = (sum + power(j, d) * x[j]) % MODULUS;
        for (int i = g; i <= n; i += g) result[i] = (result[i] + part[g] * sum) % MODULUS;
    }
    for (int i = 1; i <= n; i++) result[i] = result[i] * power(i, d) % MODULUS;
    return result;
}

int main(int, char *arguments[]) {
    open_files(arguments);
    Number n = read(input_file), c = read(input_file), d = read(input_file), q = read(input_file);
    while (q--) {
        std::vector<Number> b(n + 1), x(n + 1), expected(n + 1);
        for (int i = 1; i <= n; i++) b[i] = read(input_file);
        expected[1] = read(answer_file);
        x[1] = read(std::cin);
        require((expected[1] == -1) == (x[1] == -1), "only one of reference and submission has a solution");
        if (x[1] == -1) continue;
        for (int i = 2; i <= n; i++) expected[i] = read(answer_file), x[i] = read(std::cin);
        for (Number value : x) require(0 <= value && value < MODULUS, "a number is not between 0 and the modulus");
        require(apply(x, c, d) == b, "the numbers do not solve the system");
    }
    require_end();
    accept();
}
