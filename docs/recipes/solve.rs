// Solve: rustc -O -o solve-rs solve.rs && ./solve-rs words.txt vctaoen

use std::{env, fs};

fn main() {
    let arguments: Vec<String> = env::args().collect();
    let list = fs::read_to_string(&arguments[1]).expect("a word list");
    let letters = arguments[2].to_lowercase();
    let center = &letters[..1];
    for word in list.lines() {
        if word.contains(center) && word.chars().all(|letter| letters.contains(letter)) {
            println!("{word}");
        }
    }
}
