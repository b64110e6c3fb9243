//! Files: what format a text is in, gzip, opening and saving.
//!
//! The format is found in the content; the name of a file decides only how it is written.

use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::path::Path;

use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;

use super::error::PatternError;
use super::input::Input;
use super::plaintext::{DEAD_CELLS, LIVING_CELLS};
use super::whole::write_whole;
use super::{Bands, Format, Limits, Pattern, life105, life106, macrocell, mcell, plaintext, rle};
use crate::progress::Progress;

/// The first bytes of a gzip file.
const GZIP: [u8; 2] = [0x1F, 0x8B];
/// Bytes of a packed file that are read at a time.
const PACKED: usize = 1 << 16;
/// What a saved file may be called.
const EXTENSIONS: &str = ".rle, .mc or .cells, or .rle.gz, .mc.gz or .cells.gz";

/// Files that are known and not read: how they begin, and what they are.
const FOREIGN: [(&[u8], &str); 11] = [
    (b"@RULE", "a rule file, not a pattern; give it to --rule, or put it into the folder of rules"),
    (b"PK\x03\x04", "a zip archive; unpack it first"),
    (b"\x89PNG", "a picture (PNG), not a pattern"),
    (b"GIF8", "a picture (GIF), not a pattern"),
    (b"BM", "a picture (BMP), not a pattern"),
    (b"II*\0", "a picture (TIFF), not a pattern"),
    (b"MM\0*", "a picture (TIFF), not a pattern"),
    (b"\xFF\xD8\xFF", "a picture (JPEG), not a pattern"),
    (b"\xFF\xFE", "text in UTF-16; save it as UTF-8"),
    (b"\xFE\xFF", "text in UTF-16; save it as UTF-8"),
    (b"%PDF", "a PDF document, not a pattern"),
];

impl Format {
    /// The format of a text, by its first line that is not blank; `head` is the beginning of the text.
    ///
    /// `[M2]` begins macrocell, `#MCell` that format, `#Life 1.06` and `#Life 1.05` or `#P` theirs; otherwise `#` or `x` begins RLE,
    /// unless there is nothing but cells, `!` begins `.cells`, a line of counts and symbols with `$` or `!` (or of digits, `b` and `o`) is RLE without a header, and a line of `.` and `O`
    /// is `.cells` without comments. Errors for anything else, and says what it seems to be.
    pub fn detect(head: &[u8]) -> Result<Self, PatternError> {
        let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
        let unrecognised = |what: &str| Err(PatternError::Unrecognised(what.to_owned()));
        let text = head.trim_ascii_start();
        if text.is_empty() {
            return unrecognised("the file is empty");
        }
        if let Some((_, what)) = FOREIGN.iter().find(|(magic, _)| text.starts_with(magic)) {
            return unrecognised(&format!("this is {what}"));
        }
        if text.starts_with(b"[M2]") {
            return Ok(Self::Macrocell);
        }
        if text.get(..6).is_some_and(|start| start.eq_ignore_ascii_case(b"#MCell")) {
            return Ok(Self::MCell);
        }
        let end = text.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(text.len());
        let line = text[..end].trim_ascii_end();
        let is_made_of = |symbols: &[u8]| line.iter().all(|b| symbols.contains(b) || b" \t".contains(b));
        if line.get(..3).is_some_and(|start| start.eq_ignore_ascii_case(b"#Li")) {
            return Ok(if line.ends_with(b"1.06") { Self::Life106 } else { Self::Life105 });
        }
        if line.starts_with(b"#P ") {
            return Ok(Self::Life105);
        }
        // Where nothing but cells follows, this is no comment.
        if line[0] == b'#' && text.iter().all(|b| b"#., \t\r\n".contains(b)) {
            return Ok(Self::Cells);
        }
        match line[0] {
            b'!' => return Ok(Self::Cells),
            // A row of a text may begin with this, but only where nothing but cells follows.
            b'x' if line.len() > 1 && is_made_of(LIVING_CELLS) => return Ok(Self::Cells),
            // After a # whatever follows, an author of the name of Xo among it.
            b'#' | b'x' => return Ok(Self::Rle),
            b'X' if line[1..].trim_ascii_start().starts_with(b"=") => return Ok(Self::Rle),
            _ => {}
        }
        let has = |symbols: &[u8]| line.iter().any(|b| symbols.contains(b));
        if is_made_of(b"0123456789bo$!") && (has(b"0123456789$") || line.ends_with(b"!")) {
            return Ok(Self::Rle);
        }
        if is_made_of(b"0123456789bo$!.ABCDEFGHIJKLMNOPQRSTUVWXpqrstuvwxy")
            && (has(b"$") || line.ends_with(b"!"))
        {
            return Ok(Self::Rle);
        }
        if line.iter().all(|b| b.is_ascii_digit() || DEAD_CELLS.contains(b) || LIVING_CELLS.contains(b))
            && has(b".,Oo*")
        {
            return Ok(Self::Cells);
        }
        unrecognised(
            "this is no pattern: the first line is neither an RLE header (x = 3, y = 3, rule = B3/S23), \
             a comment (# or !), \"#Life 1.05\" or \"#Life 1.06\", nor a row of cells",
        )
    }

