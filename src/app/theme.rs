//! How the window looks: colours, spacing on a grid of eight points, two text sizes.

use egui::{Color32, CornerRadius, FontFamily, FontId, Margin, Stroke, Style, TextStyle, Vec2, Visuals};

use crate::palette::Rgb;

/// Text of controls and values, points.
pub(crate) const TEXT: f32 = 14.0;
/// Text of labels and remarks, points.
pub(crate) const SMALL: f32 = 12.0;
/// Width of the panel, points.
pub(crate) const PANEL_WIDTH: f32 = 304.0;
/// Height of buttons and fields, points.
pub(crate) const CONTROL: f32 = 32.0;
/// Height of sliders and headings, points.
pub(crate) const LOW: f32 = 24.0;

/// The colours of the surroundings of the board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Theme {
    pub(crate) dark: bool,
    pub(crate) panel: Color32,
    pub(crate) bar: Color32,
    pub(crate) raised: Color32,
    pub(crate) hovered: Color32,
    pub(crate) line: Color32,
    pub(crate) text: Color32,
    pub(crate) weak: Color32,
    /// For what can be pressed or is chosen.
    pub(crate) accent: Color32,
    pub(crate) on_accent: Color32,
    pub(crate) good: Color32,
    pub(crate) bad: Color32,
}

impl Theme {
    pub(crate) const fn new(dark: bool) -> Self {
        if dark {
            Self {
                dark,
                panel: Color32::from_rgb(0x12, 0x16, 0x1B),
                bar: Color32::from_rgb(0x0F, 0x13, 0x17),
                raised: Color32::from_rgb(0x1E, 0x25, 0x2D),
                hovered: Color32::from_rgb(0x2A, 0x33, 0x3E),
                line: Color32::from_rgb(0x25, 0x2D, 0x36),
                text: Color32::from_rgb(0xDD, 0xE4, 0xEC),
                weak: Color32::from_rgb(0x93, 0xA1, 0xB0),
                accent: Color32::from_rgb(0xA3, 0x96, 0xFF),
                on_accent: Color32::from_rgb(0x14, 0x10, 0x2E),
                good: Color32::from_rgb(0x5F, 0xD0, 0x8B),
                bad: Color32::from_rgb(0xFF, 0x7B, 0x72),
            }
        } else {
            Self {
                dark,
                panel: Color32::from_rgb(0xFF, 0xFF, 0xFF),
                bar: Color32::from_rgb(0xFA, 0xF9, 0xF7),
                raised: Color32::from_rgb(0xEE, 0xEC, 0xE7),
                hovered: Color32::from_rgb(0xE2, 0xDF, 0xD8),
                line: Color32::from_rgb(0xDD, 0xD9, 0xD1),
                text: Color32::from_rgb(0x1E, 0x25, 0x2D),
                weak: Color32::from_rgb(0x5C, 0x67, 0x73),
                accent: Color32::from_rgb(0x5B, 0x47, 0xD6),
                on_accent: Color32::WHITE,
                good: Color32::from_rgb(0x1B, 0x7F, 0x45),
                bad: Color32::from_rgb(0xC0, 0x2B, 0x26),
            }
        }
    }

    /// Sets fonts and style of a context.
    pub(crate) fn apply(&self, ctx: &egui::Context) {
        ctx.set_theme(if self.dark { egui::Theme::Dark } else { egui::Theme::Light });
        let theme = *self;
        ctx.all_styles_mut(move |style| theme.style(style));
    }

    fn style(&self, style: &mut Style) {
        style.text_styles = [
            (TextStyle::Heading, FontId::new(TEXT, FontFamily::Proportional)),
            (TextStyle::Body, FontId::new(TEXT, FontFamily::Proportional)),
            (TextStyle::Button, FontId::new(TEXT, FontFamily::Proportional)),
            (TextStyle::Small, FontId::new(SMALL, FontFamily::Proportional)),
            (TextStyle::Monospace, FontId::new(TEXT - 1.0, FontFamily::Monospace)),
        ]
        .into();
        style.spacing.item_spacing = Vec2::new(8.0, 8.0);
        style.spacing.button_padding = Vec2::new(8.0, 4.0);
        style.spacing.interact_size = Vec2::new(40.0, CONTROL);
        style.spacing.window_margin = Margin::same(16);
        style.spacing.menu_margin = Margin::same(8);
        style.spacing.slider_width = 120.0;
        style.spacing.scroll = egui::style::ScrollStyle::thin();
        style.interaction.selectable_labels = false;
        style.interaction.tooltip_delay = 0.35;

        let mut visuals = if self.dark { Visuals::dark() } else { Visuals::light() };
        visuals.override_text_color = Some(self.text);
        visuals.weak_text_color = Some(self.weak);
        visuals.panel_fill = self.panel;
        visuals.window_fill = self.panel;
        visuals.window_stroke = Stroke::new(1.0, self.line);
        visuals.window_corner_radius = CornerRadius::same(10);
        visuals.menu_corner_radius = CornerRadius::same(8);
        visuals.extreme_bg_color = self.bar;
        visuals.text_edit_bg_color = Some(self.raised);
        visuals.faint_bg_color = self.raised;
        visuals.hyperlink_color = self.accent;
        visuals.selection.bg_fill = self.accent.gamma_multiply(0.35);
        visuals.selection.stroke = Stroke::new(1.0, self.accent);
        visuals.slider_trailing_fill = true;
        visuals.handle_shape = egui::style::HandleShape::Circle;
        visuals.error_fg_color = self.bad;
        let radius = CornerRadius::same(6);
        let widgets = &mut visuals.widgets;
        for (widget, fill, line) in [
            (&mut widgets.noninteractive, self.panel, self.line),
            (&mut widgets.inactive, self.raised, Color32::TRANSPARENT),
            (&mut widgets.hovered, self.hovered, self.hovered),
            (&mut widgets.active, self.hovered, self.accent),
            (&mut widgets.open, self.hovered, self.line),
        ] {
            widget.bg_fill = fill;
            widget.weak_bg_fill = fill;
            widget.bg_stroke = Stroke::new(1.0, line);
            widget.fg_stroke = Stroke::new(1.5, self.text);
            widget.corner_radius = radius;
            widget.expansion = 0.0;
        }
        style.visuals = visuals;
    }
}

/// A colour of the palette.
pub(crate) const fn rgb(Rgb([r, g, b]): Rgb) -> Color32 {
    Color32::from_rgb(r, g, b)
}
