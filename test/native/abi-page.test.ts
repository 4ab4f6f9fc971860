/** docs/reference/abi.md matches src/abi, and a host with only its numbers and WebAssembly can run an engine. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { abiPage } from '../../scripts/abi-page.js';
import { WASM_FILE } from '../../scripts/paths.mjs';
import { createEngineSync, dcqcnSigcomm15, gbps, us } from '../../src/index.js';

const PAGE = readFileSync(new URL('../../docs/reference/abi.md', import.meta.url), 'utf8');
const CONSTANTS = new Map(
  [...PAGE.matchAll(/^\| `([A-Z]\w*)` +\| +(-?[\d.e+-]+) +\|/gm)].map(([, name, value]) => [name!, Number(value)]),
);

function constant(name: string): number {
  const value = CONSTANTS.get(name);
  if (value === undefined) throw new Error(`${name} is not in docs/reference/abi.md`);
  return value;
}

/** Words of a parameter set: offset, type, example. */
function words(algorithm: string): readonly (readonly [offset: number, type: string, example: number])[] {
  const section = PAGE.split(`### Parameter set: ${algorithm}\n`)[1]!.split('\n##')[0]!;
  return [...section.matchAll(/^\| +(\d+) \| (u32|f64) +\| `\w+` +\| +(\S+) \|/gm)].map(([, offset, type, example]) =>
    [Number(offset), type!, Number(example)] as const
  );
}

it('docs/reference/abi.md is up to date', async () => {
  expect(PAGE).toBe(await abiPage());
});

it('docs/reference/abi.md has all numbers that a WebAssembly host needs', () => {
  const { exports: made } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(WASM_FILE)));
  const engine = made as unknown as Readonly<Record<string, (...values: number[]) => number>> & {
    readonly memory: WebAssembly.Memory;
  };
  const sizes = { QPS: 4, ENDPOINTS: 1, ADDRESSES: 1, EVENTS: 16, PACKETS: 1, FRAME_BYTES: 64, ACCESS_RANGES: 1 };
  let memory = new DataView(engine.memory.buffer);
  for (const [name, value] of Object.entries(sizes))
    memory.setUint32(constant('CAPACITY_ADDRESS') + 4 * constant(`CAPACITY_${name}`), value, true);
  expect(engine['initialise']!()).toBe(1);
  memory = new DataView(engine.memory.buffer);
  const f64 = (at: number, value: number): void => memory.setFloat64(at, value, true);
  const region = (name: string): number =>
    memory.getUint32(constant('REGIONS_ADDRESS') + 4 * constant(`REGION_${name}`), true);
  for (const [offset, type, example] of words('dcqcn')) {
    const at = constant('PARAMETER_SETS_ADDRESS') + offset;
    if (type === 'u32') memory.setUint32(at, example, true);
    else f64(at, example);
  }
  f64(constant('SETTINGS_ADDRESS') + 8 * constant('SETTING_NP_MIN_TIME'), us(50));
  f64(constant('SETTINGS_ADDRESS') + 8 * constant('SETTING_RATE_ACTIONS'), 1);
  f64(constant('SETTINGS_ADDRESS') + 8 * constant('SETTING_ACCESS_RANGES'), 1);
  for (let key = 0; key < constant('HASH_KEY_COUNT'); key++)
    memory.setBigUint64(constant('HASH_KEYS_ADDRESS') + 8 * key, BigInt(2 * key + 1), true);
  for (const place of ['TX', 'RATE'])
    f64(constant('TELEMETRY_ADDRESS') + 8 * constant(`TELEMETRY_${place}`), constant('TELEMETRY_NO_FIELD'));
  engine['configure']!();
  const qp = engine['openQp']!(0, 17, 42, 0);
  const events = [[us(10), 'CNP', 0], [us(20), 'SENT', 1082], [us(200), 'TOUCH', 0]] as const;
  events.forEach(([timePs, kind, value], index) => {
    const at = region('EVENTS') + index * constant('EVENT_BYTES');
    f64(at + constant('EVENT_TIME'), timePs);
    memory.setUint32(at + constant('EVENT_QP'), qp, true);
    memory.setUint32(at + constant('EVENT_ARG'),
      ((constant(`EVENT_${kind}`) << constant('EVENT_KIND_SHIFT')) | value) >>> 0, true);
  });
  const actions = engine['applyEvents']!(events.length);
  const rates = Array.from({ length: actions },
    (_, index) =>
      memory.getFloat64(region('ACTIONS') + index * constant('ACTION_BYTES') + constant('ACTION_VALUE'), true));

  const wanted = createEngineSync({ parameterSets: { default: dcqcnSigcomm15({ lineRateBps: gbps(100) }) } });
  const same = wanted.openQp({ localQpn: 17, peerQpn: 42 });
  wanted.events.cnp(us(10), same);
  wanted.events.sent(us(20), same, 1082);
  wanted.events.touch(us(200), same);
  wanted.applyEvents();
  expect(rates).toStrictEqual([...wanted.actions].map((action) => (action.kind === 'rate' ? action.rateBps : NaN)));
  expect(memory.getFloat64(engine['stateAddress']!(qp) + constant('QP_RATE'), true)).toBe(wanted.rateBps(same));
});
