//! The panel at the left, in sections that fold: rule, board, patterns, view, statistics.

use egui::{CollapsingHeader, Frame, Key, Margin, Panel, RichText, ScrollArea, Ui};

use super::super::command::{Command, MOST_SLIDERS, SoupOrder, Tool};
use super::super::theme::{CONTROL, LOW, PANEL_WIDTH, SMALL, TEXT, Theme, rgb};
use super::View;
use super::matrix::matrix_ui;
use super::widgets::{
    LISTED_SPECIES, chip, chip_button, choice, columns, command_button, command_button_if, command_switch,
    dense, icon_button, label, listed_species, number, remark, species_name, text_field,
};
use crate::board::{Edges, MAX_SIDE, Topology};
use crate::cell::{DEAD, State};
use crate::engine::EngineKind;
use crate::pattern;
use crate::rule::named::NAMED;
use crate::rule::{Rule, library, parse};
use crate::session::EngineChoice;
use crate::text::grouped;

/// Largest side that the fields offer, cells.
const OFFERED_SIDE: i64 = 1 << 17;

/// Texts and numbers in the making, and what they were made from.
#[derive(Default)]
pub(crate) struct Drafts {
    rule: String,
    /// The rule that the drafts were taken from; when another one runs they are taken anew.
    from_rule: Option<Rule>,
    shape: Shape,
    width: i64,
    height: i64,
    soup: Option<SoupOrder>,
    /// The seed of the last soup that was seen to be made.
    from_seed: Option<u64>,
    search: String,
    matrix: super::matrix::Brush,
}

/// The kinds of topology that the panel offers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Shape {
    #[default]
    Torus,
    Plane,
    Unbounded,
    Klein,
    Cross,
    Sphere,
}

impl Shape {
    const ALL: [(Self, &'static str, &'static str); 6] = [
        (Self::Torus, "Torus", "Opposite edges touch"),
        (Self::Plane, "Bounded", "Beyond the edges all is dead"),
        (Self::Unbounded, "Unbounded", "A plane without end; the board grows with its life"),
        (Self::Klein, "Klein bottle", "Left and right touch the other way round; top and bottom plainly"),
        (Self::Cross, "Cross-surface", "Opposite edges touch the other way round"),
        (Self::Sphere, "Sphere", "A square: top and left touch, bottom and right touch"),
    ];
}

impl Drafts {
    /// Takes over what runs, if it is not what the drafts were made from.
    fn follow(&mut self, view: &View<'_>) {
        if self.from_rule.as_ref() != Some(view.rule) {
            view.rule.name().clone_into(&mut self.rule);
            self.from_rule = Some(view.rule.clone());
            let topology = view.rule.topology();
            self.shape = match topology {
                Topology::Unbounded => Shape::Unbounded,
                Topology::Plane { .. } => Shape::Plane,
                Topology::Torus { .. } | Topology::ShiftedTorus { .. } => Shape::Torus,
                Topology::KleinBottle { .. } => Shape::Klein,
                Topology::CrossSurface { .. } => Shape::Cross,
                Topology::Sphere { .. } => Shape::Sphere,
            };
            (self.width, self.height) = topology
                .bounds()
                .map_or((self.width.max(256), self.height.max(256)), |bounds| (bounds.width, bounds.height));
            self.soup = None;
        }
        let soup = self.soup.get_or_insert_with(|| view.soup.clone());
        soup.fit(view.rule);
        // The seed moves on when a soup was made by key, and only then: an earlier one may be typed.
        if self.from_seed != Some(view.soup.seed) {
            self.from_seed = Some(view.soup.seed);
            soup.seed = view.soup.seed;
        }
    }

    fn topology(&self) -> Topology {
        let (width, height) = (self.width.clamp(1, MAX_SIDE), self.height.clamp(1, MAX_SIDE));
        let wanted = match self.shape {
            Shape::Torus => Topology::Torus { width, height },
            Shape::Plane => Topology::Plane { width, height },
            Shape::Unbounded => Topology::Unbounded,
            Shape::Klein => Topology::KleinBottle { width, height, edges: Edges::LeftRight, shift: 0 },
            Shape::Cross => Topology::CrossSurface { width, height },
            Shape::Sphere => Topology::Sphere { side: width },
        };
        // Shifts and the other way to twist come from rule strings, and stay until shape or size is changed.
        match self.from_rule.as_ref().map(Rule::topology) {
            Some(running) if alike(running, wanted) => running,
            _ => wanted,
        }
    }
}

