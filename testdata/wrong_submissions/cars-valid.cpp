// The cars do not overlap in an area at the start.
#include <cstdlib>
#include <iostream>

struct Car {
    char direction;
    long long x, y, speed, width, length;
};

int main() {
    long long t;
    Car cars[2];
    std::cin >> t;
    for (Car &car : cars) {
        std::cin >> car.direction >> car.x >> car.y >> car.speed >> car.width >> car.length;
        if (car.direction == 'E' || car.direction == 'W') std::swap(car.width, car.length);
    }
    bool apart = 2 * std::llabs(cars[0].x - cars[1].x) >= cars[0].width + cars[1].width ||
                 2 * std::llabs(cars[0].y - cars[1].y) >= cars[0].length + cars[1].length;
    return apart ? 42 : 43;
}
