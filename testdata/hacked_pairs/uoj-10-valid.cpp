// Some priority between 1 and 10^9 lets the task finish at the given time.
#include "judge.h"
#include "tasks.h"

int main() {
    std::vector<Task> tasks(read(std::cin));
    std::vector<long long> used;
    size_t unknown = 0;
    for (size_t i = 0; i < tasks.size(); i++) {
        tasks[i].arrival = read(std::cin), tasks[i].length = read(std::cin), tasks[i].priority = read(std::cin);
        if (tasks[i].priority == -1) unknown = i;
        else used.push_back(tasks[i].priority);
    }
    Number finish = read(std::cin);
    std::sort(used.begin(), used.end());
    std::vector<long long> possible;
    for (size_t i = 0; i <= used.size(); i++) {
        long long below = i ? used[i - 1] : 0, above = i < used.size() ? used[i] : 1000000001;
        if (below + 1 < above) possible.push_back(below + 1);
    }
    size_t low = 0, high = possible.size();
    while (low < high) {
        size_t middle = (low + high) / 2;
        tasks[unknown].priority = possible[middle];
        Number reached = finish_times(tasks)[unknown];
        if (reached == finish) accept();
        if (reached > finish) low = middle + 1;
        else high = middle;
    }
    refuse("no priority lets the task finish then");
}
