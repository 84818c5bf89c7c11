// The tasks of UOJ 10: the most urgent task that has arrived always runs.
#pragma once
#include <algorithm>
#include <queue>
#include <vector>

struct Task {
    long long arrival, length, priority;
};

std::vector<long long> finish_times(const std::vector<Task> &tasks) {
    std::vector<int> order(tasks.size());
    for (size_t i = 0; i < tasks.size(); i++) order[i] = int(i);
    std::sort(order.begin(), order.end(), [&](int a, int b) { return tasks[a].arrival < tasks[b].arrival; });
    std::priority_queue<std::pair<long long, int>> ready;
    std::vector<long long> left(tasks.size()), finish(tasks.size());
    long long now = 0;
    for (size_t next = 0; next < order.size() || !ready.empty();) {
        if (ready.empty()) now = std::max(now, tasks[order[next]].arrival);
        for (; next < order.size() && tasks[order[next]].arrival <= now; next++) {
            ready.push({tasks[order[next]].priority, order[next]});
            left[order[next]] = tasks[order[next]].length;
        }
        int task = ready.top().second;
        long long spent = left[task];
        if (next < order.size()) spent = std::min(spent, tasks[order[next]].arrival - now);
        now += spent, left[task] -= spent;
        if (left[task] == 0) finish[task] = now, ready.pop();
    }
    return finish;
}
