//! What can be typed. Nothing is opened and nothing is checked here but each word by itself.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand};

use crate::board::MAX_SIDE;
use crate::engine::EngineKind;
use crate::engine::gpu::Gait;
use crate::session::EngineChoice;

/// Below the summary of `biota --help`.
const AFTER_HELP: &str = "\
PATTERN is a file (RLE, macrocell, .cells, Life 1.05, Life 1.06, MCell; packed with gzip or not), the name of a pattern that comes \
with Biota (`biota patterns` lists them), or - for standard input.

A rule is a string of the field, with the shape of the board after a colon: B3/S23, Immigration:T512,512 (a torus), \
B36/S23Immigration-parity:P100,80 (a bounded plane); without one the board is the unbounded plane. `biota rules` \
lists rules with names. A rule file is a rule too: its path (wires/WireWorld.rule:T64), or its name if it lies in the \
folder of rules ($BIOTA_RULES, else biota/rules in the folder of settings).

A law is a rule of one to four species of your own: \
'law 2 { born own == 3; survive own - other in 2..=3; tie coin }', an expression each for a birth, a survival and \
(take) a living cell taken over, over own, other, rival, total, n1 to n4, species, cell, coin, and the parity of x, y \
and generation (x % 2). tie is coin, parity, none or a species; neighbourhood is moore, v, nx, h, ht, l, …. \
--rule @FILE, or a name ending in .law, reads a rule from a file, where # begins a comment.";

/// Below the options of `biota bench`.
const BENCH_HELP: &str = "\
Columns: GENERATIONS stepped by each engine, which must end on the same board (else the exit code is 1); \
GENERATIONS/S and CELLS/S (cells of the board × generations) by the median time; RATIO of that rate to the cpu \
engine's; GATES, the three-input gates of the rule's circuit for a word of cells; GATES/S, gates × cells × generations \
in a second; ROOFLINE, the time that memory needs to read and write all bit planes once a generation, as a share of \
the time taken. Memory is as fast as a large copy was on this machine: of a buffer on the GPU, on all processors for \
the cpu engine. Boards that fit into a cache, and engines that step several generations in one pass, may be above 100 %.";

/// Life in colour: multi-species cellular automata on the GPU, proved against a CPU oracle.
#[derive(Debug, Parser)]
#[command(name = "biota", version, about, after_help = AFTER_HELP)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Arguments {
    /// What to do; without a command, the window opens
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    #[command(flatten)]
    pub(super) board: BoardArguments,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Play a board in this terminal
    Term(BoardArguments),
    /// Step a board without a window, and print, count or save what becomes of it
    ///
    /// Ctrl-C ends the run at the generation that is at hand: what was asked for is saved and printed, and the exit
    /// code is 130; SIGTERM and a terminal that is closed do the same. A second Ctrl-C ends the program at once.
    #[command(after_help = AFTER_HELP)]
    Run(RunArguments),
    /// Measure the GPU against the CPU
    #[command(after_help = BENCH_HELP)]
    Bench(BenchArguments),
    /// Check the engines against the oracle on random boards, rules and topologies
    Verify(VerifyArguments),
    /// Convert a pattern file into another format, or into a picture
    Convert(ConvertArguments),
    /// List the rules that have names
    Rules(ListArguments),
    /// List the patterns that come with Biota, or print the one of this name as RLE
    Patterns(ListArguments),
}

/// Which board, and how it is stepped.
#[derive(Args, Debug)]
pub(super) struct BoardArguments {
    /// A pattern file, the name of a pattern that comes with Biota, or - for standard input
    #[arg(conflicts_with = "soup")]
    pub(super) pattern: Option<PathBuf>,
    /// A random board of this many columns and rows; a torus, unless the rule says otherwise
    #[arg(long, value_name = "WxH")]
    pub(super) soup: Option<Size>,
    /// The rule, instead of the pattern's own; for a soup Immigration by default
    #[arg(long, value_name = "RULE")]
    pub(super) rule: Option<String>,
    /// How full the soup is, 0 to 1: of all species together, or of each [default: 0.5]
    #[arg(long, value_name = "D[,D…]", value_delimiter = ',', allow_negative_numbers = true)]
    pub(super) density: Vec<f64>,
    /// The seed of the soup and of the coins that rules toss [default: the pattern's own, or 0]
    #[arg(long, value_name = "N")]
    pub(super) seed: Option<u64>,
    /// Leave only life and death of a pattern of more states, under the rule of two states that its own is made of
    #[arg(long, requires = "pattern")]
    pub(super) as_life: bool,
    /// What steps the board: auto, gpu, cpu or oracle
    #[arg(long, value_name = "ENGINE", default_value = "auto")]
    pub(super) engine: EngineChoice,
}

/// `biota run`.
#[derive(Args, Debug)]
pub(super) struct RunArguments {
    #[command(flatten)]
    pub(super) board: BoardArguments,
    /// How many generations to step: of a board that was saved while it ran, how many more
    #[arg(long, short, value_name = "N", default_value_t = 100)]
    pub(super) generations: u64,
    /// Save the board as .rle, .mc or .cells (with .gz: packed), or as .png (repeatable; - is RLE to standard output)
    #[arg(long, short, value_name = "FILE")]
    pub(super) out: Vec<PathBuf>,
    /// Save the board every N generations, and where the run ends; `biota run FILE` goes on from there
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) checkpoint_every: Option<u64>,
    /// The .rle or .rle.gz file of the checkpoints [default: NAME.checkpoint.rle]; alone, it is written where the run ends
    #[arg(long, value_name = "FILE")]
    pub(super) checkpoint: Option<PathBuf>,
    /// Print one JSON object instead of a summary
    #[arg(long)]
    pub(super) json: bool,
}

