# attack: connects from Python
# expect: ok
# needs: network
import socket
import sys

try:
    socket.create_connection(("127.0.0.1", int(sys.argv[3])), 1)
    print("ESCAPED")
except OSError:
    pass
