// Random tasks; the priority of one is hidden.
#include "draw.h"
#include "tasks.h"

int main(int count, char *arguments[]) {
    seed(count, arguments);
    long long n = draw_size(1, 500), latest = draw_size(1, 1000000), longest = draw_size(1, 100000);
    std::set<long long> used;
    std::vector<Task> tasks(n);
    for (Task &task : tasks) {
        task = {draw(0, latest), draw(1, longest), draw(1, 3 * n)};
        while (!used.insert(task.priority).second) task.priority = draw(1, 3 * n);
    }
    long long hidden = draw(0, n - 1), finish = finish_times(tasks)[hidden];
    std::printf("%lld\n", n);
    for (int i = 0; i < n; i++)
        std::printf("%lld %lld %lld\n", tasks[i].arrival, tasks[i].length, i == hidden ? -1 : tasks[i].priority);
    std::printf("%lld\n", finish);
}
