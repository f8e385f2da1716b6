//! The bytes of one block, of any size: small ones flat, large ones as pages that exist only where something was written.

use rustc_hash::FxHashMap;

use super::page::{Fill, Lost, Page, join};
use super::value::Provenance;

/// Blocks up to this size are one page; larger ones are cut into pages of this size.
pub(super) const PAGE_BYTES: u64 = 4096;

/// Pages that one operation on part of a block may touch (4 GiB): beyond it the run is given up.
const MAX_PAGES: u64 = 1 << 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Flat(Page),
    Paged(Box<Paged>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Paged {
    size: u64,
    /// What pages not in the map hold.
    rest: Fill,
    pages: FxHashMap<u64, Piece>,
}

/// A page, or part of one on its way to another place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    Uniform(Fill),
    Bytes(Page),
}

/// The operation would need more pages than [`MAX_PAGES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

impl Content {
    pub fn new(size: u64, fill: Fill) -> Self {
        if size <= PAGE_BYTES {
            Content::Flat(Page::new(size as usize, fill))
        } else {
            Content::Paged(Box::new(Paged { size, rest: fill, pages: FxHashMap::default() }))
        }
    }

    /// Bytes that are kept.
    pub fn bytes(&self) -> u64 {
        match self {
            Content::Flat(page) => page.len() as u64,
            Content::Paged(paged) => paged.pages.len() as u64 * PAGE_BYTES,
        }
    }

    /// Little-endian value of `len <= 16` bytes and their provenance; `None` where a byte has no value yet.
    pub fn read(&self, offset: u64, len: usize) -> Option<(u128, Provenance)> {
        if len <= 8 {
            return self.read_word(offset, len).map(|(bits, provenance)| (bits.into(), provenance));
        }
        match self {
            Content::Flat(page) => page.read(offset as usize, len),
            Content::Paged(paged) => {
                let (index, at) = split(offset);
                if at + len <= PAGE_BYTES as usize {
                    return paged.read(index, at, len);
                }
                let here = PAGE_BYTES as usize - at;
                let (low, from) = paged.read(index, at, here)?;
                let (high, other) = paged.read(index + 1, 0, len - here)?;
                Some((low | high << (here * 8), join(from, other)))
            }
        }
    }

    /// [`Self::read`] of at most eight bytes.
    #[inline(always)]
    pub fn read_word(&self, offset: u64, len: usize) -> Option<(u64, Provenance)> {
        match self {
            Content::Flat(page) => page.read_word(offset as usize, len),
            Content::Paged(paged) => {
                let (index, at) = split(offset);
                if at + len <= PAGE_BYTES as usize {
                    return paged.read_word(index, at, len);
                }
                let here = PAGE_BYTES as usize - at;
                let (low, from) = paged.read_word(index, at, here)?;
                let (high, other) = paged.read_word(index + 1, 0, len - here)?;
                Some((low | high << (here * 8), join(from, other)))
            }
        }
    }

    pub fn write(&mut self, offset: u64, len: usize, value: u128, provenance: Provenance, lost: Lost) {
        match self {
            Content::Flat(page) => page.write(offset as usize, len, value, provenance, lost),
            Content::Paged(paged) => {
                let (index, at) = split(offset);
                let here = len.min(PAGE_BYTES as usize - at);
                paged.page_mut(index).write(at, here, value, provenance, lost);
                if here < len {
                    paged.page_mut(index + 1).write(0, len - here, value >> (here * 8), provenance, lost);
                }
            }
        }
    }

    /// Offsets in `offset..offset + len` of bytes that have no value yet.
    pub fn unknown(&self, offset: u64, len: usize) -> Vec<u64> {
        (offset..offset + len as u64).filter(|at| self.read(*at, 1).is_none()).collect()
    }

    /// Gives a byte without a value its value.
    pub fn settle(&mut self, offset: u64, byte: u8) {
        match self {
            Content::Flat(page) => page.settle(offset as usize, byte),
            Content::Paged(paged) => {
                let (index, at) = split(offset);
                paged.page_mut(index).settle(at, byte);
            }
        }
    }