/// `biota bench`.
#[derive(Args, Debug)]
pub(super) struct BenchArguments {
    /// Columns and rows of the board, a soup on a torus (repeatable) [default: three sizes that suit the GPU]
    #[arg(long, value_name = "WxH")]
    pub(super) size: Vec<Size>,
    /// A rule to measure (repeatable) [default: Life, Immigration, P2Life, QuadLife, Brian's Brain, a random table]
    #[arg(long, value_name = "RULE")]
    pub(super) rule: Vec<String>,
    /// How many generations to step [default: what takes about a second on all engines together]
    #[arg(long, short, value_name = "N")]
    pub(super) generations: Option<u64>,
    /// Which engines; the oracle takes some thousand times as long [default: gpu,cpu]
    #[arg(long, value_name = "ENGINE[,ENGINE…]", value_delimiter = ',')]
    pub(super) engines: Vec<EngineKind>,
    /// The GPU's kernel: step, leap, shuffle or tall-shuffle, where the adapter and the rule have it [default: the
    /// fastest, by trial]
    #[arg(long, value_name = "KERNEL")]
    pub(super) kernel: Option<Gait>,
    /// The seed of the soup and of the coins
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) seed: u64,
    /// How often each engine steps the same generations; the median counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(super) samples: u32,
    /// Also tell the time of each stage: making the soup, compiling the rule, creating the engine, load, one generation
    /// (step) and what of it the GPU spends in which kernels, tally, reading back, hash
    #[arg(long)]
    pub(super) profile: bool,
    /// Print a JSON array instead of a table
    #[arg(long)]
    pub(super) json: bool,
}

/// `biota verify`.
#[derive(Args, Debug)]
pub(super) struct VerifyArguments {
    /// How many cases to try
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) cases: u64,
    /// What the cases are drawn from: the same seed gives the same cases
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(super) seed: u64,
    /// The number of the first case, to repeat one
    #[arg(long, value_name = "K", default_value_t = 0)]
    pub(super) first: u64,
    /// Try this rule only; with a topology, on that board only
    #[arg(long, value_name = "RULE")]
    pub(super) rule: Option<String>,
    /// Which engines to check
    #[arg(long, value_name = "ENGINE[,ENGINE…]", value_delimiter = ',', default_values = ["cpu", "gpu"])]
    pub(super) engines: Vec<EngineKind>,
    /// Print what was tried, and how often, as JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// `biota convert`.
#[derive(Args, Debug)]
pub(super) struct ConvertArguments {
    /// A pattern file of any format, the name of a pattern that comes with Biota, or - for standard input
    #[arg(value_name = "IN")]
    pub(super) input: PathBuf,
    /// The file to write: .rle, .mc or .cells (with .gz: packed), or .png; - is RLE to standard output
    #[arg(value_name = "OUT")]
    pub(super) output: PathBuf,
    /// Leave only life and death of a pattern of more states, under the rule of two states that its own is made of
    #[arg(long)]
    pub(super) as_life: bool,
}

/// `biota rules` and `biota patterns`.
#[derive(Args, Debug)]
pub(super) struct ListArguments {
    /// Words that must all occur
    #[arg(value_name = "SEARCH")]
    pub(super) words: Vec<String>,
    /// Print a JSON array instead of columns
    #[arg(long)]
    pub(super) json: bool,
}

/// Columns and rows, as in `512x320`; a single number is a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    /// Columns, 1 to [`MAX_SIDE`].
    pub(super) width: i64,
    /// Rows, 1 to [`MAX_SIDE`].
    pub(super) height: i64,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let side = |digits: &str| -> Result<i64, String> {
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return Err("a size is columns x rows, as in 512x320".to_owned());
            }
            match digits.parse() {
                Ok(0) => Err("a side is at least 1 cell".to_owned()),
                Ok(side) if side <= MAX_SIDE => Ok(side),
                _ => Err(format!("a side is at most {MAX_SIDE} cells")),
            }
        };
        let (width, height) = text.split_once(['x', 'X', '×']).unwrap_or((text, text));
        Ok(Self { width: side(width.trim())?, height: side(height.trim())? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_declaration_of_the_arguments_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn sizes_are_read_and_refused() {
        assert_eq!("512x320".parse(), Ok(Size { width: 512, height: 320 }), "columns and rows");
        assert_eq!("64".parse(), Ok(Size { width: 64, height: 64 }), "a square");
        for (text, part) in [
            ("0x5", "at least 1"),
            ("5x0", "at least 1"),
            ("99999999999x3", "at most"),
            ("99999999999999999999999x3", "at most"),
            ("-5x5", "columns x rows"),
            ("", "columns x rows"),
            ("5x", "columns x rows"),
            ("5x6x7", "columns x rows"),
        ] {
            let error = text.parse::<Size>().expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