    /// How a file of this name is to be written: by its extension, and whether it is packed (`.gz`).
    ///
    /// Capitals count as small letters. Errors for names that don't end in a format that is written.
    pub fn from_extension(path: &Path) -> Result<(Self, bool), PatternError> {
        let name =
            path.file_name().map(|name| name.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        let (stem, packed) = name.strip_suffix(".gz").map_or((name.as_str(), false), |stem| (stem, true));
        let fail =
            |what: &str| Err(PatternError::Unsaveable(format!("{what}; end the name in {EXTENSIONS}")));
        match stem.rsplit_once('.').map(|(_, extension)| extension) {
            Some("rle") => Ok((Self::Rle, packed)),
            Some("cells") => Ok((Self::Cells, packed)),
            Some("mc") => Ok((Self::Macrocell, packed)),
            Some("lif" | "life") => fail("Life 1.05 and 1.06 are read and not written"),
            Some("mcl") => fail("MCell files are read and not written"),
            Some(other) => fail(&format!("\"{other}\" is no format that patterns are saved in")),
            None => fail("a file's extension says what format it is saved in, and there is none"),
        }
    }
}

/// Reads a pattern in any of the formats, packed with gzip or not, up to the end of `source`.
///
/// `&mut &bytes[..]` is a source. Nothing is kept when it fails; the errors are those of [`PatternError`].
pub fn read(mut source: impl Read, limits: &Limits) -> Result<Pattern, PatternError> {
    let mut magic = Vec::with_capacity(GZIP.len());
    source.by_ref().take(GZIP.len() as u64).read_to_end(&mut magic)?;
    let is_packed = magic == GZIP;
    let mut whole = magic.chain(source);
    if is_packed {
        read_text(&mut Unpacked(MultiGzDecoder::new(BufReader::with_capacity(PACKED, whole))), limits)
    } else {
        read_text(&mut whole, limits)
    }
}

/// A packed file, of which it is said so where it is damaged.
struct Unpacked<R>(MultiGzDecoder<R>);

impl<R: BufRead> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => io::Error::new(error.kind(), "the gzip data ends too early"),
            ErrorKind::InvalidInput | ErrorKind::InvalidData => {
                io::Error::new(error.kind(), format!("the gzip data is damaged: {error}"))
            }
            _ => error,
        })
    }
}

/// Reads a pattern from unpacked text.
fn read_text(text: &mut dyn Read, limits: &Limits) -> Result<Pattern, PatternError> {
    let mut input = Input::new(text, limits)?;
    match Format::detect(input.window(1)?)? {
        Format::Rle => rle::read(&mut input, limits),
        Format::Cells => plaintext::read(&mut input, limits),
        Format::Life105 => life105::read(&mut input, limits),
        Format::Life106 => life106::read(&mut input, limits),
        Format::Macrocell => macrocell::read(&mut input, limits),
        Format::MCell => mcell::read(&mut input, limits),
    }
}

/// Reads the pattern in the file at `path`.
pub fn open(path: &Path, limits: &Limits) -> Result<Pattern, PatternError> {
    open_watched(path, limits, &Progress::default())
}

/// [`open`] that says how far it is, in bytes of the file, and stops when that is asked for.
pub fn open_watched(path: &Path, limits: &Limits, progress: &Progress) -> Result<Pattern, PatternError> {
    if path.is_dir() {
        return Err(PatternError::Unrecognised("this is a folder, not a pattern file".to_owned()));
    }
    let file = File::open(path)?;
    progress.set_total(file.metadata().map_or(0, |data| data.len()));
    let pattern = read(Watched { file, progress }, limits);
    if progress.is_cancelled() { Err(PatternError::Cancelled) } else { pattern }
}

/// A file whose reading is watched.
struct Watched<'a> {
    file: File,
    progress: &'a Progress,
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.progress.is_cancelled() {
            return Err(io::Error::other("cancelled"));
        }
        let count = self.file.read(buffer)?;
        self.progress.advance(count as u64);
        Ok(count)
    }
}

/// Writes `pattern` to `path` in the format that the extension names, for a rule of `states` states.
///
/// A file that is there already is replaced once the new one is complete, and stays as it was when that fails.
pub fn save(path: &Path, pattern: &Pattern, states: u16) -> Result<(), PatternError> {
    save_bands(path, pattern, &mut &pattern.cells, states)
}

/// [`save`] with the cells of `bands` instead of the pattern's own, so that a board need not be in memory twice.
pub fn save_bands(
    path: &Path,
    about: &Pattern,
    bands: &mut dyn Bands,
    states: u16,
) -> Result<(), PatternError> {
    let (format, packed) = Format::from_extension(path)?;
    write_whole(path, |out| {
        if packed {
            // Of 51 MB of a soup this makes 19 in a quarter of a second, the usual level 13 in almost four.
            let mut packer = GzEncoder::new(out, Compression::fast());
            write(&mut packer, format, about, bands, states)?;
            packer.finish()?;
            Ok(())
        } else {
            write(out, format, about, bands, states)
        }
    })
}

/// Writes a pattern in `format`, with the cells of `bands` instead of its own.
pub fn write(
    out: &mut dyn Write,
    format: Format,
    about: &Pattern,
    bands: &mut dyn Bands,
    states: u16,
) -> Result<(), PatternError> {
    match format {
        Format::Rle => rle::write(out, about, bands, states),
        Format::Cells => plaintext::write(out, about, bands, states),
        Format::Macrocell => macrocell::write(out, about, bands, states),
        Format::Life105 | Format::Life106 | Format::MCell => {
            Err(PatternError::Unsaveable(format!("{format} is read and not written; use {EXTENSIONS}")))
        }
    }
}