    pub fn fill(&mut self, offset: u64, len: u64, fill: Fill, lost: Lost) -> Result<(), TooLarge> {
        match self {
            Content::Flat(page) => page.fill(offset as usize, (offset + len) as usize, fill, lost),
            Content::Paged(paged) if offset == 0 && len == paged.size => {
                paged.for_each_pointer(&mut |provenance| {
                    if let Provenance::Block(block) = provenance {
                        lost(block);
                    }
                });
                paged.pages.clear();
                paged.rest = fill;
            }
            Content::Paged(paged) => {
                for (index, from, to) in pages(offset, len)? {
                    paged.put(index, from, to, &Piece::Uniform(fill), lost);
                }
            }
        }
        Ok(())
    }

    /// The pieces that `offset..offset + len` consists of, each with its length, none crossing a page of a destination
    /// that starts at `target`.
    pub fn cut(&self, offset: u64, len: u64, target: u64) -> Result<Vec<(u64, Piece)>, TooLarge> {
        let mut pieces = Vec::new();
        let mut done = 0;
        while done < len {
            if pieces.len() as u64 > 2 * MAX_PAGES {
                return Err(TooLarge);
            }
            let to_border = |at: u64| PAGE_BYTES - at % PAGE_BYTES;
            let step = (len - done).min(to_border(offset + done)).min(to_border(target + done));
            let at = offset + done;
            pieces.push((
                step,
                match self {
                    Content::Flat(page) => Piece::Bytes(page.extract(at as usize, (at + step) as usize)),
                    Content::Paged(paged) => paged.piece(at, step),
                },
            ));
            done += step;
        }
        Ok(pieces)
    }

    /// Overwrites from `offset` on with what [`Content::cut`] returned for this target.
    pub fn paste(&mut self, offset: u64, pieces: &[(u64, Piece)], lost: Lost) {
        let mut at = offset;
        for (len, piece) in pieces {
            match self {
                Content::Flat(page) => put(page, at as usize, (at + len) as usize, piece, lost),
                Content::Paged(paged) => {
                    let (index, from) = split(at);
                    paged.put(index, from, from + *len as usize, piece, lost);
                }
            }
            at += len;
        }
    }

    /// Calls `visit` with the provenance of everything in the block that carries one.
    pub fn for_each_pointer(&self, visit: &mut dyn FnMut(Provenance)) {
        match self {
            Content::Flat(page) => page.spans().iter().for_each(|s| visit(s.provenance)),
            Content::Paged(paged) => paged.for_each_pointer(visit),
        }
    }

    /// Calls `visit` with all bytes that are kept, page by page, and where they are.
    pub fn for_each_part(&self, visit: &mut dyn FnMut(u64, &Page)) {
        match self {
            Content::Flat(page) => visit(0, page),
            Content::Paged(paged) => {
                let mut indices: Vec<u64> = paged.pages.keys().copied().collect();
                indices.sort_unstable();
                for index in indices {
                    match paged.pages.get(&index) {
                        Some(Piece::Bytes(page)) => visit(index * PAGE_BYTES, page),
                        Some(Piece::Uniform(fill)) => visit(index * PAGE_BYTES, &Page::new(1, *fill)),
                        None => {}
                    }
                }
            }
        }
    }

    /// Calls `visit` with each value of `width` bytes all of which carry the same provenance.
    pub fn for_each_whole_pointer(&self, width: u32, visit: &mut dyn FnMut(u64, Provenance)) {
        let width = u64::from(width);
        let size = match self {
            Content::Flat(page) => page.len() as u64,
            Content::Paged(paged) => paged.size,
        };
        let mut check = |base: u64, page: &Page| {
            for span in page.spans() {
                let last = u64::from(span.start).max(u64::from(span.end).saturating_sub(width));
                for at in u64::from(span.start)..=last {
                    let at = base + at;
                    if size < width || at > size - width {
                        break;
                    }
                    // Beyond the span: several spans side by side may make one pointer.
                    let inside = at + width <= base + u64::from(span.end);
                    let is_whole =
                        || (at..at + width).all(|b| self.read(b, 1).is_some_and(|(_, p)| p == span.provenance));
                    if (inside || is_whole())
                        && let Some((value, _)) = self.read(at, width as usize)
                    {
                        visit(value as u64, span.provenance);
                    }
                }
            }
        };
        match self {
            Content::Flat(page) => check(0, page),
            Content::Paged(paged) => {
                for (index, piece) in &paged.pages {
                    if let Piece::Bytes(page) = piece {
                        check(index * PAGE_BYTES, page);
                    }
                }
            }
        }
    }
}

