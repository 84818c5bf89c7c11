import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs a Java program in place: on one input after the other in the same virtual machine, each time with a class loader of its own, so that
 * static fields are fresh. Takes the inputs and writes the results as `in_place.c` does, which explains them; the layout is
 * known to the sandbox's `in_place.rs`. Arguments: the folder of the classes, and the class to start.
 *
 * What the virtual machine itself remembers is not put back. A program that uses classes by which it could do harm to that, or that
 * reads past `System.in`, is refused. A run that ends by an exception does not count.
 */
public final class InPlace {
    private static final int MAX_RUNS = 256, MAX_INPUT_BYTES = 512 << 10, OUTPUT_AREA_BYTES = 1 << 20;
    private static final int READY_AT = 16, RUNS_AT = 32, RUN_BYTES = 40, OUTPUTS_AT = RUNS_AT + RUN_BYTES * MAX_RUNS;
    private static final int EXITED = 1, FAILED = 3, TOO_LARGE = 4;

    /** Classes of the library whose users are refused; a name that ends with a slash stands for a package. */
    private static final List<String> REFUSED = List.of(
            "java/io/FileDescriptor", "java/io/File", "java/io/FileInputStream", "java/io/FileReader", "java/io/FileOutputStream",
            "java/io/FileWriter", "java/io/RandomAccessFile", "java/lang/ClassLoader", "java/lang/InheritableThreadLocal",
            "java/lang/Process", "java/lang/ProcessBuilder", "java/lang/Runtime", "java/lang/ThreadLocal", "java/lang/foreign/",
            "java/lang/reflect/", "java/net/", "java/nio/channels/", "java/nio/file/",
            "java/util/Timer", "java/util/concurrent/CompletableFuture", "java/util/concurrent/Executors",
            "java/util/concurrent/ForkJoinPool", "java/util/logging/", "jdk/", "sun/");

    /** Methods that change what all runs share, or start threads that no group knows. */
    private static final List<String> REFUSED_METHODS = List.of(
            "setDefault", "setProperty", "setProperties", "clearProperty", "setDefaultUncaughtExceptionHandler", "startVirtualThread", "ofVirtual");

    /** Classes with constructors that take the name of a file. */
    private static final List<String> OPENING =
            List.of("java/io/PrintWriter", "java/io/PrintStream", "java/util/Formatter");

    private final Map<String, byte[]> classes = new HashMap<>();
    private final String mainClass;
    // Not channels, which need a socket: the sandbox has none.
    private final RandomAccessFile inputs = new RandomAccessFile("/proc/self/fd/0", "r");
    private final RandomAccessFile results = new RandomAccessFile("/proc/self/fd/1", "rw");
    private final FileInputStream orders = new FileInputStream(FileDescriptor.err);
    private final FileOutputStream answers = new FileOutputStream(FileDescriptor.err);
    private final ByteBuffer area = buffer(8 + 8 * MAX_RUNS + MAX_INPUT_BYTES);

    private InPlace(String mainClass) throws IOException {
        this.mainClass = mainClass;
    }

    public static void main(String[] words) throws Exception {
        InPlace loop = new InPlace(words[1]);
        loop.readClasses(new File(words[0]), "");
        loop.write(buffer(8).putLong(1), READY_AT);
        while (loop.orders.read() >= 0) {
            loop.runBatch();
            loop.answers.write(0);
        }
    }

    private void readClasses(File folder, String prefix) throws IOException {
        for (File file : folder.listFiles()) {
            String name = prefix + file.getName();
            if (file.isDirectory()) readClasses(file, name + ".");
            if (!file.isFile() || !name.endsWith(".class")) continue;
            ClassFile read;
            try (FileInputStream stream = new FileInputStream(file)) {
                read = new ClassFile(stream.readAllBytes());
            }
            for (String used : read.usedClasses()) {
                boolean isRefused = REFUSED.stream().anyMatch(one -> one.endsWith("/") ? used.startsWith(one) : used.equals(one));
                if (isRefused) refuse();
            }
            for (String[] called : read.calledMethods()) {
                boolean opensFile = OPENING.contains(called[0]) && called[1].equals("<init>") && called[2].startsWith("(Ljava/lang/String;");
                if (opensFile || REFUSED_METHODS.contains(called[1])) refuse();
            }
            classes.put(name.substring(0, name.length() - 6), read.withoutExit());
        }
    }

