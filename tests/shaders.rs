//! Every shader and every emitted rule is valid WGSL, and the structs that Rust and WGSL share lie alike.

use biota::app::{PlacementUniform, ViewUniform};
use biota::engine::gpu::{
    BoardUniform, GhostsEntry, Integers, MomentUniform, PlaceEntry, QuestionUniform, Shape, Shuffling,
    Subgroups, TileEntry, copy_source, draw_source, far_source, margin_source, near_source,
    philox_test_source, picture_source, shuffle_source, step_source, tally_source,
};
use biota::rule::named::NAMED;
use wgpu::naga;
use wgpu::naga::valid::{Capabilities, ValidationFlags, Validator};

use crate::common::rule;

/// Parses and validates a shader for any adapter.
fn check(source: &str) -> Result<naga::Module, String> {
    check_with(source, Capabilities::default())
}

/// The same for adapters that can do more.
fn check_with(source: &str, capabilities: Capabilities) -> Result<naga::Module, String> {
    let module = naga::front::wgsl::parse_str(source).map_err(|error| error.emit_to_string(source))?;
    Validator::new(ValidationFlags::all(), capabilities)
        .validate(&module)
        .map_err(|error| error.emit_to_string(source))?;
    Ok(module)
}

/// Rules that use every part of the emitted text: parities, one coin, two coins; walks by few and by many states.
const MORE: [&str; 9] = [
    "B36/S23Immigration-parity",
    "B2/SQuadLife",
    "B2/SQuadLife-parity",
    "B/S",
    "/2/17",
    "23/3/256",
    "B2-a/S12QuadLife",
    "B2-a/S12QuadLife-parity",
    "34/45/200L",
];

#[test]
fn every_shader_is_valid_for_every_rule() {
    let mut checked = 0;
    let mut failures = Vec::new();
    for text in NAMED.iter().map(|named| named.rule).chain(MORE) {
        let kernel = rule(text).kernel().unwrap_or_else(|error| panic!("{text}: {error}"));
        for (name, source) in [
            ("step", step_source(&kernel, Integers::Narrow)),
            ("tally", tally_source(&kernel)),
            ("draw", draw_source(&kernel)),
            ("far", far_source(&kernel)),
            ("near", near_source(&kernel)),
        ] {
            checked += 1;
            if let Err(error) = check(&source) {
                failures.push(format!("{text}, {name}: {error}"));
            }
        }
    }
    let planes = (1..=8).flat_map(|planes| [margin_source(planes), copy_source(planes)]);
    let others = [philox_test_source(Integers::Narrow), picture_source()];
    for source in planes.chain(others) {
        checked += 1;
        failures.extend(check(&source).err());
    }
    assert!(
        failures.is_empty(),
        "{} of {checked} shaders are invalid:\n{}",
        failures.len(),
        failures.join("\n")
    );
    assert!(checked > 60, "only {checked} shaders were found to check");
}

