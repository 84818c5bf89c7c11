// Algorithms with bad worst cases: reads the number of one, then how many numbers follow, and the numbers.
#include <algorithm>
#include <cstdio>
#include <queue>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>
using namespace std;

using Numbers = vector<long long>;
using Graph = vector<vector<pair<int, long long>>>;

void partition_hoare(Numbers &a, int from, int to, long long pivot, int &i, int &j) {
    i = from, j = to;
    while (i <= j) {
        while (a[i] < pivot) i++;
        while (a[j] > pivot) j--;
        if (i <= j) swap(a[i++], a[j--]);
    }
}

void quicksort_middle(Numbers &a, int from, int to) {
    if (from >= to) return;
    int i, j;
    partition_hoare(a, from, to, a[(from + to) / 2], i, j);
    quicksort_middle(a, from, j);
    quicksort_middle(a, i, to);
}

void quicksort_first(Numbers &a, int from, int to) {
    if (from >= to) return;
    int middle = from;
    for (int i = from + 1; i <= to; i++)
        if (a[i] < a[from]) swap(a[i], a[++middle]);
    swap(a[from], a[middle]);
    quicksort_first(a, from, middle - 1);
    quicksort_first(a, middle + 1, to);
}

void quicksort_median(Numbers &a, int from, int to) {
    if (from >= to) return;
    long long x = a[from], y = a[(from + to) / 2], z = a[to];
    int i, j;
    partition_hoare(a, from, to, max(min(x, y), min(max(x, y), z)), i, j);
    quicksort_median(a, from, j);
    quicksort_median(a, i, to);
}

// The probing of Python's dict, with a table that doubles when two thirds are used.
long long count_dict(const Numbers &a) {
    vector<long long> table(8, -1);
    size_t used = 0;
    long long probes = 0;
    auto find = [&](vector<long long> &slots, long long key) {
        unsigned long long mask = slots.size() - 1, rest = key, slot = key & mask;
        while (slots[slot] != -1 && slots[slot] != key) {
            rest >>= 5, slot = (slot * 5 + rest + 1) & mask, probes++;
        }
        return slot;
    };
    for (long long key : a) {
        auto slot = find(table, key);
        if (table[slot] == key) continue;
        if (++used * 3 > table.size() * 2) {
            vector<long long> larger(table.size() * 2, -1);
            for (long long old : table)
                if (old != -1) larger[find(larger, old)] = old;
            table.swap(larger), slot = find(table, key);
        }
        table[slot] = key;
    }
    return probes;
}

long long count_open(const Numbers &a) {
    const unsigned slots = 1 << 14;
    Numbers table(slots);
    long long probes = 0;
    for (long long key : a) {
        unsigned slot = key & (slots - 1);
        while (table[slot] && table[slot] != key) slot = (slot + 1) & (slots - 1), probes++;
        table[slot] = key;
    }
    return probes;
}

// A table of keys with the hashes and the number of buckets of Java's HashMap. If they can be compared, the keys of a
// bucket with more than eight are a tree, and otherwise a list.
template <class Key>
struct JavaMap {
    struct Bucket {
        vector<pair<unsigned, Key>> list;
        set<pair<unsigned, Key>> tree;
    };
    vector<Bucket> buckets{16};
    size_t used = 0;
    long long steps = 0;
    bool has_trees;

    explicit JavaMap(bool has_trees) : has_trees(has_trees) {}

    bool add_to(Bucket &bucket, const pair<unsigned, Key> &key) {
        if (!bucket.tree.empty()) return bucket.tree.insert(key).second;
        for (auto &other : bucket.list) {
            steps++;
            if (other == key) return false;
        }
        bucket.list.push_back(key);
        if (has_trees && bucket.list.size() > 8) bucket.tree.insert(bucket.list.begin(), bucket.list.end());
        return true;
    }

