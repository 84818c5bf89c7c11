// Any priority with which the task finishes in time is correct, and the times of all tasks must be those with it.
#include "judge.h"
#include "tasks.h"

int main(int, char *arguments[]) {
    open_files(arguments);
    std::vector<Task> tasks(read(input_file));
    Number priority = read(std::cin);
    size_t unknown = 0;
    for (size_t i = 0; i < tasks.size(); i++) {
        tasks[i].arrival = read(input_file), tasks[i].length = read(input_file), tasks[i].priority = read(input_file);
        require(tasks[i].priority != priority, "the priority is used already");
        if (tasks[i].priority == -1) unknown = i;
    }
    require(1 <= priority && priority <= 1000000000, "the priority is out of range");
    tasks[unknown].priority = priority;
    std::vector<long long> expected = finish_times(tasks);
    require(expected[unknown] == read(input_file), "with this priority the task finishes at another time");
    for (Number time : expected) require(read(std::cin) == time, "a task finishes at another time");
    require_end();
    accept();
}
