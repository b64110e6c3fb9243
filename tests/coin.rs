//! The coin on the GPU: the published known answers, and the same bits as on the CPU.

use biota::coin::{coin_word, philox4x32_10};
use biota::coords::{Coords, Rect};
use biota::engine::gpu::{Gpu, Integers, philox_test_source};
use biota::engine::{Cancel, EngineKind};

use crate::common::{engine, rule};

/// Counter, key and answer, as published with the Random123 library.
const KNOWN_ANSWERS: [([u32; 4], [u32; 2], [u32; 4]); 3] = [
    ([0; 4], [0; 2], [0x6627_E8D5, 0xE169_C58D, 0xBC57_AC4C, 0x9B00_DBD8]),
    ([u32::MAX; 4], [u32::MAX; 2], [0x408F_276D, 0x41C8_3B0E, 0xA20B_C7C6, 0x6D54_51FD]),
    (
        [0x243F_6A88, 0x85A3_08D3, 0x1319_8A2E, 0x0370_7344],
        [0xA409_3822, 0x299F_31D0],
        [0xD16C_FE09, 0x94FD_CCEB, 0x5001_E420, 0x2412_6EA1],
    ),
];

/// The texts that the adapter takes: those for adapters that can do less, and its own.
fn texts() -> Vec<Integers> {
    let own = Gpu::shared().expect("an adapter").integers();
    if own == Integers::Narrow { vec![own] } else { vec![Integers::Narrow, own] }
}

/// Asks the shader for random bits.
fn on_gpu(integers: Integers, questions: &[([u32; 4], [u32; 2])]) -> Vec<[u32; 4]> {
    let gpu = Gpu::shared().expect("an adapter");
    let (device, queue) = (gpu.device(), gpu.queue());
    let words: Vec<u32> =
        questions.iter().flat_map(|(counter, key)| [counter.as_slice(), key, &[0, 0]].concat()).collect();
    let buffer = |size: usize, usage| {
        device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("test.philox"),
            size: size as u64,
            usage,
            mapped_at_creation: false,
        })
    };
    let asked = buffer(words.len() * 4, wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST);
    queue.write_buffer(&asked, 0, bytemuck::cast_slice(&words));
    let answers = buffer(questions.len() * 16, wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC);
    let result = buffer(questions.len() * 16, wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST);
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("test.philox"),
        source: wgpu::ShaderSource::Wgsl(philox_test_source(integers).into()),
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: Some("test.philox"),
        layout: None,
        module: &module,
        entry_point: Some("answer"),
        compilation_options: wgpu::PipelineCompilationOptions::default(),
        cache: None,
    });
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("test.philox"),
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[
            wgpu::BindGroupEntry { binding: 0, resource: asked.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: answers.as_entire_binding() },
        ],
    });
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(u32::try_from(questions.len()).expect("few"), 1, 1);
    }
    encoder.copy_buffer_to_buffer(&answers, 0, &result, 0, None);
    queue.submit([encoder.finish()]);
    result.map_async(wgpu::MapMode::Read, .., |_| {});
    gpu.wait().expect("the GPU answers");
    let view = result.get_mapped_range(..).expect("mapped");
    bytemuck::cast_slice(&view).to_vec()
}

#[test]
fn philox_on_the_gpu_gives_the_published_answers() {
    let questions: Vec<_> = KNOWN_ANSWERS.iter().map(|(counter, key, _)| (*counter, *key)).collect();
    let expected: Vec<_> = KNOWN_ANSWERS.iter().map(|(_, _, answer)| *answer).collect();
    for integers in texts() {
        assert_eq!(on_gpu(integers, &questions), expected, "{integers:?}: known answers");
    }
}

#[test]
fn philox_on_the_gpu_equals_the_cpu_everywhere() {
    // The generator's own answers are as good counters and keys as any.
    let random = |n: u32| philox4x32_10([n, 1, 2, 3], [4, 5]);
    let questions: Vec<_> = (0..500)
        .map(|n| {
            let [a, b, ..] = random(n + 1000);
            (random(n), [a, b])
        })
        .collect();
    let expected: Vec<_> = questions.iter().map(|(counter, key)| philox4x32_10(*counter, *key)).collect();
    for integers in texts() {
        assert_eq!(on_gpu(integers, &questions), expected, "{integers:?}: 500 counters and keys");
    }
}

/// Three white above and three black below an empty cell: p2life tosses there. In a long row of such cells the coins
/// can be read off the board.
#[test]
fn the_coins_that_land_on_a_board_are_those_of_the_coin_module() {
    let rule = rule("P2Life:P4099,9");
    for (seed, generation) in [(7u64, 0u64), (u64::MAX, 1 << 33), (0x0123_4567_89AB_CDEF, (1 << 61) + 5)] {
        let mut board = biota::board::Board::empty(rule.topology());
        for x in (0..4095).step_by(4) {
            board.cells.fill_run(Coords::new(x, 3), 3, 1).expect("on the board");
            board.cells.fill_run(Coords::new(x, 5), 3, 2).expect("on the board");
        }
        (board.seed, board.generation) = (seed, generation);
        for kind in EngineKind::ALL {
            let mut engine = engine(kind, &rule);
            engine.load(&board).expect("it fits");
            engine.step(1, &Cancel::never()).expect("a step");
            let row = engine.read(Rect::new(0, 4, 4099, 1)).expect("a row");
            for x in (1..4095).step_by(4) {
                let coin = coin_word(seed, generation, x / 32, 4, 0) >> (x % 32) & 1;
                let state = row.get(Coords::new(x, 4));
                assert_eq!(u32::from(state), coin + 1, "{kind}, seed {seed}, generation {generation}, x {x}");
            }
        }
    }
}
