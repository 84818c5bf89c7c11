// Plays the game move by move, O(h): the runner steps away from the chaser and stays at the wall
// once there, the chaser steps towards the runner.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.StringTokenizer;

class simulate {
    static boolean caught(int width, int moves, int runner, int chaser) {
        // the chaser makes the last move, so with an odd number of them also the first one
        for (int left = moves; left > 0; left--) {
            if (left % 2 == 1) {
                chaser += Integer.signum(runner - chaser);
            } else {
                int away = runner >= chaser ? 1 : -1;
                runner = Math.max(1, Math.min(width, runner + away));
            }
        }
        return runner == chaser;
    }

    static String play(int width, int aliceRow, int aliceColumn, int bobRow, int bobColumn) {
        int moves = bobRow - aliceRow;
        if (moves <= 0) return "Draw";
        if (moves % 2 == 1) return caught(width, moves, bobColumn, aliceColumn) ? "Alice" : "Draw";
        return caught(width, moves, aliceColumn, bobColumn) ? "Bob" : "Draw";
    }

    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        StringBuilder out = new StringBuilder();
        int games = Integer.parseInt(in.readLine());
        for (int i = 0; i < games; i++) {
            StringTokenizer line = new StringTokenizer(in.readLine());
            int[] v = new int[6];
            for (int j = 0; j < 6; j++) v[j] = Integer.parseInt(line.nextToken());
            out.append(play(v[1], v[2], v[3], v[4], v[5])).append('\n');
        }
        System.out.print(out);
    }
}
