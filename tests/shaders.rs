//! Every shader and every emitted rule is valid WGSL, and the structs that Rust and WGSL share lie alike.

use std::collections::{BTreeSet, HashMap};

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

/// What the value of an expression depends on; of several operands the last of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    Constants,
    Uniforms,
    /// Where the invocation stands, textures, storage, and whatever isn't looked into.
    Others,
}

/// Looks for branches on uniforms alone, function by function with what they are called with.
struct Branches<'m> {
    module: &'m naga::Module,
    /// Which functions have some.
    found: Vec<String>,
}

/// A function that is looked through.
struct Frame<'m> {
    function: &'m naga::Function,
    arguments: Vec<Source>,
    sources: HashMap<naga::Handle<naga::Expression>, Source>,
    locals: HashMap<naga::Handle<naga::LocalVariable>, Source>,
    returned: Source,
}

impl<'m> Branches<'m> {
    /// The functions that branch on uniforms alone when `entry` is run.
    fn of(module: &'m naga::Module, entry: &'m naga::EntryPoint) -> Vec<String> {
        let mut branches = Self { module, found: Vec::new() };
        branches.call(&entry.function, vec![Source::Others; entry.function.arguments.len()]);
        branches.found
    }

    /// What the result of a function depends on.
    fn call(&mut self, function: &'m naga::Function, arguments: Vec<Source>) -> Source {
        let (sources, locals) = (HashMap::new(), HashMap::new());
        let mut frame = Frame { function, arguments, sources, locals, returned: Source::Constants };
        // The constants among them are known from the beginning.
        for (handle, _) in function.expressions.iter() {
            frame.evaluate(self.module, handle);
        }
        for (local, variable) in function.local_variables.iter() {
            frame.locals.extend(variable.init.map(|init| (local, frame.sources[&init])));
        }
        self.walk(&mut frame, &function.body);
        frame.returned
    }

    fn walk(&mut self, frame: &mut Frame<'m>, block: &'m naga::Block) {
        use naga::Statement as S;
        for statement in block {
            match statement {
                S::Emit(range) => {
                    for handle in range.clone() {
                        frame.evaluate(self.module, handle);
                    }
                }
                S::Block(block) => self.walk(frame, block),
                S::If { condition, accept, reject } => {
                    self.branch(frame, *condition);
                    self.walk(frame, accept);
                    self.walk(frame, reject);
                }
                S::Switch { selector, cases } => {
                    self.branch(frame, *selector);
                    for case in cases {
                        self.walk(frame, &case.body);
                    }
                }
                S::Loop { body, continuing, break_if } => {
                    // What is stored late in a loop is loaded early in it.
                    let before = self.found.len();
                    for _ in 0..2 {
                        self.found.truncate(before);
                        self.walk(frame, body);
                        self.walk(frame, continuing);
                        if let Some(condition) = break_if {
                            self.branch(frame, *condition);
                        }
                    }
                }
                S::Return { value: Some(value) } => frame.returned = frame.returned.max(frame.source(*value)),
                S::Store { pointer, value } => frame.store(*pointer, frame.source(*value)),
                S::Call { function, arguments, result } => {
                    let sources = arguments.iter().map(|argument| frame.source(*argument)).collect();
                    let source = self.call(&self.module.functions[*function], sources);
                    frame.sources.extend(result.map(|result| (result, source)));
                    // What is stored through a pointer there is not looked into.
                    for argument in arguments {
                        frame.store(*argument, Source::Others);
                    }
                }
                _ => {}
            }
        }
    }

    fn branch(&mut self, frame: &Frame<'m>, condition: naga::Handle<naga::Expression>) {
        if frame.source(condition) == Source::Uniforms {
            self.found.push(frame.function.name.clone().unwrap_or_default());
        }
    }
}

impl Frame<'_> {
    /// Takes note of what the local variable that a pointer is of holds, if it is of one.
    fn store(&mut self, pointer: naga::Handle<naga::Expression>, source: Source) {
        use naga::Expression as E;
        match self.function.expressions[pointer] {
            E::LocalVariable(local) => {
                let held = self.locals.entry(local).or_insert(source);
                *held = source.max(*held);
            }
            E::Access { base, .. } | E::AccessIndex { base, .. } => self.store(base, source),
            _ => {}
        }
    }

    /// What an expression depends on that was evaluated; of a local variable, what it holds.
    fn source(&self, handle: naga::Handle<naga::Expression>) -> Source {
        match self.function.expressions[handle] {
            naga::Expression::LocalVariable(local) => {
                self.locals.get(&local).copied().unwrap_or(Source::Constants)
            }
            _ => self.sources[&handle],
        }
    }

    /// Takes note of what an expression depends on, whose operands are known.
    fn evaluate(&mut self, module: &naga::Module, handle: naga::Handle<naga::Expression>) {
        use naga::Expression as E;
        let of = |operands: &[naga::Handle<naga::Expression>]| {
            operands.iter().map(|operand| self.source(*operand)).max().unwrap_or(Source::Constants)
        };
        let source = match &self.function.expressions[handle] {
            E::Literal(_) | E::Constant(_) | E::Override(_) | E::ZeroValue(_) => Source::Constants,
            E::LocalVariable(_) => self.source(handle),
            E::GlobalVariable(global) => match module.global_variables[*global].space {
                naga::AddressSpace::Uniform => Source::Uniforms,
                _ => Source::Others,
            },
            E::FunctionArgument(index) => self.arguments[*index as usize],
            E::Compose { components, .. } => of(components),
            E::Access { base, index } => of(&[*base, *index]),
            E::AccessIndex { base: only, .. }
            | E::Load { pointer: only }
            | E::Splat { value: only, .. }
            | E::Swizzle { vector: only, .. }
            | E::Unary { expr: only, .. }
            | E::Relational { argument: only, .. }
            | E::As { expr: only, .. } => of(&[*only]),
            E::Binary { left, right, .. } => of(&[*left, *right]),
            E::Select { condition, accept, reject } => of(&[*condition, *accept, *reject]),
            E::Math { arg, arg1, arg2, arg3, .. } => {
                let more = [arg1, arg2, arg3].into_iter().flatten();
                more.map(|operand| self.source(*operand)).fold(of(&[*arg]), Source::max)
            }
            _ => Source::Others,
        };
        self.sources.insert(handle, source);
    }
}

