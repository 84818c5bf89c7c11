// attack: instantiates a template more often than there are atoms
// expect: compiling was stopped
template <int depth, long long path> struct Tree {
    Tree<depth - 1, 2 * path> left;
    Tree<depth - 1, 2 * path + 1> right;
};
template <long long path> struct Tree<0, path> {};
Tree<60, 0> tree;
int main() {}