    void insert(unsigned hash, const Key &key) {
        hash ^= hash >> 16;
        if (!add_to(buckets[hash & (buckets.size() - 1)], {hash, key}) || ++used * 4 <= buckets.size() * 3) return;
        vector<Bucket> larger(buckets.size() * 2);
        auto bucket_of = [&](const pair<unsigned, Key> &key) -> Bucket & {
            return larger[key.first & (larger.size() - 1)];
        };
        for (auto &bucket : buckets) {
            for (auto &old : bucket.tree) add_to(bucket_of(old), old);
            if (!bucket.tree.empty()) continue;
            // They are different, so nothing is compared.
            for (auto &old : bucket.list) bucket_of(old).list.push_back(old);
        }
        buckets.swap(larger);
    }
};

long long count_java_longs(const Numbers &a, bool has_trees) {
    JavaMap<long long> map(has_trees);
    for (long long key : a) map.insert((unsigned)(key ^ (unsigned long long)key >> 32), key);
    return map.steps;
}

// The first half are the first numbers of the pairs.
long long count_java_pairs(const Numbers &a) {
    JavaMap<pair<long long, long long>> map(false);
    size_t count = a.size() / 2;
    for (size_t i = 0; i < count; i++) map.insert((unsigned)(31 * a[i] + a[count + i]), {a[i], a[count + i]});
    return map.steps;
}

// Words of ten letters.
long long count_java_strings(const Numbers &a) {
    JavaMap<string> map(false);
    for (size_t i = 0; i + 10 <= a.size(); i += 10) {
        string word;
        unsigned hash = 0;
        for (size_t j = i; j < i + 10; j++) word += char('a' + a[j]), hash = 31 * hash + word.back();
        map.insert(hash, word);
    }
    return map.steps;
}

long long subtractions(long long a, long long b) {
    long long steps = 0;
    for (; a != b; steps++) a > b ? a -= b : b -= a;
    return steps;
}

// The regular expression (a|aa)*c, with a the first letter.
bool matches_from(const Numbers &text, size_t at) {
    auto has = [&](size_t i, int letter) { return i < text.size() && text[i] == letter; };
    if (has(at, 2) && at + 1 == text.size()) return true;
    return (has(at, 0) && matches_from(text, at + 1)) || (has(at, 0) && has(at + 1, 0) && matches_from(text, at + 2));
}

// The Z-function without its window.
long long common_prefixes(const Numbers &text) {
    long long sum = 0;
    for (size_t i = 1; i < text.size(); i++)
        for (size_t j = i; j < text.size() && text[j] == text[j - i]; j++) sum++;
    return sum;
}

// Subtracts, so that the steps of the division count as well.
long long gcd_steps(long long a, long long b) {
    long long steps = 0;
    for (; b; steps++) a %= b, swap(a, b);
    return steps;
}

Graph read_graph(const Numbers &a) {
    Graph graph(a[0]);
    for (size_t i = 1; i + 2 < a.size(); i += 3) {
        graph[a[i]].push_back({(int)a[i + 1], a[i + 2]});
        graph[a[i + 1]].push_back({(int)a[i], a[i + 2]});
    }
    return graph;
}

long long spfa(const Graph &graph) {
    Numbers distance(graph.size(), 1LL << 60);
    vector<char> waits(graph.size());
    queue<int> waiting;
    distance[0] = 0, waiting.push(0);
    long long steps = 0;
    while (!waiting.empty()) {
        int u = waiting.front();
        waiting.pop(), waits[u] = 0;
        for (auto [v, weight] : graph[u]) {
            steps++;
            if (distance[u] + weight >= distance[v]) continue;
            distance[v] = distance[u] + weight;
            if (!waits[v]) waits[v] = 1, waiting.push(v);
        }
    }
    return steps;
}

struct Dinic {
    struct Edge {
        int to;
        long long capacity;
    };
    vector<Edge> edges;
    vector<vector<int>> out;
    vector<int> level, next;

    explicit Dinic(const Numbers &a) : out(a[0]) {
        for (size_t i = 1; i + 2 < a.size(); i += 3) {
            out[a[i]].push_back(edges.size()), edges.push_back({(int)a[i + 1], a[i + 2]});
            out[a[i + 1]].push_back(edges.size()), edges.push_back({(int)a[i], 0});
        }
    }

