//! Pictures of boards as PNG files.
//!
//! Knows boards and states, but neither sessions nor faces: whoever wants a picture says of what area.

mod png;

pub use self::png::{Look, MAX_SIDE_PX, PictureError, save_pixels, save_png, write_png};
