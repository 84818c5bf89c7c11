// The search tree of UOJ 456, with the vertices 1..n in order.
#pragma once
#include <vector>

struct SearchTree {
    std::vector<int> parent, left, right;

    // Takes the parents, from vertex 1 on. Returns false if they are no search tree.
    bool build(const std::vector<int> &parents) {
        const int n = int(parents.size()) - 1;
        parent = parents, left.assign(n + 1, 0), right.assign(n + 1, 0);
        int root = 0;
        for (int i = 1; i <= n; i++) {
            int &place = parent[i] == 0 ? root : i < parent[i] ? left[parent[i]] : right[parent[i]];
            if (place || parent[i] == i) return false;
            place = i;
        }
        int next = 1;
        return root && is_ordered(root, next, n) && next == n + 1;
    }

    int depth(int vertex) const {
        int depth = 0;
        while ((vertex = parent[vertex])) depth++;
        return depth;
    }

    bool is_above(int ancestor, int vertex) const {
        while (vertex && vertex != ancestor) vertex = parent[vertex];
        return vertex == ancestor;
    }

    void rotate_below(int vertex, int ancestor) {
        while (parent[vertex] != ancestor) rotate(vertex);
    }

  private:
    bool is_ordered(int root, int &next, int budget) {
        if (root == 0) return true;
        if (budget == 0) return false;
        return is_ordered(left[root], next, budget - 1) && root == next++ && is_ordered(right[root], next, budget - 1);
    }

    void rotate(int vertex) {
        int old = parent[vertex], above = parent[old];
        int &inner = vertex < old ? right[vertex] : left[vertex];
        (vertex < old ? left[old] : right[old]) = inner;
        if (inner) parent[inner] = old;
        inner = old, parent[old] = vertex, parent[vertex] = above;
        if (above) (vertex < above ? left[above] : right[above]) = vertex;
    }
};
