/** The decoder reads the modules of this project, which are longer than any algorithm. */
import { describe, expect, it } from 'vitest';
import { CODE } from '../../../src/algorithm/module/binary-format.js';
import { ByteReader, ByteWriter } from '../../../src/algorithm/module/byte-stream.js';
import { decodeModule } from '../../../src/algorithm/module/decode.js';
import { meterModule } from '../../../src/algorithm/module/meter.js';
import { inspectModule } from '../../../src/algorithm/module/inspect.js';
import { InstructionReader } from '../../../src/algorithm/module/instructions.js';
import { dcqcnSigcomm15 } from '../../../src/config/algorithms/dcqcn/preset-sigcomm15.js';
import { engineConfig } from '../../../src/config/engine-config.js';
import type { EngineAbi } from '../../../src/abi/engine-abi.js';
import { bytesOfText } from '../../../src/engine/instantiate.js';
import { ENGINE_CORE_WASM_TEXT } from '../../../src/engine/dcqcn-wasm-bytes.js';
import { Engine } from '../../../src/engine/engine.js';
import { ALL_PARTS } from '../../../src/engine/parts.js';
import { ENGINE_WASM_TEXT } from '../../../src/engine/wasm-bytes.js';
import { WasmBackend } from '../../../src/engine/wasm-backend.js';
import { SIM_WASM_TEXT } from '../../../src/sim/kernel/wasm-bytes.js';
import { UET_WASM_TEXT } from '../../../src/uet/kernel/wasm-bytes.js';
import { gbps, us } from '../../../src/units.js';
import { Seeded } from '../../support/seeded.js';

const MODULES = [
  ['engine.wasm', ENGINE_WASM_TEXT],
  ['engine-dcqcn.wasm', ENGINE_CORE_WASM_TEXT],
  ['sim.wasm', SIM_WASM_TEXT],
  ['uet.wasm', UET_WASM_TEXT],
] as const;

/** The code section, rewritten from the decoded locals and instructions. */
function rewrittenCode(bytes: Uint8Array): Uint8Array {
  const { bodies } = decodeModule(bytes);
  const to = new ByteWriter().u32(bodies.length);
  for (const { localGroups, localsAt, codeAt, end } of bodies) {
    const body = new ByteWriter().u32(localGroups).raw(bytes.subarray(localsAt, codeAt));
    const instruction = new InstructionReader(new ByteReader(bytes, 'code section', codeAt, end));
    while (!instruction.reader.isAtEnd) body.raw(bytes.subarray(instruction.next().start, instruction.reader.at));
    to.sized(body.done());
  }
  return to.done();
}

describe.each(MODULES)('%s', (_, text) => {
  const bytes = bytesOfText(text);

  it('has one memory, no imports and the exports that WebAssembly reports', () => {
    const { imports, exports, memories } = inspectModule(bytes);
    const module = new WebAssembly.Module(bytes);
    expect(imports).toEqual([]);
    expect(memories).toHaveLength(1);
    expect(exports.map(({ name, kind }) => ({ name, kind }))).toEqual(WebAssembly.Module.exports(module));
  });

  it('keeps its code when it is decoded and rewritten', () => {
    const { start, end } = decodeModule(bytes).sections.byId.get(CODE)!;
    expect(rewrittenCode(bytes)).toEqual(Uint8Array.from(bytes.subarray(start, end)));
  });

  it('is valid after metering', () => {
    const module = new WebAssembly.Module(meterModule(bytes, 1_000_000));
    expect(WebAssembly.Module.exports(module)).toContainEqual({ name: 'roce_fuel', kind: 'global' });
  });
});

describe('a metered engine.wasm', () => {
  /** Rates and hash of an engine with this code, over 2,000 random events of one QP. */
  function stateAfterEvents(bytes: Uint8Array<ArrayBuffer>): readonly [rates: readonly number[], hash: string] {
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes));
    const parameterSets = { default: dcqcnSigcomm15({ lineRateBps: gbps(100) }) };
    const engine = new Engine(new WasmBackend(exports as unknown as EngineAbi), engineConfig({ parameterSets }),
      ALL_PARTS);
    const qp = engine.openQp({ localQpn: 1 });
    const random = new Seeded(7);
    const rates: number[] = [];
    for (let timePs = us(1); rates.length < 2000; timePs += us(random.whole(1, 60))) {
      if (random.chance(0.3)) engine.cnp(timePs, qp);
      else engine.sent(timePs, qp, random.whole(64, 4096));
      rates.push(engine.rateBps(qp));
    }
    return [rates, engine.stateHash()];
  }

  it('controls a QP like the original', () => {
    const bytes = bytesOfText(ENGINE_WASM_TEXT);
    const [rates, hash] = stateAfterEvents(bytes);
    expect(new Set(rates).size).toBeGreaterThan(100);
    expect(stateAfterEvents(meterModule(bytes, 1_000_000))).toEqual([rates, hash]);
  });
});