    bool find_levels() {
        level.assign(out.size(), -1), next.assign(out.size(), 0);
        vector<int> order{0};
        level[0] = 0;
        for (size_t i = 0; i < order.size(); i++)
            for (int e : out[order[i]])
                if (edges[e].capacity > 0 && level[edges[e].to] < 0)
                    level[edges[e].to] = level[order[i]] + 1, order.push_back(edges[e].to);
        return level.back() >= 0;
    }

    long long push(int u, long long most) {
        if (u + 1 == (int)out.size()) return most;
        for (int &i = next[u]; i < (int)out[u].size(); i++) {
            Edge &edge = edges[out[u][i]];
            if (edge.capacity == 0 || level[edge.to] != level[u] + 1) continue;
            long long pushed = push(edge.to, min(most, edge.capacity));
            if (pushed == 0) continue;
            edge.capacity -= pushed, edges[out[u][i] ^ 1].capacity += pushed;
            return pushed;
        }
        return 0;
    }

    long long max_flow() {
        long long flow = 0;
        while (find_levels())
            while (long long pushed = push(0, 1LL << 60)) flow += pushed;
        return flow;
    }
};

// A maximum matching by augmenting paths. A vertex without a partner is taken at once if there is one.
struct Matching {
    vector<vector<int>> graph;
    vector<int> partner;
    vector<char> seen;

    bool augment(int u) {
        for (int v : graph[u])
            if (partner[v] < 0) return partner[v] = u, true;
        for (int v : graph[u]) {
            if (seen[v]) continue;
            seen[v] = 1;
            if (augment(partner[v])) return partner[v] = u, true;
        }
        return false;
    }

    long long count_pairs(size_t vertices) {
        partner.assign(vertices, -1);
        long long pairs = 0;
        for (size_t u = 0; u < graph.size(); u++) seen.assign(vertices, 0), pairs += augment(u);
        return pairs;
    }
};

// The side of the first vertex is on the left.
long long matching_of_graph(const Graph &graph) {
    vector<int> side(graph.size(), -1), order{0};
    side[0] = 0;
    for (size_t i = 0; i < order.size(); i++)
        for (auto [v, weight] : graph[order[i]])
            if (side[v] < 0) side[v] = 1 - side[order[i]], order.push_back(v);
    Matching matching;
    matching.graph.resize(graph.size());
    for (size_t u = 0; u < graph.size(); u++)
        for (auto [v, weight] : graph[u])
            if (side[u] == 0) matching.graph[u].push_back(v);
    return matching.count_pairs(graph.size());
}

// The first half are the left ends.
long long matching_of_columns(const Numbers &a) {
    size_t edges = a.size() / 2;
    Matching matching;
    matching.graph.resize(*max_element(a.begin(), a.end()) + 1);
    for (size_t i = 0; i < edges; i++) matching.graph[a[i]].push_back(a[edges + i]);
    return matching.count_pairs(matching.graph.size());
}

long long stale_dijkstra(const Graph &graph) {
    Numbers distance(graph.size(), 1LL << 60);
    priority_queue<pair<long long, int>> waiting;
    distance[0] = 0, waiting.push({0, 0});
    long long steps = 0;
    while (!waiting.empty()) {
        int u = waiting.top().second;
        waiting.pop();
        for (auto [v, weight] : graph[u]) {
            steps++;
            if (distance[u] + weight < distance[v]) distance[v] = distance[u] + weight, waiting.push({-distance[v], v});
        }
    }
    return steps;
}

long long union_find(const Numbers &a) {
    vector<int> parent(a[0]);
    for (size_t v = 0; v < parent.size(); v++) parent[v] = v;
    long long steps = 0;
    auto find = [&](int v) {
        while (parent[v] != v) v = parent[v], steps++;
        return v;
    };
    for (size_t i = 1; i + 2 < a.size(); i += 3) parent[find(a[i])] = find(a[i + 1]);
    return steps;
}