/// Whether two topologies have the same kind and size, shifts and twisted sides apart.
fn alike(one: Topology, other: Topology) -> bool {
    let plain = |topology| match topology {
        Topology::ShiftedTorus { width, height, .. } => Topology::Torus { width, height },
        Topology::KleinBottle { width, height, .. } => {
            Topology::KleinBottle { width, height, edges: Edges::LeftRight, shift: 0 }
        }
        other => other,
    };
    plain(one) == plain(other)
}

pub(super) fn panel_ui(
    ui: &mut Ui,
    view: &View<'_>,
    theme: &Theme,
    drafts: &mut Drafts,
    commands: &mut Vec<Command>,
) {
    drafts.follow(view);
    let frame =
        Frame::new().fill(theme.panel).inner_margin(Margin { left: 16, right: 8, top: 16, bottom: 8 });
    Panel::left("panel").resizable(false).exact_size(PANEL_WIDTH).frame(frame).show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.label(RichText::new("Biota").size(TEXT + 6.0).strong());
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                ui.add_space(8.0);
                icon_button(ui, Command::TogglePanel, commands);
                icon_button(ui, Command::ToggleHelp, commands);
                icon_button(ui, Command::ToggleTheme, commands);
            });
        });
        ui.add_space(4.0);
        ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.set_width(PANEL_WIDTH - 32.0);
            title_ui(ui, view, theme, commands);
            section(ui, "Rule", true, |ui| rule_ui(ui, view, theme, drafts, commands));
            section(ui, "Matrix", false, |ui| matrix_ui(ui, view, theme, &mut drafts.matrix, commands));
            section(ui, "Patterns", false, |ui| patterns_ui(ui, theme, drafts, commands));
            section(ui, "Board", true, |ui| board_ui(ui, view, theme, drafts, commands));
            section(ui, "Draw", true, |ui| draw_ui(ui, view, theme, commands));
            section(ui, "Statistics", true, |ui| statistics_ui(ui, view, theme));
            section(ui, "View", false, |ui| view_ui(ui, view, commands));
            section(ui, "Engine", false, |ui| engine_ui(ui, view, theme, commands));
            ui.add_space(16.0);
        });
    });
}

fn section(ui: &mut Ui, title: &str, open: bool, add: impl FnOnce(&mut Ui)) {
    ui.separator();
    ui.spacing_mut().interact_size.y = LOW;
    CollapsingHeader::new(RichText::new(title).size(TEXT).strong()).default_open(open).show_unindented(
        ui,
        |ui| {
            ui.spacing_mut().interact_size.y = CONTROL;
            add(ui);
        },
    );
    ui.spacing_mut().interact_size.y = CONTROL;
}

fn title_ui(ui: &mut Ui, view: &View<'_>, theme: &Theme, commands: &mut Vec<Command>) {
    ui.add(egui::Label::new(RichText::new(view.title).size(TEXT)).truncate()).on_hover_text(view.title);
    if !view.about.is_empty() {
        ui.add(egui::Label::new(RichText::new(view.about).size(SMALL).color(theme.weak)).wrap());
    }
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        command_button(ui, Command::ShowOpen, commands);
        command_button(ui, Command::ShowSave, commands);
        icon_button(ui, Command::ShowScreenshot, commands);
    });
}

fn rule_ui(ui: &mut Ui, view: &View<'_>, theme: &Theme, drafts: &mut Drafts, commands: &mut Vec<Command>) {
    let known = NAMED.iter().find(|named| named.rule == view.rule.name());
    let combo = egui::ComboBox::from_id_salt("named rules")
        .selected_text(known.map_or("A rule of your own", |named| named.name))
        .width(ui.available_width())
        .height(420.0)
        .show_ui(ui, |ui| {
            dense(ui);
            for named in NAMED {
                let chosen = known == Some(named);
                if ui.selectable_label(chosen, named.name).on_hover_text(named.about).clicked() {
                    commands.push(Command::SetRule(named.rule.to_owned()));
                }
            }
        });
    super::widgets::named(&combo.response, egui::Role::ComboBox, "Named rules");
    let field = ui.add(
        text_field(&mut drafts.rule)
            .desired_width(ui.available_width())
            .font(egui::TextStyle::Monospace)
            .hint_text("B3/S23"),
    );
    let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    if drafts.rule == view.rule.name() {
        if let Some(named) = known {
            remark(ui, theme.weak, named.about);
        }
        remark(ui, theme.weak, &kernel(view.rule));
        return;
    }
    if library::is_path(&drafts.rule) {
        // Opened when it is wanted, not at every letter: a rule file may take a while to read.
        remark(ui, theme.good, "A rule file: press Enter to open it");
        if entered {
            commands.push(Command::SetRule(drafts.rule.clone()));
        }
        return;
    }
    match parse(&drafts.rule) {
        Ok(rule) => {
            let shown = rule.to_string();
            remark(ui, theme.good, &format!("{shown}: press Enter to run it"));
            if entered {
                commands.push(Command::SetRule(drafts.rule.clone()));
            }
        }
        Err(error) => remark(ui, theme.bad, &error.one_line()),
    }
}