    private void write(ByteBuffer bytes, long at) throws IOException {
        write(bytes.array(), bytes.limit(), at);
    }

    private void write(byte[] bytes, int count, long at) throws IOException {
        results.seek(at);
        results.write(bytes, 0, count);
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
    }

    private void refuse() throws IOException {
        write(buffer(8).putLong(1), 8);
        answers.write(0);
        Runtime.getRuntime().halt(0);
    }

    private void runBatch() throws Exception {
        int start = 8 + 8 * MAX_RUNS, written = 0;
        inputs.seek(0);
        inputs.readFully(area.array(), 0, start);
        int count = (int) Math.min(area.getLong(0), MAX_RUNS);
        inputs.readFully(area.array(), start, (int) area.getLong(8 * count));
        for (int run = 0; run < Math.min(count, readCount()); run++) {
            int end = 8 + 8 * MAX_RUNS + (int) area.getLong(8 + 8 * run);
            ByteBuffer record = buffer(RUN_BYTES);
            long before = System.nanoTime();
            Run one = new Run(new ByteArrayInputStream(area.array(), start, end - start));
            int kind = one.run();
            byte[] output = one.output.toByteArray(), error = one.error.toByteArray();
            if (kind == EXITED && written + output.length + error.length > OUTPUT_AREA_BYTES) kind = TOO_LARGE;
            record.putInt(kind).putInt(one.status);
            if (kind == EXITED) {
                write(output, output.length, OUTPUTS_AT + written);
                write(error, error.length, OUTPUTS_AT + written + output.length);
                record.putLong(written + output.length).putLong(written += output.length + error.length);
            } else {
                record.putLong(written).putLong(written);
            }
            record.putLong((System.nanoTime() - before) / 1000).putLong(0);
            write(record, RUNS_AT + RUN_BYTES * run);
            write(buffer(8).putLong(run + 1), 0);
            start = end;
        }
    }

    /** Returns the number of runs that the other side wants by now: it lets a batch end early after the run that is under way. */
    private int readCount() throws IOException {
        ByteBuffer count = buffer(8);
        inputs.seek(0);
        inputs.readFully(count.array());
        return (int) Math.min(count.getLong(0), MAX_RUNS);
    }

    /** What the program calls in the place of `System.exit`. */
    public static final class Exit extends Error {
        private static volatile Run current;

        private Exit() {
            super(null, null, false, false);
        }

        public static void exit(int status) {
            current.end(status & 255);
            throw new Exit();
        }
    }

    private final class Run {
        private final ByteArrayInputStream input;
        private ByteArrayOutputStream output = new ByteArrayOutputStream(), error = new ByteArrayOutputStream();
        private PrintStream out = new PrintStream(output), err = new PrintStream(error);
        private volatile boolean hasEnded, hasFailed;
        private int status;

        Run(ByteArrayInputStream input) {
            this.input = input;
        }

        /** Keeps what was written until now: what the program writes afterwards is lost, as after `System.exit`. */
        synchronized void end(int status) {
            if (hasEnded) return;
            hasEnded = true;
            this.status = status;
            out.flush();
            err.flush();
            ByteArrayOutputStream written = new ByteArrayOutputStream(), messages = new ByteArrayOutputStream();
            written.writeBytes(output.toByteArray());
            messages.writeBytes(error.toByteArray());
            output = written;
            error = messages;
        }

        /** Runs the program in this thread, which has the stack of a main thread: a new one costs as much as a short run. */
        int run() throws InterruptedException {
            Thread.interrupted();
            Thread main = Thread.currentThread();
            main.setName("main");
            main.setPriority(Thread.NORM_PRIORITY);
            main.setContextClassLoader(InPlace.class.getClassLoader());
            main.setUncaughtExceptionHandler(null);
            Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {
                if (!(thrown instanceof Exit)) hasFailed = true;
            });
            Exit.current = this;
            System.setIn(input);
            System.setOut(out);
            System.setErr(err);
            start();
            Thread.interrupted();
            for (Thread other = findThread(); other != null && !hasEnded; other = findThread()) other.join();
            // A thread that goes on after the end would be one of the next runs.
            if (Thread.activeCount() > 1) Runtime.getRuntime().halt(0);
            if (hasFailed) return FAILED;
            end(0);
            return EXITED;
        }

