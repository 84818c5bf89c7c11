//: Big
typedef __int128 Big;

//: parseBig Big
Big parseBig(const string& digits) {
    Big value = 0;
    for (char c : digits)
        if (c != '-') value = value * 10 + (c - '0');
    return digits[0] == '-' ? -value : value;
}

//: len
template <class T> long long len(const T& values) { return (long long)values.size(); }

//: flat
inline void flatten(long long value, vector<long long>& all) { all.push_back(value); }
inline void flatten(const string& text, vector<long long>& all) {
    for (char c : text) all.push_back(c);
}
template <class T> void flatten(const vector<T>& values, vector<long long>& all) {
    for (const T& value : values) flatten(value, all);
}
// The numbers of all rows, or the codes of all letters.
template <class T> vector<long long> flat(const T& values) {
    vector<long long> all;
    flatten(values, all);
    return all;
}

//: flatTexts
inline void flattenTexts(const string& text, vector<string>& all) { all.push_back(text); }
template <class T> void flattenTexts(const vector<T>& values, vector<string>& all) {
    for (const T& value : values) flattenTexts(value, all);
}
template <class T> vector<string> flatTexts(const T& values) {
    vector<string> all;
    flattenTexts(values, all);
    return all;
}

//: lengths
template <class T> vector<long long> lengths(const vector<T>& rows) {
    vector<long long> all;
    for (const T& row : rows) all.push_back((long long)row.size());
    return all;
}

//: collect
// The values of a function for 0, 1, ..., count - 1.
template <class F> auto collect(long long count, F value) -> vector<decltype(value(0))> {
    vector<decltype(value(0))> all;
    for (long long i = 0; i < count; i++) all.push_back(value(i));
    return all;
}

//: sumOf Big
template <class T> Big sumOf(const T& values) {
    Big sum = 0;
    for (auto value : values) sum += value;
    return sum;
}

//: minOf
template <class T> auto minOf(const T& values) -> typename T::value_type { return *min_element(values.begin(), values.end()); }

//: maxOf
template <class T> auto maxOf(const T& values) -> typename T::value_type { return *max_element(values.begin(), values.end()); }

//: gcdOf Big
Big gcdOf(Big a, Big b) {
    while (b != 0) swap(a %= b, b);
    return a < 0 ? -a : a;
}
template <class T> Big gcdOf(const T& values) {
    Big all = 0;
    for (auto value : values) all = gcdOf(all, value);
    return all;
}

//: xorOf Big
template <class T> Big xorOf(const T& values) {
    Big all = 0;
    for (auto value : values) all ^= value;
    return all;
}

//: distinctIn
template <class T> long long distinctIn(const T& values) { return set<typename T::value_type>(values.begin(), values.end()).size(); }

//: inversionsOf
template <class T> long long inversionsOf(const T& values) {
    long long count = 0;
    // A merge sort of blocks of 1, 2, 4, ... values, each sorted already.
    auto all = vector<typename T::value_type>(values.begin(), values.end());
    for (size_t width = 1; width < all.size(); width *= 2)
        for (size_t low = 0; low + width < all.size(); low += 2 * width) {
            auto first = all.begin() + low, middle = first + width, last = all.begin() + min(low + 2 * width, all.size());
            for (auto one = first, other = middle; one != middle; ++one) {
                while (other != last && *other < *one) ++other;
                count += other - middle;
            }
            inplace_merge(first, middle, last);
        }
    return count;
}

//: cyclesOf
// -1 of what is no permutation of consecutive numbers.
template <class T> long long cyclesOf(const T& values) {
    if (values.empty()) return 0;
    auto least = *min_element(values.begin(), values.end());
    vector<bool> seen(values.size());
    long long count = 0;
    for (size_t first = 0; first < values.size(); first++) {
        size_t at = first;
        while (!seen[at]) {
            seen[at] = true;
            if (values[at] - least >= (long long)values.size()) return -1;
            at = (size_t)(values[at] - least);
            if (at == first) count++;
        }
        if (at != first) return -1;
    }
    return count;
}

//: countOf
template <class T, class V> long long countOf(const T& values, const V& wanted) {
    return count(values.begin(), values.end(), wanted);
}

//: floorDiv Big
Big floorDiv(Big a, Big b) { return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0); }