/// What runs the rule, and how large that is.
fn kernel(rule: &Rule) -> String {
    rule.kernel().map_or_else(|error| error.to_string(), |kernel| kernel.to_string())
}

fn board_ui(ui: &mut Ui, view: &View<'_>, theme: &Theme, drafts: &mut Drafts, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let chosen = Shape::ALL.iter().find(|(shape, ..)| *shape == drafts.shape);
        let combo = egui::ComboBox::from_id_salt("surface")
            .selected_text(chosen.map_or("", |(_, name, _)| name))
            .width(112.0)
            .truncate()
            .show_ui(ui, |ui| {
                dense(ui);
                for (shape, name, tooltip) in Shape::ALL {
                    ui.selectable_value(&mut drafts.shape, shape, name).on_hover_text(tooltip);
                }
            });
        let combo = combo.response.on_hover_text(chosen.map_or("", |(.., tooltip)| tooltip));
        super::widgets::named(&combo, egui::Role::ComboBox, "Surface");
        if drafts.shape != Shape::Unbounded {
            side(ui, &mut drafts.width, "Columns");
            if drafts.shape != Shape::Sphere {
                label(ui, theme, "×");
                side(ui, &mut drafts.height, "Rows");
            }
        }
    });
    let wanted = drafts.topology();
    let changed = drafts.from_rule.as_ref().is_some_and(|rule| rule.topology() != wanted);
    ui.horizontal(|ui| {
        if ui.add_enabled(changed, egui::Button::new("Apply")).clicked() {
            commands.push(Command::SetTopology(wanted));
        }
        command_button(ui, Command::Clear, commands);
        command_button_if(ui, view.can_undo, Command::Undo, commands);
    });
    ui.add_space(4.0);
    label(ui, theme, "Soup: cells at random");
    soup_ui(ui, view, theme, drafts, commands);
}

fn side(ui: &mut Ui, value: &mut i64, tooltip: &str) {
    let drag = egui::DragValue::new(value).range(1..=OFFERED_SIDE).speed(4.0);
    ui.add(drag).on_hover_text(format!("{tooltip}: drag, or click and type"));
}

fn soup_ui(ui: &mut Ui, view: &View<'_>, theme: &Theme, drafts: &mut Drafts, commands: &mut Vec<Command>) {
    let unbounded = view.rule.topology() == Topology::Unbounded;
    let Some(soup) = &mut drafts.soup else { return };
    let count = soup.densities.len();
    if count > MOST_SLIDERS {
        let whole: f64 = soup.densities.iter().sum();
        let mut percent = whole * 100.0;
        ui.spacing_mut().interact_size.y = LOW;
        let slider = egui::Slider::new(&mut percent, 0.0..=100.0).suffix(" %").fixed_decimals(0);
        let moved = ui.add(slider).on_hover_text("Density of all states together").changed();
        ui.spacing_mut().interact_size.y = CONTROL;
        if moved {
            let share = |density: f64| if whole > 0.0 { density / whole } else { 1.0 / count as f64 };
            soup.densities.iter_mut().for_each(|density| *density = share(*density) * percent / 100.0);
        }
    }
    ui.spacing_mut().interact_size.y = LOW;
    for index in 0..if count > MOST_SLIDERS { 0 } else { count } {
        let others: f64 =
            soup.densities.iter().enumerate().filter(|(i, _)| *i != index).map(|(_, d)| d).sum();
        let state = State::try_from(index + 1).unwrap_or(State::MAX);
        ui.horizontal(|ui| {
            chip(ui, rgb(view.rule.colour_on(view.dark, state)));
            let mut percent = soup.densities[index] * 100.0;
            let slider = egui::Slider::new(&mut percent, 0.0..=100.0).suffix(" %").fixed_decimals(0);
            if ui
                .add(slider)
                .on_hover_text(format!("Density of {}", species_name(view.rule, state).to_lowercase()))
                .changed()
            {
                soup.densities[index] = (percent / 100.0).min((1.0 - others).max(0.0));
            }
        });
    }
    ui.spacing_mut().interact_size.y = CONTROL;
    if unbounded {
        ui.horizontal(|ui| {
            side(ui, &mut soup.size.0, "Columns");
            label(ui, theme, "×");
            side(ui, &mut soup.size.1, "Rows");
            label(ui, theme, "cells");
        });
    }
    ui.horizontal(|ui| {
        label(ui, theme, "Seed");
        ui.add(egui::DragValue::new(&mut soup.seed).speed(1.0))
            .on_hover_text("The same seed gives the same soup and the same coins");
        if ui.button("Make").on_hover_text("Make the soup of this seed").clicked() {
            commands.push(Command::MakeSoup(soup.clone()));
        }
        if ui.button("Next").on_hover_text("Make the soup of the next seed (N)").clicked() {
            soup.seed = soup.seed.wrapping_add(1);
            commands.push(Command::MakeSoup(soup.clone()));
        }
    });
}