        private void start() {
            try {
                Method main = new Loader().loadClass(mainClass).getDeclaredMethod("main", String[].class);
                main.setAccessible(true);
                main.invoke(null, (Object) new String[0]);
            } catch (Throwable thrown) {
                if (!(thrown.getCause() instanceof Exit)) hasFailed = true;
            }
        }
    }

    /** Returns another thread that a virtual machine waits for at its end. */
    private static Thread findThread() {
        Thread[] threads = new Thread[64];
        int count = Thread.enumerate(threads);
        for (int i = 0; i < count; i++) {
            if (!threads[i].isDaemon() && threads[i] != Thread.currentThread()) return threads[i];
        }
        return null;
    }

    private final class Loader extends ClassLoader {
        Loader() {
            super(InPlace.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            byte[] bytes = classes.get(name);
            if (bytes == null) return super.loadClass(name, resolve);
            synchronized (this) {
                Class<?> loaded = findLoadedClass(name);
                return loaded != null ? loaded : defineClass(name, bytes, 0, bytes.length);
            }
        }
    }

    /** The constants of a class file: the classes that it uses, and its calls of `System.exit`. */
    private static final class ClassFile {
        private final byte[] bytes;
        private final int[] at;
        private final int end;

        ClassFile(byte[] bytes) throws IOException {
            this.bytes = bytes;
            int count = two(8), place = 10;
            at = new int[count];
            for (int i = 1; i < count; i++) {
                at[i] = place;
                switch (bytes[place]) {
                    case 1: place += 3 + two(place + 1); break;
                    case 5: case 6: place += 9; i++; break;
                    case 7: case 8: case 16: case 19: case 20: place += 3; break;
                    case 15: place += 4; break;
                    default: place += 5;
                }
            }
            end = place;
        }

        private int two(int place) {
            return (bytes[place] & 255) << 8 | bytes[place + 1] & 255;
        }

        private String text(int constant) throws IOException {
            int place = at[constant];
            return new DataInputStream(new ByteArrayInputStream(bytes, place + 1, bytes.length - place - 1)).readUTF();
        }

        List<String> usedClasses() throws IOException {
            List<String> names = new ArrayList<>();
            for (int place : at) {
                if (place > 0 && bytes[place] == 7) names.add(text(two(place + 1)));
            }
            return names;
        }

        /** Returns the class, the name and the type of each method that it calls. */
        List<String[]> calledMethods() throws IOException {
            List<String[]> methods = new ArrayList<>();
            for (int place : at) {
                if (place > 0 && bytes[place] == 10) methods.add(method(place));
            }
            return methods;
        }

        private String[] method(int place) throws IOException {
            int about = at[two(place + 3)];
            return new String[] {text(two(at[two(place + 1)] + 1)), text(two(about + 1)), text(two(about + 3))};
        }

        /** Returns the class with calls of `Exit.exit` in the place of `System.exit`. */
        byte[] withoutExit() throws IOException {
            byte[] name = "InPlace$Exit".getBytes(StandardCharsets.US_ASCII);
            ByteBuffer changed = ByteBuffer.allocate(bytes.length + 6 + name.length);
            changed.put(bytes, 0, end).put((byte) 1).putShort((short) name.length).put(name);
            changed.put((byte) 7).putShort((short) at.length).put(bytes, end, bytes.length - end);
            changed.putShort(8, (short) (at.length + 2));
            for (int place : at) {
                if (place == 0 || bytes[place] != 10) continue;
                if (List.of(method(place)).equals(List.of("java/lang/System", "exit", "(I)V"))) {
                    changed.putShort(place + 1, (short) (at.length + 1));
                }
            }
            return changed.array();
        }
    }
}
