# For how many days up to each day was the price at most that of the day? By a walk back.
import sys


def spans_of(prices):
    spans = []
    for day, price in enumerate(prices):
        before = day - 1
        while before >= 0 and prices[before] <= price:
            before -= 1 if SLOW else spans[before]
        spans.append(day - before)
    return spans


numbers = list(map(int, sys.stdin.read().split()))
at = 1
for _ in range(numbers[0]):
    count = numbers[at]
    print(sum(spans_of(numbers[at + 1 : at + 1 + count])))
    at += 1 + count
