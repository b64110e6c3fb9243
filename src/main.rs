//! Biota
fn main() -> anyhow::Result<()> {
    env_logger::init();
    biota::app::run(&biota::app::Options {
        pattern: std::env::args().nth(1).map(Into::into),
        ..Default::default()
    })
}
