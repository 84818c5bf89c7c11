# Wrong if the deepest bracket does not follow all those around it at once.
print(max(len(run) for run in input().split(")")))
