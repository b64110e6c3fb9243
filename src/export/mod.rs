//! Pictures of boards: the colours of species, and PNG files.
//!
//! Knows boards and states, but neither sessions nor faces: whoever wants a picture says of what area.

pub mod palette;
mod png;

pub use self::png::{MAX_SIDE_PX, PictureError, save_png, write_png};