fn draw_ui(ui: &mut Ui, view: &View<'_>, theme: &Theme, commands: &mut Vec<Command>) {
    let states = view.rule.states();
    ui.horizontal_wrapped(|ui| {
        columns(ui);
        if choice(ui, view.tool == Tool::Pan, "Move").on_hover_text("Drag the board (Esc)").clicked() {
            commands.push(Command::SetTool(Tool::Pan));
        }
        for state in 0..states.min(10) {
            let state = State::try_from(state).expect("below 10");
            let tool = Tool::Draw(state);
            let (name, colour) = if state == DEAD {
                ("Erase".to_owned(), theme.line)
            } else {
                (species_name(view.rule, state), rgb(view.rule.colour_on(view.dark, state)))
            };
            let hint = format!("Draw with the left button: key {state}");
            if chip_button(ui, view.tool == tool, colour, &name).on_hover_text(hint).clicked() {
                commands.push(Command::SetTool(tool));
            }
        }
    });
    if states > 10 {
        // Buttons for 256 states would fill the panel.
        let last = State::try_from(states - 1).expect("at most 256 states");
        let chosen = if let Tool::Draw(state) = view.tool { state } else { 1 };
        ui.horizontal(|ui| {
            label(ui, theme, "State");
            let mut state = chosen;
            let field = ui.add(egui::DragValue::new(&mut state).range(DEAD..=last).speed(0.2));
            if field.on_hover_text("Draw with any state: drag, or click and type").changed() {
                commands.push(Command::SetTool(Tool::Draw(state)));
            }
            chip(ui, rgb(view.rule.colour_on(view.dark, chosen)));
            ui.add(egui::Label::new(species_name(view.rule, chosen)).truncate());
        });
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Room for the name of a species among the populations, points.
const NAME_WIDTH: f32 = 104.0;

fn statistics_ui(ui: &mut Ui, view: &View<'_>, theme: &Theme) {
    let populations = view.populations();
    let total: u64 = populations.iter().sum();
    let listed = listed_species(populations);
    egui::Grid::new("populations").num_columns(3).spacing([8.0, 0.0]).min_row_height(LOW).show(ui, |ui| {
        for &state in &listed {
            let population = populations[usize::from(state) - 1];
            let size = egui::vec2(NAME_WIDTH, LOW);
            ui.allocate_ui_with_layout(size, egui::Layout::left_to_right(egui::Align::Center), |ui| {
                ui.set_min_width(NAME_WIDTH);
                chip(ui, rgb(view.rule.colour_on(view.dark, state)));
                ui.add(egui::Label::new(species_name(view.rule, state)).truncate());
            });
            ui.label(number(format!("{:>11}", grouped(population))));
            let share = if total == 0 { 0.0 } else { 100.0 * population as f64 / total as f64 };
            ui.label(number(format!("{share:>5.1} %")).color(theme.weak));
            ui.end_row();
        }
    });
    let others =
        populations.iter().filter(|population| **population > 0).count().saturating_sub(listed.len());
    if populations.len() > LISTED_SPECIES && others > 0 {
        label(ui, theme, &format!("and {others} more; {} cells in all", grouped(total)));
    }
    egui_plot::Plot::new("history")
        .height(110.0)
        .width(ui.available_width())
        .show_grid(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .show_background(false)
        .set_margin_fraction(egui::vec2(0.01, 0.06))
        .include_y(0.0)
        .x_axis_formatter(|mark, _| short_number(mark.value))
        .y_axis_formatter(|mark, _| short_number(mark.value))
        .show(ui, |plot| {
            for &state in &listed {
                let line = usize::from(state) - 1;
                let points: Vec<[f64; 2]> = view
                    .history
                    .iter()
                    .map(|census| {
                        let population = census.populations.get(line).copied().unwrap_or(0);
                        [census.generation as f64, population as f64]
                    })
                    .collect();
                let colour = rgb(view.rule.colour_on(view.dark, state));
                plot.line(
                    egui_plot::Line::new(species_name(view.rule, state), points).color(colour).width(1.5),
                );
            }
        });
    label(ui, theme, "Population by generation");
}

/// `1.5M`, `20k`, `300`; nothing between whole numbers.
fn short_number(value: f64) -> String {
    let (scaled, unit) = match value.abs() {
        v if v >= 1e9 => (value / 1e9, "G"),
        v if v >= 1e6 => (value / 1e6, "M"),
        v if v >= 1e3 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    if scaled.fract().abs() < 1e-9 {
        format!("{scaled:.0}{unit}")
    } else if unit.is_empty() {
        String::new()
    } else {
        format!("{scaled:.1}{unit}")
    }
}

fn patterns_ui(ui: &mut Ui, theme: &Theme, drafts: &mut Drafts, commands: &mut Vec<Command>) {
    ui.add(
        text_field(&mut drafts.search).desired_width(ui.available_width()).hint_text("Search the library"),
    );
    let words: Vec<String> = drafts.search.split_whitespace().map(str::to_lowercase).collect();
    let mut category = "";
    let mut found = false;
    for entry in pattern::entries() {
        let text = format!("{} {} {}", entry.name, entry.path(), entry.description).to_lowercase();
        if !words.iter().all(|word| text.contains(word)) {
            continue;
        }
        found = true;
        if entry.category != category {
            category = entry.category;
            ui.add_space(4.0);
            label(ui, theme, &capitalised(&category.replace('-', " ")));
        }
        let button = egui::Button::new(entry.name.as_str()).frame(false).truncate();
        let tooltip = format!("{}\n{}", entry.rule.as_deref().unwrap_or("B3/S23"), entry.description);
        if ui.add(button).on_hover_text(tooltip).clicked() {
            commands.push(Command::LoadShipped(entry.path()));
        }
    }
    if !found {
        remark(ui, theme.weak, "Nothing in the library has these words.");
    }
}

fn view_ui(ui: &mut Ui, view: &View<'_>, commands: &mut Vec<Command>) {
    command_switch(ui, view.marks, Command::ToggleMarks, commands);
    command_switch(ui, view.grid, Command::ToggleGrid, commands);
}

fn engine_ui(ui: &mut Ui, view: &View<'_>, theme: &Theme, commands: &mut Vec<Command>) {
    let choices = [
        (EngineChoice::Automatic, "Automatic"),
        (EngineChoice::Fixed(EngineKind::Gpu), "GPU"),
        (EngineChoice::Fixed(EngineKind::Cpu), "CPU"),
        (EngineChoice::Fixed(EngineKind::Oracle), "Oracle"),
    ];
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (choice, name) in choices {
            if ui.selectable_label(view.choice == choice, name).clicked() && view.choice != choice {
                commands.push(Command::SetEngine(choice));
            }
        }
    });
    let running = match (&view.adapter, view.engine) {
        (Some(adapter), _) => format!("Runs on the GPU: {adapter}"),
        (None, EngineKind::Cpu) => "Runs on the CPU".to_owned(),
        (None, _) => "Runs on the oracle, cell by cell".to_owned(),
    };
    remark(ui, theme.text, &running);
    if !view.engine_reason.is_empty() {
        remark(ui, theme.weak, &format!("Chosen since {}", view.engine_reason));
    }
    command_button(ui, Command::Verify, commands);
    if let Some(verdict) = view.verdict {
        remark(ui, if verdict.equal { theme.good } else { theme.bad }, &verdict.text);
    }
}
