//! A board's cells on their way from the session to a thread: read piece by piece, as frames have time for it, so that no
//! frame waits and no second copy is made of a board that is saved. Until all are read the board has to hold still.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};

use crate::board::{Board, Cells};
use crate::coords::Rect;
use crate::engine::Cancel;
use crate::pattern::{Bands, PatternError};
use crate::progress::Progress;
use crate::session::{Heritage, Session, SessionError};

/// Pieces that wait to be taken, at the most.
const WAITING: usize = 4;

enum Message {
    /// The board is the one that a reset goes back to, which is shared.
    Start(Box<Heritage>, Arc<Board>),
    /// The board's cells follow; where they are.
    Begin(Box<Heritage>, Option<Rect>),
    Cells(Cells),
    End,
}

/// The session's end.
pub(super) struct Feed {
    sender: SyncSender<Message>,
    asked: Arc<AtomicBool>,
    /// What is still to be read; `None` before the first piece.
    pieces: Option<std::vec::IntoIter<Rect>>,
    /// What the thread has no room for yet.
    waiting: Option<Message>,
    progress: Progress,
}

/// The thread's end.
pub(super) struct Intake {
    receiver: Receiver<Message>,
    asked: Arc<AtomicBool>,
}

/// The session's end is gone: the cells are not wanted any more.
#[derive(Debug)]
pub(super) struct Stopped;

/// The cells of a board, all there or still coming.
pub(super) enum Present {
    Whole(Arc<Board>),
    Coming(Option<Rect>, Pieces),
}

/// The cells that are still coming.
pub(super) struct Pieces(Receiver<Message>);

impl Pieces {
    fn each(&self, take: &mut dyn FnMut(Cells) -> Result<(), PatternError>) -> Result<(), PatternError> {
        loop {
            match self.0.recv() {
                Ok(Message::Cells(cells)) => take(cells)?,
                Ok(Message::End) => return Ok(()),
                _ => return Err(PatternError::Cancelled),
            }
        }
    }
}

/// Both ends; `progress` says how much was read.
pub(super) fn feed(progress: Progress) -> (Feed, Intake) {
    let (sender, receiver) = mpsc::sync_channel(WAITING);
    let asked = Arc::default();
    let feed = Feed { sender, asked: Arc::clone(&asked), pieces: None, waiting: None, progress };
    (feed, Intake { receiver, asked })
}

impl Feed {
    /// Whether the thread has asked for the board, which has to hold still from then on.
    pub(super) fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// Goes on until `cancel` is due; whether the thread has all that it asked for.
    pub(super) fn go_on(&mut self, session: &mut Session, cancel: &Cancel) -> Result<bool, SessionError> {
        loop {
            let message = match self.waiting.take() {
                Some(message) => message,
                None => match self.next(session, cancel)? {
                    Some(message) => message,
                    None => return Ok(false),
                },
            };
            let last = matches!(message, Message::Start(..) | Message::End);
            match self.sender.try_send(message) {
                Ok(()) if last => return Ok(true),
                Ok(()) => self.progress.advance(1),
                Err(TrySendError::Full(message)) => {
                    self.waiting = Some(message);
                    return Ok(false);
                }
                // The thread has ended, and says why.
                Err(TrySendError::Disconnected(_)) => return Ok(true),
            }
            if cancel.is_due() {
                return Ok(false);
            }
        }
    }

    /// What to send next; `None` when the time was not enough to count where the cells are.
    fn next(&mut self, session: &mut Session, cancel: &Cancel) -> Result<Option<Message>, SessionError> {
        if let Some(pieces) = &mut self.pieces {
            return Ok(Some(match pieces.next() {
                Some(area) => Message::Cells(session.engine_mut().read(area)?),
                None => Message::End,
            }));
        }
        if let Some(board) = session.board_at_start() {
            return Ok(Some(Message::Start(Box::new(session.heritage()), Arc::clone(board))));
        }
        if !session.count(cancel)? {
            return Ok(None);
        }
        let pieces = session.pieces()?;
        self.progress.set_total(pieces.len() as u64 + 1);
        self.pieces = Some(pieces.into_iter());
        Ok(Some(Message::Begin(Box::new(session.heritage()), session.tally()?.bounding_box)))
    }
}

impl Intake {
    /// Asks for the board.
    pub(super) fn ask(self) -> Result<(Heritage, Present), Stopped> {
        self.asked.store(true, Ordering::Relaxed);
        match self.receiver.recv() {
            Ok(Message::Start(heritage, board)) => Ok((*heritage, Present::Whole(board))),
            Ok(Message::Begin(heritage, life)) => {
                Ok((*heritage, Present::Coming(life, Pieces(self.receiver))))
            }
            _ => Err(Stopped),
        }
    }

    /// Asks for the board, and waits until all of it is there.
    pub(super) fn board(self) -> Result<(Heritage, Arc<Board>), Stopped> {
        let (heritage, present) = self.ask()?;
        match present.whole(&heritage) {
            Ok(Present::Whole(board)) => Ok((heritage, board)),
            _ => Err(Stopped),
        }
    }
}

impl Present {
    /// With all cells there, for who goes over them more than once.
    pub(super) fn whole(self, heritage: &Heritage) -> Result<Self, PatternError> {
        let Self::Coming(_, pieces) = &self else { return Ok(self) };
        let mut all = Cells::new();
        pieces.each(&mut |cells| {
            all.append(cells);
            Ok(())
        })?;
        Ok(Self::Whole(Arc::new(heritage.board(all))))
    }
}

/// Cells that are still coming can be gone over once.
impl Bands for Present {
    fn bounding_box(&mut self) -> Result<Option<Rect>, PatternError> {
        match self {
            Self::Whole(board) => Ok(board.cells.bounding_box()),
            Self::Coming(life, _) => Ok(*life),
        }
    }

    fn each(&mut self, take: &mut dyn FnMut(Cells) -> Result<(), PatternError>) -> Result<(), PatternError> {
        match self {
            Self::Whole(board) => (&board.cells).each(take),
            Self::Coming(_, pieces) => pieces.each(take),
        }
    }
}

impl From<Stopped> for super::job::Work {
    fn from(_: Stopped) -> Self {
        Self::Failed("stopped before the end".to_owned())
    }
}
