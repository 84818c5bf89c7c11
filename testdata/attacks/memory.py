# attack: a memory bomb in Python, of at most 2 GiB
# expect: MLE
# alone
bomb = [bytearray(1 << 20) for _ in range(2048)]
print("ESCAPED")
