import { existsSync, readFileSync } from 'node:fs';
import { main as asc } from 'assemblyscript/asc';
import { describe, expect, it } from 'vitest';
import { ALGORITHM_COUNT, ALGORITHM_HPCC } from '../../src/abi/algorithms.js';
import { PARAMETER_SET_COUNT } from '../../src/abi/codes.js';
import { StaticDataCheck } from '../../scripts/static-data.mjs';
import * as layout from '../../src/abi/layout.js';
import { engineConfig } from '../../src/config/engine-config.js';
import { hpccSigcomm19 } from '../../src/config/algorithms/hpcc-presets.js';
import { Engine } from '../../src/engine/engine.js';
import { instantiate } from '../../src/engine/instantiate.js';
import { WasmBackend } from '../../src/engine/wasm-backend.js';
import { gbps, us } from '../../src/units.js';
import { ALL_PARTS } from '../../src/engine/parts.js';
import { ENGINE_CORE_WASM_TEXT } from '../../src/engine/dcqcn-wasm-bytes.js';
import { ENGINE_WASM_TEXT } from '../../src/engine/wasm-bytes.js';
import { SIM_WASM_TEXT } from '../../src/sim/kernel/wasm-bytes.js';
import { SIM_CAPACITY } from '../../src/abi/records/sim-run.js';
import { CAPACITY } from '../../src/abi/records/engine-capacity.js';
import { TELEMETRY } from '../../src/abi/records/telemetry.js';

const MODULES = {
  'engine.wasm': ENGINE_WASM_TEXT,
  'engine-dcqcn.wasm': ENGINE_CORE_WASM_TEXT,
  'sim.wasm': SIM_WASM_TEXT,
};

/** Regions at fixed addresses, and their lengths. */
const BLOCKS: readonly (readonly [name: string, address: number, bytes: number])[] = [
  ['counters', layout.COUNTERS_ADDRESS, layout.COUNTER_COUNT * 8],
  ['capacity', layout.CAPACITY_ADDRESS, CAPACITY.count * 4],
  ['capacity of the simulator', layout.SIM_CAPACITY_ADDRESS, SIM_CAPACITY.count * 4],
  ['settings', layout.SETTINGS_ADDRESS, layout.SETTING_COUNT * 8],
  ['hash keys', layout.HASH_KEYS_ADDRESS, layout.HASH_KEY_COUNT * 8],
  ['regions', layout.REGIONS_ADDRESS, 32 * 4],
  ['address argument', layout.ADDRESS_ARGUMENT, 32],
  ['flow table', layout.FLOW_TABLE_ADDRESS, 32],
  ['endpoint table', layout.ENDPOINT_TABLE_ADDRESS, 32],
  ['peer table', layout.PEER_TABLE_ADDRESS, 32],
  ['endpoint filter', layout.ENDPOINT_FILTER_ADDRESS, 8],
  ['parameterSets', layout.PARAMETER_SETS_ADDRESS, PARAMETER_SET_COUNT * layout.PARAMETER_SET_BYTES],
  ['algorithms', layout.ALGORITHMS_ADDRESS, ALGORITHM_COUNT * layout.ALGORITHM_ENTRY_BYTES],
  ['telemetry', layout.TELEMETRY_ADDRESS, TELEMETRY.count * 8],
];

/** Where static data of a fresh instance ends. */
async function staticDataEnd(text: string): Promise<number> {
  const { memory } = await instantiate(text);
  return new Uint8Array(memory.buffer).findLastIndex((byte) => byte !== 0) + 1;
}

/** The error of a build with that many bytes of scratch in its static data, or "built". */
async function buildWithScratch(bytes: number): Promise<string> {
  const entry = `import { FIXED_END, STATIC_DATA } from './src/abi/layout';
    const scratch: usize = memory.data(${bytes});
    export function space(): usize { return FIXED_END - STATIC_DATA - scratch; }`;
  const args = [
    'entry.ts',
    '--runtime',
    'stub',
    '--noEmit',
    '--memoryBase',
    String(layout.STATIC_DATA),
  ];
  const { error } = await asc(args, {
    readFile: (name) => name === 'entry.ts' ? entry : existsSync(name) ? readFileSync(name, 'utf8') : null,
    transforms: [StaticDataCheck as never],
  });
  return error?.message ?? 'built';
}

/** Function index of the transition that opens a QP under HPCC: the second word of its entry. */
function openIndex(memory: ArrayBuffer): number {
  const entry = layout.ALGORITHMS_ADDRESS + ALGORITHM_HPCC * layout.ALGORITHM_ENTRY_BYTES;
  return new DataView(memory).getInt32(entry + 4, true);
}

describe('memory at fixed addresses', () => {
  it('contains no overlapping blocks', () => {
    const sorted = [...BLOCKS].sort(([, a], [, b]) => a - b);
    const overlaps = sorted.slice(1).flatMap(([name, address], index) => {
      const [before, from, bytes] = sorted[index]!;
      return from + bytes > address ? [`${before} reaches ${from + bytes}, ${name} begins at ${address}`] : [];
    });
    expect(overlaps).toStrictEqual([]);
  });

  it.each(Object.entries(MODULES))('has room for the static data of %s', async (_, text) => {
    expect(await staticDataEnd(text)).toBeLessThanOrEqual(layout.FIXED_END);
  });

  it('rejects a module whose static data, even all zeros, extends past FIXED_END', async () => {
    const room = layout.FIXED_END - layout.STATIC_DATA;
    expect(await buildWithScratch(room / 2)).toBe('built');
    expect(await buildWithScratch(room + 1))
      .toBe('static data at 12288 to 16385 is not within STATIC_DATA (12288) and FIXED_END (16384)');
  });

  it.each([{}, { telemetry: { defaultLineRateBps: gbps(100) } }])(
    'keeps the table of algorithms after configuration and restore: %j',
    async (options) => {
      const parameterSets = { default: hpccSigcomm19({ lineRateBps: gbps(100), baseRttPs: us(10) }) };
      const abi = await instantiate(ENGINE_WASM_TEXT);
      const engine = new Engine(new WasmBackend(abi), engineConfig({ parameterSets, ...options }), ALL_PARTS);
      expect(openIndex(abi.memory.buffer)).toBeGreaterThan(0);
      engine.restore(engine.snapshot());
      expect(openIndex(abi.memory.buffer)).toBeGreaterThan(0);
    },
  );
});