//: floorMod Big
Big floorMod(Big a, Big b) { return a % b != 0 && (a % b < 0) != (b < 0) ? a % b + b : a % b; }

//: power Big
Big power(Big base, Big exponent) {
    Big result = 1;
    for (; exponent > 0; exponent--) result *= base;
    return result;
}

//: isPrime Big
Big multiplyModulo(Big a, Big b, Big modulus) {
    Big product = 0;
    for (; b > 0; b /= 2, a = a * 2 % modulus)
        if (b % 2 == 1) product = (product + a) % modulus;
    return product;
}
Big powerModulo(Big base, Big exponent, Big modulus) {
    Big result = 1;
    for (base %= modulus; exponent > 0; exponent /= 2, base = multiplyModulo(base, base, modulus))
        if (exponent % 2 == 1) result = multiplyModulo(result, base, modulus);
    return result;
}
// Miller and Rabin's test, with bases that are enough below 3.3e24.
bool isPrime(Big number) {
    if (number < 2) return false;
    for (int base : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41})
        if (number % base == 0) return number == base;
    Big odd = number - 1;
    int twos = 0;
    while (odd % 2 == 0) odd /= 2, twos++;
    for (int base : {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41}) {
        Big value = powerModulo(base, odd, number);
        bool passes = value == 1 || value == number - 1;
        for (int i = 1; i < twos && !passes; i++) {
            value = multiplyModulo(value, value, number);
            passes = value == number - 1;
        }
        if (!passes) return false;
    }
    return true;
}

//: allDifferent
template <class T> bool allDifferent(T values) {
    sort(values.begin(), values.end());
    return adjacent_find(values.begin(), values.end()) == values.end();
}

//: inOrder
// True if each value and the next one satisfy a comparison.
template <class T, class F> bool inOrder(const T& values, F holds) {
    for (size_t i = 1; i < values.size(); i++)
        if (!holds(values[i - 1], values[i])) return false;
    return true;
}

//: Slice Big
// Consecutive values; a range that begins like the one before only adds its new values.
struct Slice {
    long long first = 1, last = 0;
    Big sum = 0, least = 0, most = 0, divisor = 0, bits = 0;
    long long size = 0;
    map<Big, long long> counts;
    template <class F> Slice& take(long long low, long long high, F add) {
        if (low != first || high < last) *this = Slice(), first = low, last = low - 1;
        while (last < high) add(*this, ++last);
        return *this;
    }
    void operator+=(Big value) {
        sum += value, bits ^= value, counts[value]++;
        least = size == 0 ? value : min(least, value);
        most = size == 0 ? value : max(most, value);
        Big rest = value;
        while (rest != 0) swap(divisor %= rest, rest);
        divisor = divisor < 0 ? -divisor : divisor;
        size++;
    }
};

//: expectText
// Reads exactly this text.
void expectText(const string& text) {
    for (char c : text) inf.readChar(c);
}

//: startsWith
// True if a text comes next, as a whole token or line if `end` says so. Nothing is read.
bool startsWith(const string& text, const string& end = "") {
    string seen;
    bool same = true;
    for (size_t i = 0; i < text.size() && same; i++) {
        if (inf.eof()) {
            same = false;
            break;
        }
        seen += char(inf.readChar());
        same = seen[i] == text[i];
    }
    if (same && end != "" && !inf.eof()) {
        seen += char(inf.readChar());
        same = end.find(seen.back()) != string::npos;
    }
    while (!seen.empty()) inf.unreadChar(seen.back()), seen.pop_back();
    return same;
}

//: peekChar
// The next character, or 0 at the end of the input. Nothing is read.
char peekChar() {
    if (inf.eof()) return 0;
    char c = inf.readChar();
    inf.unreadChar(c);
    return c;
}

//: readText peekChar
// Reads letters, as many as there are up to a limit.
string readText(long long least, long long most, const string& letters, const string& name) {
    string text;
    while ((long long)text.size() < most && peekChar() != 0 && letters.find(peekChar()) != string::npos) text += char(inf.readChar());
    ensuref((long long)text.size() >= least, "%s has %d letters, at least %d are required", name.c_str(), int(text.size()), int(least));
    return text;
}

