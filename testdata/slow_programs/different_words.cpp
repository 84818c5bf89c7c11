// Counts different words in a table of lists, by the hash of Java.
#include <bits/stdc++.h>
using namespace std;

int main() {
    int n, count = 0;
    cin >> n;
#ifdef SLOW
    vector<vector<string>> table(1 << 16);
#else
    set<string> words;
#endif
    while (n--) {
        string s;
        cin >> s;
#ifdef SLOW
        unsigned hash = 0;
        for (char c : s) hash = 31 * hash + c;
        auto &list = table[hash % (1 << 16)];
        if (find(list.begin(), list.end(), s) == list.end()) list.push_back(s), count++;
#else
        count += words.insert(s).second;
#endif
    }
    printf("%d\n", count);
}
