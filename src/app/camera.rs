//! Which part of the plane the window shows: zoom to the cursor, pan, fit, all with a smooth course.
//!
//! Pixels are physical pixels of the window, counted from the top-left corner of the viewport.

use crate::coords::{Coords, Rect};

/// Largest zoom, pixels per cell and point of scale.
const MAX_ZOOM_PX_PER_CELL: f64 = 64.0;
/// Smallest zoom: a board of a million cells on a small screen.
const MIN_ZOOM_PX_PER_CELL: f64 = 1.0 / 1024.0;
/// Seconds in which a zoom covers most of its way.
const GLIDE_SECS: f64 = 0.09;

/// A place on the plane between cells: cell (x, y) covers x … x + 1, y … y + 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Point {
    pub(crate) x: f64,
    pub(crate) y: f64,
}

/// The present view and where it is going.
#[derive(Clone, Debug)]
pub(crate) struct Camera {
    /// The point of the plane in the middle of the viewport.
    centre: Point,
    zoom_px_per_cell: f64,
    /// The zoom that is glided to, and the pixel whose point stays in place meanwhile.
    target_zoom: f64,
    anchor_px: (f64, f64),
    viewport_px: (f64, f64),
    scale: f64,
}

impl Camera {
    pub(crate) const fn new() -> Self {
        Self {
            centre: Point { x: 0.0, y: 0.0 },
            zoom_px_per_cell: 8.0,
            target_zoom: 8.0,
            anchor_px: (0.0, 0.0),
            viewport_px: (1.0, 1.0),
            scale: 1.0,
        }
    }

    /// Tells the size of the viewport in pixels, and pixels per point.
    pub(crate) fn set_viewport(&mut self, width: f64, height: f64, scale: f64) {
        self.viewport_px = (width.max(1.0), height.max(1.0));
        self.scale = scale;
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
        let point = self.point_at(pixel);
        Coords::new(floor(point.x), floor(point.y))
    }

    /// The cells of which something is seen.
    pub(crate) fn visible(&self) -> Rect {
        let end = (self.viewport_px.0 - 1e-6, self.viewport_px.1 - 1e-6);
        Rect::between(self.cell_at((0.0, 0.0)), self.cell_at(end))
    }

    /// Moves the plane along with the mouse, by pixels.
    pub(crate) fn pan(&mut self, dx: f64, dy: f64) {
        self.centre.x -= dx / self.zoom_px_per_cell;
        self.centre.y -= dy / self.zoom_px_per_cell;
    }

    /// Zooms by `factor` towards a pixel.
    pub(crate) fn zoom_at(&mut self, pixel: (f64, f64), factor: f64) {
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
        let (width, height) = (area.width.max(1) as f64, area.height.max(1) as f64);
        let zoom = (self.viewport_px.0 / width).min(self.viewport_px.1 / height) * 0.94;
        let zoom = zoom.clamp(MIN_ZOOM_PX_PER_CELL, most * self.scale);
        // Whole pixels a cell look best, as long as the board still fills the window well.
        let zoom = if zoom >= 3.0 { zoom.floor() } else { zoom };
        self.jump(Point { x: area.x as f64 + width / 2.0, y: area.y as f64 + height / 2.0 }, zoom);
    }

    fn jump(&mut self, centre: Point, zoom: f64) {
        self.centre = centre;
        self.zoom_px_per_cell = zoom;
        self.target_zoom = zoom;
    }

    /// Glides on for `secs` seconds; whether it is still on its way.
    pub(crate) fn glide(&mut self, secs: f64) -> bool {
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

fn floor(value: f64) -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "saturates far beyond all boards")]
    let cell = value.floor() as i64;
    cell
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
            let mut camera = camera();
            camera.fit(area, 32.0);
            assert!(camera.visible().contains_rect(area), "{area:?} in {:?}", camera.visible());
        }
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
}
