# attack: connects from Python
# expect: ok
# needs: network
import socket

try:
    socket.create_connection(("127.0.0.1", int(input().split()[2])), 1)
    print("ESCAPED")
except OSError:
    pass
