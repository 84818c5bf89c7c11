// The nimbers of rectangles from the whole map downwards, with a memory. Monsters are found by counting arms.
import java.io.*;
import java.util.*;

public class topdown {
    static boolean[][] monster;
    static byte[][][][] known;

    static int arm(String[] map, int r, int c, int dr, int dc) {
        int length = 0;
        while (true) {
            r += dr;
            c += dc;
            if (r < 0 || c < 0 || r >= map.length || c >= map[0].length() || map[r].charAt(c) != '^') return length;
            length++;
        }
    }

    // Rows r1 to r2 - 1 and columns c1 to c2 - 1.
    static int nimber(int r1, int c1, int r2, int c2) {
        if (r1 >= r2 || c1 >= c2) return 0;
        if (known[r1][c1][r2][c2] >= 0) return known[r1][c1][r2][c2];
        BitSet reached = new BitSet();
        for (int r = r1; r < r2; r++)
            for (int c = c1; c < c2; c++)
                if (monster[r][c])
                    reached.set(nimber(r1, c1, r, c) ^ nimber(r1, c + 1, r, c2) ^ nimber(r + 1, c1, r2, c) ^ nimber(r + 1, c + 1, r2, c2));
        return known[r1][c1][r2][c2] = (byte) reached.nextClearBit(0);
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        int t = Integer.parseInt(in.readLine().trim());
        while (t-- > 0) {
            String[] size = in.readLine().split(" ");
            int rows = Integer.parseInt(size[0]), cols = Integer.parseInt(size[1]);
            String[] map = new String[rows];
            for (int r = 0; r < rows; r++) map[r] = in.readLine();
            monster = new boolean[rows][cols];
            for (int r = 0; r < rows; r++)
                for (int c = 0; c < cols; c++)
                    monster[r][c] = map[r].charAt(c) == '^' && arm(map, r, c, 0, -1) >= 2 && arm(map, r, c, 0, 1) >= 2
                        && arm(map, r, c, -1, 0) >= 2 && arm(map, r, c, 1, 0) >= 2;
            known = new byte[rows + 1][cols + 1][rows + 1][cols + 1];
            for (byte[][][] a : known) for (byte[][] b : a) for (byte[] c : b) Arrays.fill(c, (byte) -1);
            System.out.println(nimber(0, 0, rows, cols) != 0 ? "Asuna" : "Kirito");
        }
    }
}