//: readOneOf peekChar startsWith
// Reads one of some words; if more is joined to it, the longest one that fits.
string readOneOf(const vector<string>& words, const string& name) {
    string best;
    bool found = false;
    for (const string& word : words)
        if (startsWith(word, " \n\t\r")) {
            for (size_t i = 0; i < word.size(); i++) inf.readChar();
            return word;
        }
    for (const string& word : words)
        if (startsWith(word) && (!found || word.size() > best.size())) best = word, found = true;
    ensuref(found, "%s is not one of the words allowed", name.c_str());
    for (size_t i = 0; i < best.size(); i++) inf.readChar();
    return best;
}

//: readDigits peekChar
// Reads an integer that ends where its digits do; more can be joined to it.
string readDigits(const string& name) {
    string digits;
    if (peekChar() == '-') digits += char(inf.readChar());
    size_t sign = digits.size();
    while (peekChar() >= '0' && peekChar() <= '9') digits += char(inf.readChar());
    bool good = digits.size() > sign && digits.size() <= 40 && (digits[sign] != '0' || digits.size() == 1);
    ensuref(good, "%s is not a plain integer", name.c_str());
    return digits;
}

//: readBig Big parseBig readDigits
// Reads an integer of any size.
Big readBig(Big least, Big most, const string& name) {
    Big value = parseBig(readDigits(name));
    ensuref(least <= value && value <= most, "%s is out of range", name.c_str());
    return value;
}

//: readJoined Big readBig parseBig readDigits
// Reads an integer to which more is joined.
long long readJoined(long long least, long long most, const string& name) { return (long long)readBig(least, most, name); }

//: readReal Big peekChar
// Reads a decimal number exactly: the result is the number times ten to the most decimals.
Big readReal(Big least, Big most, int fewestDecimals, int mostDecimals, const string& name) {
    string digits;
    bool negative = peekChar() == '-';
    if (negative) inf.readChar();
    while (peekChar() >= '0' && peekChar() <= '9') digits += char(inf.readChar());
    ensuref(!digits.empty() && (digits[0] != '0' || digits.size() == 1), "%s is not a plain number", name.c_str());
    int decimals = 0;
    if (peekChar() == '.') {
        inf.readChar();
        for (; peekChar() >= '0' && peekChar() <= '9'; decimals++) digits += char(inf.readChar());
        ensuref(decimals > 0, "%s has no digits after the point", name.c_str());
    }
    ensuref(fewestDecimals <= decimals && decimals <= mostDecimals, "%s has %d decimals", name.c_str(), decimals);
    digits += string(mostDecimals - decimals, '0');
    ensuref(digits.size() <= 37, "%s is too long", name.c_str());
    Big value = 0;
    for (char c : digits) value = value * 10 + (c - '0');
    ensuref(!negative || value != 0, "%s is a negative zero", name.c_str());
    value = negative ? -value : value;
    ensuref(least <= value && value <= most, "%s is out of range", name.c_str());
    return value;
}

//: readNumbersOfLine peekChar
// Reads integers up to the end of the line.
vector<long long> readNumbersOfLine(bool first, long long least, long long most, const string& name) {
    vector<long long> values;
    while (peekChar() != 0 && peekChar() != '\n') {
        if (!first) inf.readSpace();
        values.push_back(inf.readLong(least, most, name));
        first = false;
    }
    return values;
}

//: Graph
// A graph with vertices first..last; the edges may be directed.
struct Graph {
    long long first, last;
    vector<pair<long long, long long>> edges;
    map<long long, vector<long long>> near, back;

