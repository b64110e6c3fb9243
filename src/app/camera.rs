//! Which part of the plane the window shows: zoom to the cursor, pan, fit, all with a smooth course.
//!
//! Pixels are physical pixels of the window, counted from the top-left corner of the viewport. The plane is the drawn
//! one: its unit, called a cell here, is the pitch of cells in a row, and where cells lie on it the lattice says.

use crate::coords::{Coords, Rect};
use crate::lattice::{Lattice, Point};

/// Largest zoom, pixels per cell and point of scale.
const MAX_ZOOM_PX_PER_CELL: f64 = 64.0;
/// Smallest zoom: all coordinates on a small screen.
const MIN_ZOOM_PX_PER_CELL: f64 = 1.0 / 4_194_304.0;
/// Seconds in which a zoom covers most of its way.
const GLIDE_SECS: f64 = 0.09;
/// The same when the view goes with the life on the board.
const FOLLOW_SECS: f64 = 0.3;
/// How much more than the life is shown then, along each side.
const FOLLOW_ROOM: f64 = 1.5;
/// How much closer the view would have to be before it comes closer.
const FOLLOW_CLOSER: f64 = 2.5;

/// The present view and where it is going.
#[derive(Clone, Debug)]
pub(crate) struct Camera {
    lattice: Lattice,
    /// The point of the plane in the middle of the viewport.
    centre: Point,
    zoom_px_per_cell: f64,
    /// The zoom that is glided to, and the pixel whose point stays in place meanwhile.
    target_zoom: f64,
    anchor_px: (f64, f64),
    /// Where the view glides as a whole: its middle and its zoom.
    aim: Option<(Point, f64)>,
    viewport_px: (f64, f64),
    scale: f64,
}

impl Camera {
    pub(crate) const fn new() -> Self {
        Self {
            lattice: Lattice::Square,
            centre: Point::new(0.0, 0.0),
            zoom_px_per_cell: 8.0,
            target_zoom: 8.0,
            anchor_px: (0.0, 0.0),
            aim: None,
            viewport_px: (1.0, 1.0),
            scale: 1.0,
        }
    }

    /// Tells the size of the viewport in pixels, and pixels per point.
    pub(crate) fn set_viewport(&mut self, width: f64, height: f64, scale: f64) {
        self.viewport_px = (width.max(1.0), height.max(1.0));
        self.scale = scale;
    }

    /// How cells are shaped and where they lie; the cell in the middle stays there.
    pub(crate) fn set_lattice(&mut self, lattice: Lattice) {
        if lattice != self.lattice {
            self.centre = lattice.centre_of(self.lattice.cell_at(self.centre));
            self.lattice = lattice;
        }
    }

    pub(crate) const fn lattice(&self) -> Lattice {
        self.lattice
    }

    pub(crate) const fn zoom_px_per_cell(&self) -> f64 {
        self.zoom_px_per_cell
    }

    pub(crate) const fn viewport_px(&self) -> (f64, f64) {
        self.viewport_px
    }

    /// The point of the plane at a pixel.
    pub(crate) fn point_at(&self, (x, y): (f64, f64)) -> Point {
        Point {
            x: self.centre.x + (x - self.viewport_px.0 / 2.0) / self.zoom_px_per_cell,
            y: self.centre.y + (y - self.viewport_px.1 / 2.0) / self.zoom_px_per_cell,
        }
    }

    /// The cell at a pixel.
    pub(crate) fn cell_at(&self, pixel: (f64, f64)) -> Coords {
        self.lattice.cell_at(self.point_at(pixel))
    }

    /// The cells along a line between two pixels.
    pub(crate) fn cells_along(&self, from: (f64, f64), to: (f64, f64)) -> Vec<Coords> {
        self.lattice.cells_along(self.point_at(from), self.point_at(to))
    }

    /// A rectangle with all cells of which something is seen.
    pub(crate) fn visible(&self) -> Rect {
        let end = (self.viewport_px.0 - 1e-6, self.viewport_px.1 - 1e-6);
        self.lattice.cells_within(self.point_at((0.0, 0.0)), self.point_at(end))
    }

    /// Moves the plane along with the mouse, by pixels.
    pub(crate) fn pan(&mut self, dx: f64, dy: f64) {
        self.stop();
        self.centre.x -= dx / self.zoom_px_per_cell;
        self.centre.y -= dy / self.zoom_px_per_cell;
    }

