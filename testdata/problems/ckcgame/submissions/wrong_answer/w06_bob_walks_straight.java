// Measures Bob's way as if he moved like a rook, one step at a time: the sum of the two distances.
import java.io.*;
import java.util.*;

public class w06_bob_walks_straight {
    public static void main(String[] args) throws IOException {
        StreamTokenizer in = new StreamTokenizer(new BufferedReader(new InputStreamReader(System.in)));
        in.nextToken();
        int t = (int) in.nval;
        while (t-- > 0) {
            int[] head = new int[5];
            for (int i = 0; i < 5; i++) {
                in.nextToken();
                head[i] = (int) in.nval;
            }
            int n = head[0], ax = head[1] - 1, ay = head[2] - 1, bx = head[3] - 1, by = head[4] - 1;
            long[][] v = new long[n][n], later = new long[n][n];
            for (long[] row : v)
                for (int j = 0; j < n; j++) {
                    in.nextToken();
                    row[j] = (long) in.nval;
                }
            for (int moves = 2 * n; moves >= 0; moves--) {
                long[][] now = new long[n][n];
                for (int x = 0; x < n; x++)
                    for (int y = 0; y < n; y++)
                        for (int a = Math.max(0, x - 1); a <= Math.min(n - 1, x + 1); a++)
                            for (int b = Math.max(0, y - 1); b <= Math.min(n - 1, y + 1); b++) {
                                if (a == x && b == y) continue;
                                boolean caught = Math.abs(a - bx) + Math.abs(b - by) <= moves + 1;
                                now[x][y] = Math.max(now[x][y], v[a][b] + (caught ? 0 : later[a][b]));
                            }
                later = now;
            }
            System.out.println(later[ax][ay]);
        }
    }
}