    Graph(long long first, long long last, const vector<pair<long long, long long>>& edges) : first(first), last(last), edges(edges) {
        for (auto edge : edges) near[edge.first].push_back(edge.second), back[edge.second].push_back(edge.first);
    }
    long long size() const { return max(last - first + 1, 0LL); }
    bool hasVertices() const {
        for (auto edge : edges)
            if (min(edge.first, edge.second) < first || max(edge.first, edge.second) > last) return false;
        return true;
    }
    // The number of vertices that can be reached from the first one, forwards or backwards or both.
    long long reached(bool forwards, bool backwards) {
        set<long long> seen = {first};
        vector<long long> waiting = {first};
        while (!waiting.empty()) {
            long long at = waiting.back();
            waiting.pop_back();
            for (int side = 0; side < 2; side++)
                if (side == 0 ? forwards : backwards)
                    for (long long next : (side == 0 ? near : back)[at])
                        if (seen.insert(next).second) waiting.push_back(next);
        }
        return (long long)seen.size();
    }
    bool isConnected() { return size() == 0 || reached(true, true) == size(); }
    bool isStronglyConnected() { return size() == 0 || (reached(true, false) == size() && reached(false, true) == size()); }
    bool isForest() const {
        map<long long, long long> parent;
        auto top = [&](long long vertex) {
            while (parent.count(vertex) && parent[vertex] != vertex) {
                if (parent.count(parent[vertex])) parent[vertex] = parent[parent[vertex]];
                vertex = parent[vertex];
            }
            return vertex;
        };
        for (auto edge : edges) {
            long long u = top(edge.first), v = top(edge.second);
            if (u == v) return false;
            parent[u] = v;
        }
        return true;
    }
    bool isTree() const { return (long long)edges.size() == max(size() - 1, 0LL) && isForest(); }
    bool isAcyclic() {
        map<long long, long long> entering;
        for (auto edge : edges) entering[edge.second]++;
        vector<long long> waiting;
        for (auto& vertex : near)
            if (!entering.count(vertex.first)) waiting.push_back(vertex.first);
        size_t left = edges.size();
        while (!waiting.empty()) {
            long long at = waiting.back();
            waiting.pop_back();
            if (!near.count(at)) continue;
            for (long long next : near[at]) {
                left--;
                if (--entering[next] == 0) waiting.push_back(next);
            }
        }
        return left == 0;
    }
    bool isLoopless() const {
        for (auto edge : edges)
            if (edge.first == edge.second) return false;
        return true;
    }
    bool isSimple(bool directed) const {
        set<pair<long long, long long>> seen;
        for (auto edge : edges)
            if (!seen.insert(directed ? edge : make_pair(min(edge.first, edge.second), max(edge.first, edge.second))).second) return false;
        return isLoopless();
    }
    bool isBipartite() {
        map<long long, int> side;
        for (auto& start : near) {
            if (side.count(start.first)) continue;
            vector<long long> waiting = {start.first};
            side[start.first] = 0;
            while (!waiting.empty()) {
                long long at = waiting.back();
                waiting.pop_back();
                for (auto neighbours : {&near, &back})
                    if (neighbours->count(at))
                        for (long long next : (*neighbours)[at]) {
                            if (!side.count(next)) side[next] = 1 - side[at], waiting.push_back(next);
                            if (side[next] == side[at]) return false;
                        }
            }
        }
        return true;
    }
    map<long long, long long> degrees() const {
        map<long long, long long> degree;
        for (auto edge : edges) ++degree[edge.first], ++degree[edge.second];
        return degree;
    }
    long long maxDegree() const {
        long long most = 0;
        for (auto vertex : degrees()) most = max(most, vertex.second);
        return most;
    }
    // The depth from the first vertex that is no child.
    bool hasDepth(long long least, long long most, bool have_parents) {
        long long root = first, depth = 0;
        while (have_parents && root < last && back.count(root)) root++;
        map<long long, long long> depths = {{root, 0}};
        vector<long long> waiting = {root};
        while (!waiting.empty()) {
            long long at = waiting.back();
            waiting.pop_back();
            depth = max(depth, depths[at]);
            for (auto neighbours : {&near, &back})
                if (neighbours->count(at))
                    for (long long next : (*neighbours)[at])
                        if (!depths.count(next)) depths[next] = depths[at] + 1, waiting.push_back(next);
        }
        return least <= depth && depth <= most;
    }
    bool isEven() const {
        for (auto vertex : degrees())
            if (vertex.second % 2 != 0) return false;
        return true;
    }
    bool isRegular() const {
        auto degree = degrees();
        for (auto vertex : degree)
            if (vertex.second * size() != 2 * (long long)edges.size()) return false;
        return edges.empty() || (long long)degree.size() == size();
    }
    bool isPath() const { return isTree() && maxDegree() <= 2; }
    bool isStar() const { return isTree() && (size() <= 2 || maxDegree() == size() - 1); }
};