    /// Zooms by `factor` towards a pixel.
    pub(crate) fn zoom_at(&mut self, pixel: (f64, f64), factor: f64) {
        self.stop();
        self.target_zoom =
            (self.target_zoom * factor).clamp(MIN_ZOOM_PX_PER_CELL, MAX_ZOOM_PX_PER_CELL * self.scale);
        self.anchor_px = pixel;
    }

    /// Zooms by `factor` towards the middle.
    pub(crate) fn zoom(&mut self, factor: f64) {
        self.zoom_at((self.viewport_px.0 / 2.0, self.viewport_px.1 / 2.0), factor);
    }

    /// Shows all of `area` at once, with a little room around, no closer than `most` pixels per cell and point.
    pub(crate) fn fit(&mut self, area: Rect, most: f64) {
        let (centre, zoom) = self.place_of(area, most, 1.0 / 0.94);
        // Whole pixels a cell look best, as long as the board still fills the window well.
        let zoom = if zoom >= 3.0 { zoom.floor() } else { zoom };
        self.jump(centre, zoom);
    }

    /// The middle and the zoom that show all of `area`, and `room` times as much along each side.
    fn place_of(&self, area: Rect, most: f64, room: f64) -> (Point, f64) {
        let (low, high) =
            self.lattice.bounds_of(Rect::new(area.x, area.y, area.width.max(1), area.height.max(1)));
        let (width, height) = (high.x - low.x, high.y - low.y);
        let zoom = (self.viewport_px.0 / width).min(self.viewport_px.1 / height) / room;
        let zoom = zoom.clamp(MIN_ZOOM_PX_PER_CELL, most * self.scale);
        (Point::new(low.x + width / 2.0, low.y + height / 2.0), zoom)
    }

    /// Sets out to show all of `area` where the view does not, or is not about to; or where it is far too small in it.
    pub(crate) fn follow(&mut self, area: Rect, most: f64) {
        let (centre, zoom) = self.aim.unwrap_or((self.centre, self.zoom_px_per_cell));
        let (low, high) = self.lattice.bounds_of(area);
        let half = (self.viewport_px.0 / 2.0 / zoom, self.viewport_px.1 / 2.0 / zoom);
        let inside = low.x >= centre.x - half.0
            && low.y >= centre.y - half.1
            && high.x <= centre.x + half.0
            && high.y <= centre.y + half.1;
        let place = self.place_of(area, most, FOLLOW_ROOM);
        if !inside || place.1 > zoom * FOLLOW_CLOSER {
            self.aim = Some(place);
        }
    }

    /// Lets the view stay where it has glided to.
    fn stop(&mut self) {
        if self.aim.take().is_some() {
            self.target_zoom = self.zoom_px_per_cell;
        }
    }

    /// The middle of the view and its zoom.
    pub(crate) const fn place(&self) -> (Point, f64) {
        (self.centre, self.zoom_px_per_cell)
    }

    /// Shows `centre` in the middle, at once.
    pub(crate) fn jump(&mut self, centre: Point, zoom_px_per_cell: f64) {
        self.aim = None;
        self.centre = centre;
        self.zoom_px_per_cell = zoom_px_per_cell;
        self.target_zoom = zoom_px_per_cell;
    }