#[test]
fn the_shuffle_is_valid_for_every_rule_with_a_circuit_whatever_the_adapter() {
    let mut failures = Vec::new();
    let (mut checked, mut refused) = (0, Vec::new());
    for (index, text) in NAMED.iter().map(|named| named.rule).chain(MORE).enumerate() {
        let kernel = rule(text).kernel().unwrap_or_else(|error| panic!("{text}: {error}"));
        // Those of the GPUs of NVIDIA, and for each rule one of the others.
        let others = [(16, 16), (64, 64), (32, 64), (16, 128)].map(|sizes| (sizes, Shape::REGISTERS));
        let tall = ((32, 32), Shape::TALL_REGISTERS);
        let other = others.get(index % 5).copied().unwrap_or(tall);
        for ((least, most), registers) in [((32, 32), Shape::REGISTERS), other] {
            let subgroups = Subgroups::new(least, most).expect("sizes that adapters have");
            let Some(shuffling) = Shuffling::of(&kernel, subgroups, registers) else {
                refused.push(text);
                continue;
            };
            let integers = if index % 2 == 0 { Integers::Wide } else { Integers::Narrow };
            let source = shuffle_source(&kernel, &shuffling, integers).expect("it has a circuit");
            checked += 1;
            let mut capabilities = Capabilities::default() | Capabilities::SUBGROUP;
            capabilities.set(Capabilities::SHADER_INT64, integers == Integers::Wide);
            match check_with(&source, capabilities) {
                Ok(module) => {
                    assert!(
                        module.entry_points.iter().any(|entry| entry.name == "shuffle"),
                        "{text}: an entry point"
                    );
                }
                Err(error) => failures.push(format!("{text}, subgroups of {least} to {most}: {error}")),
            }
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {checked} shaders are invalid:\n{}",
        failures.len(),
        failures.join("\n")
    );
    assert!(checked > 60, "only {checked} shaders were found to check");
    refused.dedup();
    for text in ["/2/17", "23/3/256", "34/45/200L"] {
        assert!(refused.contains(&text), "{text} walks, or looks far: {refused:?}");
    }
    for text in ["B3/S23", "P2Life", "B2/SQuadLife"] {
        assert!(!refused.contains(&text), "{text} is a rule for it");
    }
}

#[test]
fn a_broken_shader_is_found() {
    assert!(check("fn f() -> u32 { return 1.0; }").is_err(), "a float is no u32");
}

#[test]
fn entry_points_have_names_of_their_own() {
    let kernel = rule("Immigration").kernel().expect("a kernel");
    for (source, names) in [
        (step_source(&kernel, Integers::Narrow), vec!["step", "compare", "leap", "repeat"]),
        (tally_source(&kernel), vec!["tally"]),
        (draw_source(&kernel), vec!["cover", "paint_near", "paint_small", "paint_far", "paint_distant"]),
        (far_source(&kernel), vec!["shade", "merge"]),
        (near_source(&kernel), vec!["cover", "look"]),
        (margin_source(2), vec!["gather", "scatter"]),
        (copy_source(2), vec!["collect", "spread", "fill"]),
        (philox_test_source(Integers::Narrow), vec!["answer"]),
        (picture_source(), vec!["cover", "copy", "paint"]),
    ] {
        let module = check(&source).unwrap_or_else(|error| panic!("{error}"));
        let found: Vec<&str> = module.entry_points.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(found, names, "entry points");
    }
}

/// Size of a struct, and offset and size of each member.
fn layout(module: &naga::Module, name: &str) -> (u32, Vec<(String, u32, u32)>) {
    let mut layouter = naga::proc::Layouter::default();
    layouter.update(module.to_ctx()).expect("types have a layout");
    let (_, found) = module
        .types
        .iter()
        .find(|(_, kind)| kind.name.as_deref() == Some(name))
        .unwrap_or_else(|| panic!("the shader has no struct {name}"));
    let naga::TypeInner::Struct { members, span } = &found.inner else { panic!("{name} is no struct") };
    let members = members
        .iter()
        .map(|member| (member.name.clone().unwrap_or_default(), member.offset, layouter[member.ty].size))
        .collect();
    (*span, members)
}

/// The members of a Rust struct: name, offset, size.
macro_rules! members {
    ($kind:ident: $($field:ident),*) => {{
        fn size_of_field<T, F>(_: impl Fn(&T) -> &F) -> usize {
            size_of::<F>()
        }
        vec![$((
            stringify!($field).to_owned(),
            u32::try_from(std::mem::offset_of!($kind, $field)).expect("small"),
            u32::try_from(size_of_field(|value: &$kind| &value.$field)).expect("small"),
        )),*]
    }};
}

#[test]
fn structs_lie_alike_in_rust_and_in_wgsl() {
    let kernel = rule("P2Life").kernel().expect("a kernel");
    let [step, tally, draw] =
        [step_source(&kernel, Integers::Narrow), tally_source(&kernel), draw_source(&kernel)]
            .map(|source| check(&source).unwrap_or_else(|error| panic!("{error}")));
    let size = |bytes: usize| u32::try_from(bytes).expect("small");
    let board = members!(BoardUniform: size, columns_shift, rows_shift, map_mask, glue, offset, unused);
    assert_eq!(layout(&step, "Board"), (size(size_of::<BoardUniform>()), board), "Board");
    let tile = members!(TileEntry: at, around, unused);
    assert_eq!(layout(&step, "Tile"), (size(size_of::<TileEntry>()), tile), "Tile");
    let place = members!(PlaceEntry: at, slot, used);
    assert_eq!(layout(&step, "Place"), (size(size_of::<PlaceEntry>()), place), "Place");
    let margin = check(&margin_source(2)).unwrap_or_else(|error| panic!("{error}"));
    let ghosts = members!(GhostsEntry: word, y, cells, slot);
    assert_eq!(layout(&margin, "Ghosts"), (size(size_of::<GhostsEntry>()), ghosts), "Ghosts");
    let (span, moment) = layout(&step, "Moment");
    assert_eq!(span, size(size_of::<MomentUniform>()), "Moment");
    let members = members!(MomentUniform: generation_low, generation_high, seed_low, seed_high, first, end);
    assert_eq!(moment[..6], members, "Moment");
    let (span, question) = layout(&tally, "Question");
    assert_eq!(span, size(size_of::<QuestionUniform>()), "Question");
    assert_eq!(question[..2], members!(QuestionUniform: background, slots), "Question");
    let view = members!(ViewUniform: corner, fraction, viewport, cells_per_px, grid, marks, background, bounded, scale, remainder, far_level, unused, colours);
    assert_eq!(layout(&draw, "View"), (size(size_of::<ViewUniform>()), view), "View");
    let picture = check(&picture_source()).unwrap_or_else(|error| panic!("{error}"));
    let placement = members!(PlacementUniform: viewport, corner, scale, unused, size, beyond);
    assert_eq!(layout(&picture, "Placement"), (size(size_of::<PlacementUniform>()), placement), "Placement");
}