// Climbs from each vertex to the root.
long long sum_of_depths(const Graph &graph) {
    vector<int> parent(graph.size(), -1), order{0};
    parent[0] = 0;
    for (size_t i = 0; i < order.size(); i++)
        for (auto [v, weight] : graph[order[i]])
            if (parent[v] < 0) parent[v] = order[i], order.push_back(v);
    long long steps = 0;
    for (int v : order)
        for (; v; v = parent[v]) steps++;
    return steps;
}

// Walks around the points whose first coordinates are the first half of the numbers.
long long wrap_points(const Numbers &a) {
    int n = a.size() / 2, start = 0, at;
    auto turn = [&](int i, int j, int k) {
        return (a[j] - a[i]) * (a[n + k] - a[n + i]) - (a[n + j] - a[n + i]) * (a[k] - a[i]);
    };
    for (int i = 1; i < n; i++)
        if (make_pair(a[i], a[n + i]) < make_pair(a[start], a[n + start])) start = i;
    long long steps = 0;
    at = start;
    do {
        int next = (at + 1) % n;
        for (int i = 0; i < n; i++, steps++)
            if (turn(at, next, i) < 0) next = i;
        at = next;
    } while (at != start && steps < 10000000);
    return steps;
}

// Prints each place at which three equal letters begin, and flushes.
void print_triples(const Numbers &a) {
    for (size_t i = 2; i < a.size(); i++)
        if (a[i] == a[i - 1] && a[i] == a[i - 2]) printf("%zu\n", i), fflush(stdout);
}

int main() {
    int algorithm, n;
    if (scanf("%d %d", &algorithm, &n) != 2) return 1;
    Numbers a(n);
    for (auto &x : a)
        if (scanf("%lld", &x) != 1) return 1;
    long long result = 0;
    if (algorithm == 0) quicksort_middle(a, 0, n - 1);
    if (algorithm == 1) quicksort_median(a, 0, n - 1);
    if (algorithm == 2) {
        unordered_map<long long, int> counts;
        for (auto x : a) result += ++counts[x];
    }
    if (algorithm == 3) result = count_dict(a);
    if (algorithm == 4) result = count_open(a);
    if (algorithm == 5)
        for (auto x : a)
            for (long long d = 2; d * d <= x && x % d; d++) result++;
    if (algorithm == 6)
        for (int repeat = 0; repeat < 100; repeat++)
            for (int i = 1; i < n; i++) result += gcd_steps(a[i - 1], a[i]);
    if (algorithm == 7) {
        Numbers text(a.begin(), a.begin() + 2000), pattern(a.begin() + 2000, a.end());
        for (size_t i = 0; i + pattern.size() <= text.size(); i++)
            for (size_t j = 0; j < pattern.size() && text[i + j] == pattern[j]; j++) result++;
    }
    if (algorithm == 8) result = union_find(a);
    if (algorithm == 9) result = spfa(read_graph(a));
    if (algorithm == 10) result = stale_dijkstra(read_graph(a));
    if (algorithm == 11) result = sum_of_depths(read_graph(a));
    if (algorithm == 12) quicksort_first(a, 0, n - 1);
    if (algorithm == 13 || algorithm == 14) result = count_java_longs(a, algorithm == 14);
    if (algorithm == 15) result = count_java_pairs(a);
    if (algorithm == 16) result = count_java_strings(a);
    if (algorithm == 17)
        for (int i = 1; i < n; i++) result += subtractions(a[i - 1], a[i]);
    if (algorithm == 18) result = matches_from(a, 0);
    if (algorithm == 19) result = common_prefixes(a);
    if (algorithm == 20) result = Dinic(a).max_flow();
    if (algorithm == 21) result = matching_of_graph(read_graph(a));
    if (algorithm == 22) result = matching_of_columns(a);
    if (algorithm == 23) result = wrap_points(a);
    if (algorithm == 24) print_triples(a);
    printf("%lld\n", result);
}