    /// Glides on for `secs` seconds; whether it is still on its way.
    pub(crate) fn glide(&mut self, secs: f64) -> bool {
        if let Some((centre, zoom)) = self.aim {
            let share = 1.0 - (-secs / FOLLOW_SECS).exp();
            let way = (centre.x - self.centre.x, centre.y - self.centre.y);
            self.zoom_px_per_cell *= (zoom / self.zoom_px_per_cell).powf(share);
            self.centre = Point::new(self.centre.x + way.0 * share, self.centre.y + way.1 * share);
            let px_left = way.0.abs().max(way.1.abs()) * zoom;
            if px_left < 0.5 && (zoom / self.zoom_px_per_cell).ln().abs() < 2e-3 {
                self.jump(centre, zoom);
            }
            return true;
        }
        let ratio = self.target_zoom / self.zoom_px_per_cell;
        if (ratio - 1.0).abs() < 1e-9 {
            return false;
        }
        let held = self.point_at(self.anchor_px);
        let share = 1.0 - (-secs / GLIDE_SECS).exp();
        self.zoom_px_per_cell *= ratio.powf(share);
        if (self.target_zoom / self.zoom_px_per_cell).ln().abs() < 2e-3 {
            self.zoom_px_per_cell = self.target_zoom;
        }
        let now = self.point_at(self.anchor_px);
        self.centre.x += held.x - now.x;
        self.centre.y += held.y - now.y;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn camera() -> Camera {
        let mut camera = Camera::new();
        camera.set_viewport(800.0, 600.0, 1.0);
        camera
    }

    #[test]
    fn zooming_keeps_the_point_below_the_cursor() {
        let mut camera = camera();
        let cursor = (123.0, 456.0);
        let held = camera.point_at(cursor);
        camera.zoom_at(cursor, 5.0);
        while camera.glide(0.016) {}
        let now = camera.point_at(cursor);
        assert!((held.x - now.x).abs() < 1e-6 && (held.y - now.y).abs() < 1e-6, "{held:?} became {now:?}");
        assert!((camera.zoom_px_per_cell() - 40.0).abs() < 1e-9, "zoom {}", camera.zoom_px_per_cell());
    }

    #[test]
    fn fitting_shows_the_whole_board_from_tiny_to_huge() {
        for area in [Rect::new(0, 0, 65_536, 65_536), Rect::new(-5, 7, 1, 1), Rect::new(3, 3, 512, 320)] {
            for lattice in Lattice::ALL {
                let mut camera = camera();
                camera.set_lattice(lattice);
                camera.fit(area, 32.0);
                assert!(camera.visible().contains_rect(area), "{area:?} in {:?}", camera.visible());
                let (low, high) = lattice.bounds_of(area);
                let (from, to) = (camera.point_at((0.0, 0.0)), camera.point_at((800.0, 600.0)));
                let inside = from.x < low.x && from.y < low.y && to.x > high.x && to.y > high.y;
                assert!(inside, "{lattice:?} {area:?} as drawn, from {from:?} to {to:?}");
            }
        }
    }

    #[test]
    fn following_keeps_growing_life_in_view_without_jumps_and_rests_with_it() {
        let mut camera = camera();
        let mut area = Rect::new(-2, -2, 4, 4);
        camera.fit(area, 24.0);
        for step in 0..600 {
            if step < 300 {
                area = Rect::new(area.x - 1, area.y, area.width + 3, area.height + 2);
            }
            camera.follow(area, 24.0);
            let (before, zoom) = camera.place();
            camera.glide(1.0 / 60.0);
            let (after, zoom_after) = camera.place();
            let moved = (after.x - before.x).hypot(after.y - before.y) * zoom_after;
            assert!(moved < 60.0 && (zoom_after / zoom).ln().abs() < 0.2, "a jump of {moved} px at {step}");
        }
        assert!(camera.visible().contains_rect(area), "{area:?} in {:?}", camera.visible());
        let rests = camera.place();
        // What wobbles inside of the view does not move it.
        camera.follow(area.grown(-3), 24.0);
        assert!(!camera.glide(0.1) && camera.place() == rests, "it rests");
        // A small rest of the life is come closer to.
        camera.follow(Rect::new(area.x, area.y, 9, 9), 24.0);
        assert!(camera.glide(0.1), "it comes closer");
        camera.pan(1.0, 0.0);
        assert!(!camera.glide(0.1), "a hand ends it");
    }

    #[test]
    fn zoom_has_its_limits_and_pixels_and_cells_agree() {
        let mut camera = camera();
        for factor in [1e9, 1e-18] {
            camera.zoom(factor);
            while camera.glide(0.1) {}
            let zoom = camera.zoom_px_per_cell();
            assert!((MIN_ZOOM_PX_PER_CELL..=MAX_ZOOM_PX_PER_CELL).contains(&zoom), "zoom {zoom}");
        }
        let mut camera = self::camera();
        camera.pan(-16.0, 24.0);
        assert_eq!(
            camera.cell_at((401.0, 299.0)),
            Coords::new(2, -4),
            "two cells right of and three above the middle"
        );
    }

    #[test]
    fn another_lattice_keeps_the_cell_in_the_middle() {
        let mut camera = camera();
        camera.jump(Point::new(1000.3, -2000.6), 8.0);
        let held = camera.cell_at((400.0, 300.0));
        for lattice in [Lattice::Hexagonal, Lattice::Triangular, Lattice::Square] {
            camera.set_lattice(lattice);
            assert_eq!(camera.cell_at((400.0, 300.0)), held, "{lattice:?}");
        }
    }
}
