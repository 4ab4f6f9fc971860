/**
 * The offsets and constants of the two kits for modules, the C header and the AssemblyScript library, are those of the
 * engine (src/abi/custom-layout.ts, src/abi/ack-layout.ts).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as ack from '../../src/abi/ack-layout.js';
import * as layout from '../../src/abi/custom-layout.js';
import { compileAssemblyScript, ROOT } from './support/build-module.js';
import { OFFSETS } from './support/record-offsets.js';

const HEADER = readFileSync(join(ROOT, 'include/roce_cc_algorithm.h'), 'utf8');
const LIBRARY = readFileSync(join(ROOT, 'algorithm/as/index.ts'), 'utf8');

/** Constants of both kits, by name without the prefix that C has. */
const CONSTANTS: Readonly<Record<string, number>> = {
  USED: layout.HANDLED_USED,
  NOT_USED: layout.HANDLED_NOT_USED,
  NO_SIGNAL: layout.HANDLED_NO_SIGNAL,
  TIMER_COUNT: layout.CUSTOM_TIMER_COUNT,
  STATE_BYTES_MAX: layout.CUSTOM_STATE_BYTES_MAX,
  PARAMETER_COUNT_MAX: layout.CUSTOM_PARAMETER_COUNT_MAX,
  PACED: layout.CUSTOM_PACED,
  RATE_SET: layout.CUSTOM_RATE_SET,
  TELEMETRY_NONE: ack.TELEMETRY_NONE,
  TELEMETRY_EXACT: ack.TELEMETRY_EXACT,
  TELEMETRY_INT64: ack.TELEMETRY_INT64,
  TELEMETRY_TRACE: ack.TELEMETRY_TRACE,
  TELEMETRY_TRACE_SECOND: ack.TELEMETRY_TRACE_SECOND,
  EXACT_HOPS_MAX: ack.EXACT_HOPS_MAX,
  INT64_HOPS_MAX: ack.INT64_HOPS_MAX,
  NO_TX_BYTES: ack.HOP_NO_TX_BYTES,
  NO_PINT_POWER: ack.ACK_NO_POWER,
};

/** Fields of the header that AssemblyScript reads through accessors, and the field of its class, if any. */
const ACCESSED: Readonly<Record<string, string | undefined>> = {
  'qp.timers_ps': 'timer0Ps',
  'qp.engine': 'engine0',
  'qp.state': undefined,
  'ack.hops': undefined,
};

function fromEntries(matches: Iterable<RegExpMatchArray>): Record<string, number> {
  return Object.fromEntries([...matches].map(([, name, value]) => [name!, Number(value)]));
}

const camelCase = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const className = (record: string): string => camelCase(`_${record}`);

describe('the C header', () => {
  it('asserts the offset of each field as in the engine, and the size of a hop', () => {
    const asserted = HEADER.matchAll(/^ROCE_OFFSET\(roce_(\w+), (\w+), (\d+)\);$/gm);
    const offsets = Object.fromEntries(
      [...asserted].map(([, record, field, at]) => [`${record}.${field}`, Number(at)]),
    );
    expect(offsets).toStrictEqual(OFFSETS);
    expect(HEADER).toContain(`\nROCE_BYTES(roce_hop, ${ack.ACK_HOP_BYTES});\n`);
  });

  it('has no field without such an assertion', () => {
    const records = [...HEADER.matchAll(/^struct roce_(\w+) \{\n([^]*?)^\};$/gm)];
    const fields = records.flatMap(([, record, body]) =>
      [...body!.matchAll(/^ {2}[\w ]+ (\w+)(?:\[\w*\])?;$/gm)].map(([, field]) => `${record}.${field}`)
    );
    expect(fields.sort()).toStrictEqual(Object.keys(OFFSETS).sort());
  });

  it("has the engine's constants", () => {
    const defined = fromEntries(HEADER.matchAll(/^#define ROCE_(\w+) \(?(-?[\dxa-f.]+)u?\)?$/gm));
    expect(defined).toStrictEqual({ ...CONSTANTS, ABI_VERSION: 1 });
  });
});

describe('the AssemblyScript library', () => {
  const constants = LIBRARY.matchAll(/^export const (\w+): [iuf]\d\d = (-?[\dxa-f]+);$/gm);

  it("has the engine's constants", () => {
    expect(fromEntries(constants)).toStrictEqual(CONSTANTS);
  });

  it('lays out its classes like the records of the engine', async () => {
    const fields = Object.keys(OFFSETS).filter((name) => !(name in ACCESSED) || ACCESSED[name] !== undefined);
    const lines = fields.map((name, i) => {
      const [record, field] = name.split('.') as [string, string];
      return `export function o${i}(): usize { return offsetof<${className(record)}>('${
        ACCESSED[name] ?? camelCase(field)
      }'); }`;
    });
    const accessors = `
      export function timer(qp: Qp): f64 { return qp.getTimer(3); }
      export function state(qp: Qp): usize { return qp.state; }
      export function hop(ack: Ack): usize { return changetype<usize>(ack.hop(2)); }
      export function rawHop(ack: Ack): usize { return changetype<usize>(ack.rawHop(2)); }
      export function hopBytes(): usize { return offsetof<Hop>(); }`;
    const source = `import { Ack, Hop, Nack, Qp, RawHop } from 'roce-cc/algorithm/as';\n${
      lines.join('\n')
    }${accessors}`;
    const module = await compileAssemblyScript('kit.ts', ['-O1', '--runtime', 'stub', '--importMemory'], source);
    const memory = new WebAssembly.Memory({ initial: 1 });
    const exported = (await WebAssembly.instantiate(module, { env: { memory } })).instance.exports;
    const call = (name: string, ...values: number[]): number =>
      (exported[name] as (...given: number[]) => number)(...values);
    const found = Object.fromEntries(fields.map((name, i) => [name, call(`o${i}`)]));
    expect(found).toStrictEqual(Object.fromEntries(fields.map((name) => [name, OFFSETS[name]])));
    new DataView(memory.buffer).setFloat64(64 + layout.CUSTOM_TIMERS + 24, 7, true);
    expect(call('timer', 64)).toBe(7);
    expect(call('state', 64)).toBe(64 + layout.CUSTOM_STATE);
    expect(call('hopBytes')).toBe(ack.ACK_HOP_BYTES);
    const third = 64 + ack.ACK_HOPS + 2 * ack.ACK_HOP_BYTES;
    expect([call('hop', 64), call('rawHop', 64)]).toStrictEqual([third, third]);
  });
});