impl Paged {
    fn read(&self, index: u64, at: usize, len: usize) -> Option<(u128, Provenance)> {
        let fill = match self.pages.get(&index) {
            Some(Piece::Bytes(page)) => return page.read(at, len),
            Some(Piece::Uniform(fill)) => *fill,
            None => self.rest,
        };
        match fill {
            Fill::Unknown => None,
            Fill::Byte(byte) => {
                let mut bytes = [0; 16];
                bytes[..len].fill(byte);
                Some((u128::from_le_bytes(bytes), Provenance::None))
            }
        }
    }

    /// [`Self::read`] of at most eight bytes.
    fn read_word(&self, index: u64, at: usize, len: usize) -> Option<(u64, Provenance)> {
        match self.pages.get(&index) {
            Some(Piece::Bytes(page)) => page.read_word(at, len),
            _ => self.read(index, at, len).map(|(bits, provenance)| (bits as u64, provenance)),
        }
    }

    fn page_len(&self, index: u64) -> usize {
        (self.size - index * PAGE_BYTES).min(PAGE_BYTES) as usize
    }

    fn page_mut(&mut self, index: u64) -> &mut Page {
        let len = self.page_len(index);
        let slot = self.pages.entry(index).or_insert(Piece::Uniform(self.rest));
        if let Piece::Uniform(fill) = *slot {
            *slot = Piece::Bytes(Page::new(len, fill));
        }
        match slot {
            Piece::Bytes(page) => page,
            Piece::Uniform(_) => unreachable!("made dense above"),
        }
    }

    fn put(&mut self, index: u64, from: usize, to: usize, piece: &Piece, lost: Lost) {
        if let Piece::Uniform(fill) = piece
            && from == 0
            && to == self.page_len(index)
        {
            if let Some(Piece::Bytes(old)) = self.pages.insert(index, Piece::Uniform(*fill)) {
                let len = old.len();
                let mut old = old;
                old.fill(0, len, *fill, lost);
            }
            return;
        }
        put(self.page_mut(index), from, to, piece, lost);
    }

    /// `at..at + len`, which lies inside one page.
    fn piece(&self, at: u64, len: u64) -> Piece {
        let (index, from) = split(at);
        match self.pages.get(&index) {
            Some(Piece::Bytes(page)) => Piece::Bytes(page.extract(from, from + len as usize)),
            Some(Piece::Uniform(fill)) => Piece::Uniform(*fill),
            None => Piece::Uniform(self.rest),
        }
    }

    fn for_each_pointer(&self, visit: &mut dyn FnMut(Provenance)) {
        for piece in self.pages.values() {
            if let Piece::Bytes(page) = piece {
                page.spans().iter().for_each(|s| visit(s.provenance));
            }
        }
    }
}

fn put(page: &mut Page, from: usize, to: usize, piece: &Piece, lost: Lost) {
    match piece {
        Piece::Uniform(fill) => page.fill(from, to, *fill, lost),
        Piece::Bytes(part) => page.insert(from, part, lost),
    }
}

/// Page number and offset in the page.
fn split(offset: u64) -> (u64, usize) {
    (offset / PAGE_BYTES, (offset % PAGE_BYTES) as usize)
}

/// The pages that `offset..offset + len` covers, each with the part of it.
fn pages(offset: u64, len: u64) -> Result<impl Iterator<Item = (u64, usize, usize)>, TooLarge> {
    let end = offset + len;
    let (first, last) = (offset / PAGE_BYTES, end.div_ceil(PAGE_BYTES));
    if last - first > MAX_PAGES {
        return Err(TooLarge);
    }
    Ok((first..last).map(move |index| {
        let base = index * PAGE_BYTES;
        (index, (offset.max(base) - base) as usize, (end.min(base + PAGE_BYTES) - base) as usize)
    }))
}
