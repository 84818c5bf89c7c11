//! A wrong program in each language: each is compiled, run, and refuted by the same smallest input.

use crate::environment::{Folder, installed};
use crate::programs::{FORMAT, RIGHT_RUST, WRONG_C, WRONG_RUST};

/// Checks a program that prints the largest of some numbers, but never below zero.
fn check_refuted(tools: &[&str], file: &str, text: &str) {
    if !installed(tools) {
        return;
    }
    let folder = Folder::new().file(file, text).file("brute.rs", RIGHT_RUST);
    folder
        .rebut(&format!("stress {file} --input '{FORMAT}' --seed 1 --cases 300 --time-limit 10s --certify 0s"))
        .exits(1)
        .shows(&format!("FAIL  {file}: wrong answer"));
    assert_eq!(folder.finding().read("input.txt"), "1\n-1\n");
    folder.finding().replay().exits(1);
}

#[test]
fn c_program_is_refuted() {
    check_refuted(&["gcc", "cc", "clang"], "sol.c", WRONG_C);
}

#[test]
fn cpp_program_is_refuted() {
    let text = "\
#include <algorithm>
#include <iostream>
int main() {
    int n, x, best = 0;
    std::cin >> n;
    while (n-- && std::cin >> x) best = std::max(best, x);
    std::cout << best << std::endl;
}
";
    check_refuted(&["g++", "c++", "clang++"], "sol.cpp", text);
}

#[test]
fn rust_program_is_refuted() {
    check_refuted(&["rustc"], "sol.rs", WRONG_RUST);
}

#[test]
fn python_program_is_refuted() {
    check_refuted(&["python3", "python"], "sol.py", "input()\nprint(max(0, *map(int, input().split())))\n");
}

#[test]
fn wrapper_of_an_interpreter_is_asked_once_for_what_it_starts() {
    if !installed(&["python3"]) {
        return;
    }
    let folder = Folder::new()
        .script("wrapper", "#!/bin/sh\necho \"$1\" >>\"$(dirname \"$0\")/asked\"\nsleep 0.2\nexec python3 \"$@\"\n")
        .file("sol.py", "input()\nprint(max(map(int, input().split())))\n")
        .file("brute.py", "n = int(input())\nprint(max(int(number) for number in input().split()[:n]))\n");
    let search = format!("stress sol.py --reference brute.py --input '{FORMAT}' --seed 1 --cases 50 --jobs 2");
    let wrapper = folder.path("wrapper").display().to_string();
    folder.typed(&search).variable("PYTHON", wrapper).run().exits(0);
    assert_eq!(folder.read("asked"), "-c\n");
}

#[test]
fn java_program_is_refuted() {
    let text = "\
import java.util.Scanner;
public class Sol {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        int n = in.nextInt(), best = 0;
        while (n-- > 0) best = Math.max(best, in.nextInt());
        System.out.println(best);
    }
}
";
    check_refuted(&["javac"], "Sol.java", text);
}

#[test]
fn javascript_program_is_refuted() {
    let text = "\
const [n, ...a] = require('fs').readFileSync(0, 'utf8').split(/\\s+/).filter(s => s).map(Number);
console.log(Math.max(0, ...a));
";
    check_refuted(&["node", "nodejs"], "sol.js", text);
}

#[test]
fn kotlin_program_is_refuted() {
    let text = "\
fun main() {
    readLine()
    println(maxOf(0, readLine()!!.trim().split(\" \").map { it.toInt() }.reduce { a, b -> maxOf(a, b) }))
}
";
    check_refuted(&["kotlinc"], "sol.kt", text);
}

#[test]
fn pascal_program_is_refuted() {
    let text = "\
var n, x, best: longint;
begin
  read(n);
  best := 0;
  while n > 0 do begin
    read(x);
    if x > best then best := x;
    dec(n)
  end;
  writeln(best)
end.
";
    check_refuted(&["fpc"], "sol.pas", text);
}

#[test]
fn haskell_program_is_refuted() {
    let text = "main = interact $ \\text -> show (maximum (0 : map read (tail (words text)) :: [Int])) ++ \"\\n\"\n";
    check_refuted(&["ghc"], "sol.hs", text);
}

#[test]
fn ocaml_program_is_refuted() {
    let text = "\
let read () = Scanf.scanf \" %d\" (fun x -> x)
let () =
  let best = ref 0 in
  for _ = 1 to read () do best := max !best (read ()) done;
  Printf.printf \"%d\\n\" !best
";
    check_refuted(&["ocamlopt"], "sol.ml", text);
}

#[test]
fn pypy_program_is_refuted() {
    check_refuted(&["pypy3"], "sol.pypy", "input()\nprint(max(0, *map(int, input().split())))\n");
}

#[test]
fn csharp_program_is_refuted() {
    let text = "\
using System;
using System.Linq;
class Program {
    static void Main() {
        Console.ReadLine();
        Console.WriteLine(Math.Max(0, Console.ReadLine().Split(' ').Select(int.Parse).Max()));
    }
}
";
    check_refuted(&["mcs"], "sol.cs", text);
}