/// The entry points of a text that branch on uniforms alone, and the functions in which they do.
fn branches_on_uniforms(source: &str) -> Vec<String> {
    let module = check_with(source, Capabilities::default() | Capabilities::SUBGROUP)
        .unwrap_or_else(|error| panic!("{error}"));
    let found = module.entry_points.iter().flat_map(|entry| {
        Branches::of(&module, entry).into_iter().map(|function| format!("{}: {function}", entry.name))
    });
    found.collect()
}

/// Branches on how edges are glued: invocations that wait for each other, or ask each other, must take the same one. Not half
/// of a shader falls away with any of them.
const ON_GLUE: [&str; 6] = [
    "gather: locate",
    "leap: leap",
    "shuffle: find_edges",
    "shuffle: row_at",
    "shuffle: toss_coins",
    "shuffle: word_at",
];

/// Some drivers compile such shaders again each time they are used; src/engine/gpu/shaders.rs says more.
#[test]
fn no_shader_branches_on_uniforms_alone() {
    let mut sources: Vec<String> =
        (1..=8).flat_map(|planes| [margin_source(planes), copy_source(planes)]).collect();
    sources.push(picture_source());
    let subgroups = Subgroups::new(32, 32).expect("sizes that adapters have");
    // What a rule emits reads no uniforms.
    for text in MORE {
        let kernel = rule(text).kernel().unwrap_or_else(|error| panic!("{text}: {error}"));
        sources.extend([
            step_source(&kernel, Integers::Narrow),
            tally_source(&kernel),
            draw_source(&kernel),
            far_source(&kernel),
            near_source(&kernel),
        ]);
        let shuffling = Shuffling::of(&kernel, subgroups, Shape::REGISTERS);
        sources.extend(shuffling.and_then(|with| shuffle_source(&kernel, &with, Integers::Narrow)));
    }
    let found: BTreeSet<String> = sources.iter().flat_map(|source| branches_on_uniforms(source)).collect();
    assert_eq!(found, ON_GLUE.map(str::to_owned).into(), "branches on uniforms alone");
}

#[test]
fn branches_on_uniforms_are_found_wherever_they_are() {
    let paint = |functions: &str, body: &str| {
        branches_on_uniforms(&format!(
            "struct View {{ marks: u32, size: vec2<i32>, colours: array<vec4<f32>, 8> }}
            @group(0) @binding(0) var<uniform> view: View;
            @group(0) @binding(1) var<storage, read> list: array<u32>;
            {functions}
            @fragment fn paint(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {{
                var sum = 0.0;
                {body}
                return vec4<f32>(sum);
            }}"
        ))
    };
    for bad in [
        "if view.marks == 1u { sum = p.x; }",
        "if view.marks == 1u && p.x > 3.0 { sum = p.x; }",
        "if p.x > 3.0 || view.size.x > 2 { sum = p.x; }",
        "for (var i = 0u; i < view.marks; i++) { sum += p.x; }",
        "var i = view.size.x; loop { sum += p.x; i -= 1; continuing { break if i < 0; } }",
        "switch view.marks { case 1u: { sum = p.x; } default: {} }",
        "let n = select(3, 4, view.size.y > 2) + 1; if n > 4 { sum = p.x; }",
        "if view.colours[2].x > 0.5 { sum = p.x; }",
    ] {
        assert_eq!(paint("", bad), ["paint: paint"], "{bad}");
    }
    for good in [
        "if p.y > 2.0 { sum = p.x; }",
        "if (view.marks == 1u) & (p.x > 3.0) { sum = p.x; }",
        "for (var i = 0u; i < 3u; i++) { sum += view.colours[i].x; }",
        "for (var i = 0u; i < arrayLength(&list); i++) { sum += p.x; }",
        "if list[view.marks] == 1u { sum = p.x; }",
        "if view.colours[u32(p.x)].x > 0.5 { sum = p.x; }",
        "sum = select(0.0, p.x, view.marks == 1u);",
    ] {
        assert!(paint("", good).is_empty(), "{good}");
    }
    let functions = "fn marks() -> u32 { return view.marks; }
        fn is_one(n: u32) -> f32 { if n == 1u { return 1.0; } return 2.0; }";
    assert_eq!(paint(functions, "if marks() == 1u { sum = p.x; }"), ["paint: paint"], "a result");
    assert_eq!(paint(functions, "sum = is_one(view.marks);"), ["paint: is_one"], "an argument");
    assert!(paint(functions, "sum = is_one(u32(p.x) + marks());").is_empty(), "another argument");
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
    let board = members!(BoardUniform: size, columns_shift, rows_shift, glue, offset);
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
    let view = members!(ViewUniform: corner, fraction, viewport, cells_per_px, grid, background, bounded, scale, far_level, remainder, unused, colours);
    assert_eq!(layout(&draw, "View"), (size(size_of::<ViewUniform>()), view), "View");
    let picture = check(&picture_source()).unwrap_or_else(|error| panic!("{error}"));
    let placement = members!(PlacementUniform: viewport, corner, scale, unused, size, beyond);
    assert_eq!(layout(&picture, "Placement"), (size(size_of::<PlacementUniform>()), placement), "Placement");
}
