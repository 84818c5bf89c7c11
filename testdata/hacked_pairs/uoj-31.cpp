// Any at most n reversals are correct that leave a balanced sequence. The sequence is a treap with lazy reversals.
#include "judge.h"

#include <random>

struct Node {
    int left = 0, right = 0, size = 1;
    bool reversed = false;
    unsigned priority;
    char letter;
};
std::vector<Node> nodes(1);

void update(int at) { nodes[at].size = nodes[nodes[at].left].size + nodes[nodes[at].right].size + 1; }

void push(int at) {
    if (!nodes[at].reversed) return;
    std::swap(nodes[at].left, nodes[at].right);
    for (int child : {nodes[at].left, nodes[at].right})
        if (child) nodes[child].reversed ^= true;
    nodes[at].reversed = false;
}

void split(int at, int count, int &left, int &right) {
    if (!at) {
        left = right = 0;
        return;
    }
    push(at);
    int before = nodes[nodes[at].left].size;
    if (before < count) {
        int rest = nodes[at].right;
        split(rest, count - before - 1, rest, right);
        nodes[at].right = rest, left = at;
    } else {
        int rest = nodes[at].left;
        split(rest, count, left, rest);
        nodes[at].left = rest, right = at;
    }
    update(at);
}

int join(int left, int right) {
    if (!left || !right) return left + right;
    push(left), push(right);
    int top = nodes[left].priority > nodes[right].priority ? left : right;
    if (top == left) {
        int child = join(nodes[left].right, right);
        nodes[left].right = child;
    } else {
        int child = join(left, nodes[right].left);
        nodes[right].left = child;
    }
    update(top);
    return top;
}

void write(int at, std::string &to) {
    if (!at) return;
    push(at);
    write(nodes[at].left, to);
    to += nodes[at].letter;
    write(nodes[at].right, to);
}

int main(int, char *arguments[]) {
    open_files(arguments);
    nodes[0].size = 0;
    std::mt19937 random;
    std::string sequence = read<std::string>(input_file);
    int length = int(sequence.size()), root = 0;
    for (char letter : sequence) {
        nodes.push_back({});
        nodes.back().priority = random(), nodes.back().letter = letter;
        root = join(root, int(nodes.size()) - 1);
    }
    Number reversals = read(std::cin);
    require(0 <= reversals && reversals <= length / 2, "there are more than n reversals");
    while (reversals--) {
        Number first = read(std::cin), last = read(std::cin);
        require(1 <= first && first <= last && last <= length, "this is no interval");
        int left, middle, right;
        split(root, int(first) - 1, left, right), split(right, int(last - first) + 1, middle, right);
        nodes[middle].reversed ^= true;
        root = join(join(left, middle), right);
    }
    std::string result;
    write(root, result);
    int open = 0;
    for (char letter : result) require((open += letter == '(' ? 1 : -1) >= 0, "the sequence is not balanced afterwards");
    require_end();
    accept();
}
