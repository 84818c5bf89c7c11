// Algorithms with bad worst cases: reads the number of one, then how many numbers follow, and the numbers.
#include <algorithm>
#include <cstdio>
#include <queue>
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
    printf("%lld\n", result);
}
