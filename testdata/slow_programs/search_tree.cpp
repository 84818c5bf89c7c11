// A set of numbers: 1 inserts, 2 asks for the next larger one. A search tree that is never balanced.
#include <bits/stdc++.h>
using namespace std;

struct Node { int key, left, right; };

int main() {
    int q;
    scanf("%d", &q);
#ifdef SLOW
    vector<Node> tree;
#else
    set<int> tree;
#endif
    while (q--) {
        int op, x, next = 0;
        scanf("%d %d", &op, &x);
#ifdef SLOW
        int at = tree.empty() ? -1 : 0, parent = -1;
        while (at >= 0) {
            if (tree[at].key > x) next = tree[at].key;
            parent = at;
            if (op == 1 && tree[at].key == x) break;
            at = x < tree[at].key ? tree[at].left : tree[at].right;
        }
        if (op == 1 && at < 0) {
            if (parent >= 0) (x < tree[parent].key ? tree[parent].left : tree[parent].right) = tree.size();
            tree.push_back({x, -1, -1});
        }
#else
        if (op == 1) tree.insert(x);
        else if (auto it = tree.upper_bound(x); it != tree.end()) next = *it;
#endif
        if (op == 2) printf("%d\n", next);
    }
}