//: Polygon Big
struct Polygon {
    vector<pair<long long, long long>> corners;

    typedef pair<long long, long long> Point;
    static int turn(Point a, Point b, Point c) {
        Big cross = Big(b.first - a.first) * (c.second - a.second) - Big(b.second - a.second) * (c.first - a.first);
        return cross > 0 ? 1 : cross < 0 ? -1 : 0;
    }
    static bool isOn(Point p, Point a, Point b) {
        return min(a.first, b.first) <= p.first && p.first <= max(a.first, b.first) && min(a.second, b.second) <= p.second &&
               p.second <= max(a.second, b.second) && turn(a, b, p) == 0;
    }
    Point corner(size_t i) const { return corners[i % corners.size()]; }
    // True if two sides have a common point other than one that they are allowed to share.
    bool collide(size_t i, size_t j) const {
        Point a = corner(i), b = corner(i + 1), c = corner(j), d = corner(j + 1);
        if (turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0) return true;
        bool next = j == i + 1, around = i == 0 && j + 1 == corners.size();
        Point shared = next ? b : a;
        for (Point p : {a, b})
            if (isOn(p, c, d) && !((next || around) && p == shared)) return true;
        for (Point p : {c, d})
            if (isOn(p, a, b) && !((next || around) && p == shared)) return true;
        return false;
    }
    bool isSimple() const {
        size_t count = corners.size();
        if (count < 3) return false;
        vector<size_t> order(count), reaching;
        for (size_t i = 0; i < count; i++) order[i] = i;
        for (size_t i = 0; i < count; i++)
            if (corner(i) == corner(i + 1)) return false;
        auto left = [&](size_t i) { return min(corner(i).first, corner(i + 1).first); };
        auto right = [&](size_t i) { return max(corner(i).first, corner(i + 1).first); };
        sort(order.begin(), order.end(), [&](size_t i, size_t j) { return left(i) < left(j); });
        for (size_t i : order) {
            vector<size_t> still;
            for (size_t j : reaching) {
                if (right(j) < left(i)) continue;
                if (collide(min(i, j), max(i, j))) return false;
                still.push_back(j);
            }
            still.push_back(i);
            reaching = still;
        }
        return true;
    }
    // 1 if the corners are in counterclockwise order, else -1: the turn at the lowest of the leftmost corners.
    int orientation() const {
        size_t count = corners.size(), at = min_element(corners.begin(), corners.end()) - corners.begin();
        return turn(corner(at + count - 1), corner(at), corner(at + 1));
    }
    bool isConvex() const {
        for (size_t i = 0; i < corners.size(); i++)
            if (turn(corner(i), corner(i + 1), corner(i + 2)) * orientation() < 0) return false;
        return true;
    }
    bool hasStraightAngle() const {
        for (size_t i = 0; i < corners.size(); i++)
            if (turn(corner(i), corner(i + 1), corner(i + 2)) == 0) return true;
        return false;
    }
};

//: isBalanced
bool isBalanced(const string& text) {
    const string opening = "([{<", closing = ")]}>";
    string expected;
    for (char c : text) {
        size_t kind = opening.find(c);
        if (kind != string::npos) expected += closing[kind];
        if (closing.find(c) == string::npos) continue;
        if (expected.empty() || expected.back() != c) return false;
        expected.pop_back();
    }
    return expected.empty();
}

//: isConnectedBoard
// True if each cell with one of the letters can be reached from each other one.
bool isConnectedBoard(const vector<string>& board, const string& letters) {
    set<pair<int, int>> left;
    for (int i = 0; i < int(board.size()); i++)
        for (int j = 0; j < int(board[i].size()); j++)
            if (letters.find(board[i][j]) != string::npos) left.insert({i, j});
    vector<pair<int, int>> waiting;
    if (!left.empty()) waiting.push_back(*left.begin()), left.erase(left.begin());
    while (!waiting.empty()) {
        pair<int, int> at = waiting.back();
        waiting.pop_back();
        for (pair<int, int> step : {make_pair(1, 0), make_pair(-1, 0), make_pair(0, 1), make_pair(0, -1)}) {
            pair<int, int> next = {at.first + step.first, at.second + step.second};
            if (left.erase(next)) waiting.push_back(next);
        }
    }
    return left.empty();
}
