//! Which columns of which pages differ from what the display was sent.

/// Pages of 8 rows each.
pub const PAGES: u8 = 8;
/// Columns.
pub const WIDTH: u8 = 128;
/// The two sides' halves are kept apart, so that a change on both does not send what stands between.
const HALF: u8 = WIDTH / 2;

/// Columns of one page, from the first to before the second; none where the second is not larger.
type Columns = (u8, u8);

const NONE: Columns = (WIDTH, 0);

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug)]
pub struct Area {
    /// First column.
    pub x: u8,
    /// First row.
    pub y: u8,
    /// Columns; 0 is nowhere.
    pub w: u8,
    /// Rows; 0 is nowhere.
    pub h: u8,
}

impl Area {
    /// Whether the two have a pixel in common.
    pub const fn meets(&self, other: &Self) -> bool {
        self.x < other.x + other.w
            && other.x < self.x + self.w
            && self.y < other.y + other.h
            && other.y < self.y + self.h
    }
}

/// What is to be sent: one run of columns for each page and half.
#[derive(Clone, Debug)]
pub struct Stale([[Columns; 2]; PAGES as usize]);

impl Stale {
    /// The whole picture.
    pub const fn all() -> Self {
        Self([[(0, HALF), (HALF, WIDTH)]; PAGES as usize])
    }

    /// Marks the whole of `page`.
    pub fn mark_page(&mut self, page: u8) {
        self.mark(Area { x: 0, y: page * 8, w: WIDTH, h: 8 });
    }

    /// Marks all that `area` touches.
    pub fn mark(&mut self, area: Area) {
        if area.w == 0 || area.h == 0 {
            return;
        }
        let (first, last) = (area.y / 8, (area.y + area.h - 1) / 8);
        let end = area.x + area.w;
        for page in self.0.iter_mut().take(usize::from(last) + 1).skip(usize::from(first)) {
            for (columns, (from, to)) in page.iter_mut().zip([(0, HALF), (HALF, WIDTH)]) {
                let (from, to) = (area.x.max(from), end.min(to));
                if from < to {
                    *columns = (columns.0.min(from), columns.1.max(to));
                }
            }
        }
    }

    /// Whether anything is to be sent.
    pub fn any(&self) -> bool {
        self.0.iter().flatten().any(|(from, to)| from < to)
    }

    /// A page and its first stale columns, `widest` at most.
    pub fn first(&self, widest: u8) -> Option<(u8, u8, u8)> {
        (0..PAGES).zip(&self.0).find_map(|(page, halves)| {
            let (from, to) = *halves.iter().find(|(from, to)| from < to)?;
            Some((page, from, to.min(from + widest)))
        })
    }

    /// The first stale columns of `page` up to before `to` were sent.
    pub fn sent(&mut self, page: u8, to: u8) {
        let halves = self.0.get_mut(usize::from(page)).into_iter().flatten();
        for columns in halves {
            if columns.0 < to {
                *columns = if to < columns.1 { (to, columns.1) } else { NONE };
                return;
            }
        }
    }
}
