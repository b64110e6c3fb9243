//! Biota, a desktop laboratory for Life in colour: cellular automata in which the living cells belong to species that
//! are born, survive and die by what surrounds them. The generation step is a WGSL compute shader between two storage
//! textures; a slow, obvious oracle proves it right; a window, a terminal and a command line drive it.
//!
//! # The layers, and who may know whom
//!
//! ```text
//! cell, coords, coin            the atoms: a state; places; a counter-based random bit
//! palette, path, progress, text colours, files whatever the case of their names, how far work is, figures as people read them
//! machine, signals              memory to spare, threads; who asks the program to end
//! lattice                       neighbourhoods as offsets, what a cell saw, where cells lie on the drawn plane
//! board                         topologies, Grid (plain states), Cells (sparse bit planes), tally, soups
//! rule                          Ruleset (the protocol), Rule (the value), notation, rule files, kernels, wgsl
//! pattern                       RLE, macrocell, .cells, Life 1.05 and 1.06: text <-> Pattern; the library
//! engine                        one trait; oracle | cpu | gpu behind it
//! session                       rule + board + engine + start + history: what every face drives
//! export, verify                PNG pictures; engines against the oracle on random cases
//! term, app, cli                the faces: terminal, window, command line
//! main                          picks a face
//! ```
//!
//! A layer imports only from those above it; `tests/architecture.rs` reads the `use` lines and holds everyone to it.
//! Three rules matter most: the oracle never sees tables, kernels or planes; the `cpu` and the `gpu` engine share the
//! kernel and nothing else; the window's [`app`] keeps `ui` and `logic` free of windows and GPUs, so tests drive them.
//!
//! # The way of a rule
//!
//! ```text
//! "B36/S23Immigration" --notation--> Ruleset --table--> every case with its answer
//!     --circuit--> three-input gates --wgsl--> step shader        (gpu)
//!                                    \-> 64-cell words in blocks  (cpu)
//! "/2/100", a rule file --> Ruleset --walk--> decision diagram --> the same two
//! ```
//!
//! Whoever implements [`rule::Ruleset`] gets the oracle at once, and the other engines too: what a rule declares that
//! it depends on is finite, so it is listed completely and compiled.
//!
//! # Where this departs from the first design, and why
//!
//! - **Sparse [`board::Cells`] instead of dense grids between the parts.** Patterns, boards at rest, snapshots, hashes
//!   and files are all one type of 64 × 64 bit-plane tiles: a soup of billions of cells costs its planes, two gliders
//!   far apart cost two tiles, and no format or engine needs another representation. Clones share tiles until they
//!   change, so that a pattern, the board made of it and the start that a reset goes back to are one copy.
//! - **The compiler from tables to circuits is here from the start**, not hand-written step functions per rule: Life
//!   comes out at 10 gates and two shifts, Immigration at 17 and four, p2life at 38 and four, without a line that knows
//!   these rules. The encoding of states as planes is chosen with the circuit ([`rule::circuit::Encoding`]).
//! - **[`board::Grid::next_generation`] asks a closure**, not a ruleset, so that boards need not know rules.
//! - **A rule is asked at a [`rule::Site`]**: coordinates and generation, since it may look at the parity of both.
//! - **A cell may toss twice** (four colours can tie four ways): the toss number is part of the coin's counter.
//! - **Ghost cells follow a generation on the GPU**, or a leap where they live on as their cells do, instead of going
//!   before it: a small kernel gathers the ring around a board with glued edges from the texture that was just written,
//!   and another one scatters it there. Tori of whole tiles and open edges need none, so plain boards stay at one dispatch
//!   a generation.
//! - **Sleep on the GPU is decided by the CPU, once in as many generations as a tile has cells**: what is calm, with eight
//!   calm tiles around it, can't be reached earlier. So there are neither flags in each generation nor indirect dispatches.
//! - **Several generations at once are taken on the GPU in registers, too**, where subgroups can shuffle: an invocation
//!   holds some rows of a strip of words, so that only the sums of the rows above and below come from its neighbours, and
//!   neither workgroup memory nor a barrier stands between generations. Which of the kernels goes on is measured.
//! - **The cpu engine works on eight strips of rows side by side**, one in each word of a register: the rows above and below
//!   are then whole registers too, and a generation of a well-known rule is one loop that stores nothing but its result.
//! - **The window paints what has changed**, and copies the rest from its last picture: on a software adapter painting
//!   all of it takes longer than many generations.
//! - **Boards that are not on the GPU are not copied there to be seen from afar.** What a pixel of many cells shows is summed
//!   up over the engine's own words ([`engine::Raster`]), a part of the picture in each frame; only cells that can be told
//!   apart are uploaded, as far as they are seen. Without a real GPU that is what keeps the window going on huge boards.
//! - **A board with a living background** (B0 rules on the plane) stores each cell as its state XOR the background's,
//!   so that what differs from the background is what is stored, counted, hashed and bounded.
//! - **Populations there are of the cells that differ from the background**, as in Golly's emulation of B0.

pub mod app;
pub mod board;
pub mod cell;
pub mod cli;
pub mod coin;
pub mod coords;
pub mod engine;
pub mod export;
pub mod lattice;
pub mod machine;
pub mod palette;
pub mod path;
pub mod pattern;
pub mod progress;
pub mod rule;
pub mod session;
pub mod signals;
pub mod term;
pub mod text;
pub mod verify;
