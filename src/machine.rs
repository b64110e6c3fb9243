//! What the machine lets this program have: memory to spare, and threads.
//!
//! Whoever is about to take much memory asks [`spare_memory`] before it does, so that too large a board is a message and
//! never the end of the program. Known limit: of the other programs of a control group only those are counted that are in
//! the very group of this one.

use std::error::Error;
use std::sync::OnceLock;

use sysinfo::{MemoryRefreshKind, Process, ProcessRefreshKind, ProcessesToUpdate, System};
use thiserror::Error;

/// One part in so many of each bound is left to everything else: to the rest of this program, and to others.
const RESERVE: u64 = 8;
/// What may be taken where the system tells nothing.
const UNKNOWN: u64 = 4 << 30;

/// Something that bounds the memory of this program: how much there is in all, and how much of that is free; bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bound {
    all: u64,
    free: u64,
}

/// Bytes of memory that may be taken now: what is free of the machine's memory, of that of the control group (a
/// container's limit, say) and of the address space that this process is allowed, whichever is least, less a reserve.
pub fn spare_memory() -> u64 {
    let Ok(mut system) = System::new() else { return UNKNOWN };
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    let machine = Bound { all: system.total_memory(), free: system.available_memory() };
    let mut bounds = vec![machine];
    if let Ok(own) = sysinfo::get_current_pid() {
        let kind = ProcessRefreshKind::nothing().with_memory().without_tasks();
        system.refresh_processes_specifics(ProcessesToUpdate::Some(&[own]), false, kind);
        let process = system.process(own);
        // What files take in the page cache counts as used in a group, but is given back when it is needed.
        let group = process.and_then(Process::cgroup_limits).or_else(|| system.cgroup_limits());
        bounds.extend(group.map(|group| Bound {
            all: group.total_memory,
            free: group.total_memory.saturating_sub(group.rss),
        }));
        let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
        bounds.extend(
            process
                .zip(address_space(&limits))
                .map(|(process, all)| Bound { all, free: all.saturating_sub(process.virtual_memory()) }),
        );
    }
    spare(&bounds)
}

/// What all of these bounds leave.
fn spare(bounds: &[Bound]) -> u64 {
    let known = bounds.iter().filter(|bound| bound.all > 0);
    known.map(|bound| bound.free.saturating_sub(bound.all / RESERVE)).min().unwrap_or(UNKNOWN)
}

/// The bytes of address space that Linux's list of a process's limits allows; `None` where it sets no limit.
fn address_space(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// The threads that share the work of the processor can't be started; end other programs, or allow more.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "no threads can be started ({0}): end other programs, or allow this one more processes or memory (ulimit -u, ulimit -v)"
)]
pub struct NoThreads(String);

/// Starts the threads that share the work of the processor, if they don't run yet. Whoever shares work out among them and
/// has not seen this succeed may be ended by it.
pub fn start_threads() -> Result<(), NoThreads> {
    static STARTED: OnceLock<Result<(), NoThreads>> = OnceLock::new();
    let start = || match rayon::ThreadPoolBuilder::new().build_global() {
        // An error without a source only says that they run already.
        Err(error) => error.source().map_or(Ok(()), |source| Err(NoThreads(source.to_string()))),
        Ok(()) => Ok(()),
    };
    STARTED.get_or_init(start).clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tightest_bound_less_an_eighth_of_all_is_to_spare() {
        let bound = |all: u64, free: u64| Bound { all: all << 20, free: free << 20 };
        let (idle, busy) = (bound(24_000, 22_000), bound(24_000, 5_000));
        let (group, full) = (bound(2048, 2000), bound(2048, 200));
        let spare = |bounds: &[Bound]| spare(bounds) >> 20;
        assert_eq!(spare(&[idle]), 19_000, "of an idle machine");
        assert_eq!(spare(&[busy]), 2000, "what other programs left");
        assert_eq!(spare(&[idle, group]), 1744, "a small group on a large machine");
        assert_eq!(spare(&[busy, bound(200_000, 199_000)]), 2000, "a group larger than the machine");
        assert_eq!(spare(&[idle, full]), 0, "when less than the reserve is left");
        assert_eq!(spare(&[bound(0, 0), group]), 1744, "a bound that isn't known");
        assert_eq!(spare(&[bound(0, 0)]), 4096, "where nothing is known");
    }

    #[test]
    fn the_limit_of_the_address_space_is_read_from_the_list() {
        let list = "Limit                     Soft Limit           Hard Limit           Units     \n\
                    Max cpu time              unlimited            unlimited            seconds   \n\
                    Max address space         2097152000           4194304000           bytes     \n";
        assert_eq!(address_space(list), Some(2_097_152_000), "the soft limit");
        assert_eq!(address_space(&list.replace("2097152000", "unlimited ")), None, "no limit");
        assert_eq!(address_space(""), None, "no list");
    }

    #[test]
    fn this_machine_has_memory_to_spare_but_not_all_of_it() {
        let mut system = System::new().expect("a system that is known");
        system.refresh_memory();
        let spare = spare_memory();
        assert!(spare > 1 << 20 && spare < system.total_memory(), "{spare} bytes");
    }

    #[test]
    fn threads_start_once() {
        assert_eq!([start_threads(), start_threads()], [Ok(()), Ok(())], "twice");
    }
}
