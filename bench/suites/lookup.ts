/**
 * Flow lookups: (address, endpoint, QPN) to QP, 32-byte keys in linear memory, in batches of 4096.
 *
 * Load 0.875 is the table as full as it gets (14 of 16 slots), 0.5 one made for 1.75 times the entries. Abseil's table has
 * a power of two of slots and is full at the same 0.875, so the full cases have 7/8 of a power of two of entries: both
 * tables are equally full then. In the others Abseil's is 0.48 to 0.5 full.
 */
import { REGION_FRAMES } from '../../src/abi/layout.js';
import { dcqcnSigcomm15 } from '../../src/config/algorithms/dcqcn/preset-sigcomm15.js';
import { gbps } from '../../src/units.js';
import { BenchEngine } from '../support/bench-engine.js';
import { localQpn, peerAddress, peerQpn } from '../support/frames.js';
import type { BenchCase, Variant } from '../support/interleave.js';
import { loadNative } from '../support/native-addon.js';
import { randomFrom } from '../support/random.js';
import { sizeName, type CasePlan, type Suite, type SuiteSize } from './suite.js';

const KEY_BYTES = 32;
const BATCH = 4096;
const SPARSE = 1.75;
const MAP_KEYS_MAX = 1_000_000;
const NATIVE = 'native C, same table';
const ABSL = 'absl::flat_hash_map';

export const lookupSuite: Suite = {
  name: 'lookup',
  about: 'flow lookups by address and QPN',
  plan(size: SuiteSize): readonly CasePlan[] {
    const counts = size.smoke ? [64, 8000] : [1000, 64_000, 1_000_000, 4_000_000];
    const lookups = size.smoke ? 2 ** 13 : 2 ** 19;
    return counts.flatMap((flows) =>
      [false, true].flatMap((full) => {
        const entries = full ? fullTable(flows) : flows;
        const load = `${sizeName(entries)} load ${full ? '0.875' : '0.5'}`;
        // One engine for both cases of a load: opening four million QPs takes longer than the lookups.
        const table = shared(2, () => new FlowTable(entries, full, lookups));
        return [
          {
            title: `lookup hit ${load}`,
            inBenny: flows <= 64_000,
            make: () => lookupCase(`lookup hit ${load}`, table(), true),
          },
          {
            title: `lookup miss ${load}`,
            inBenny: flows <= 64_000,
            make: () => lookupCase(`lookup miss ${load}`, table(), false),
          },
        ];
      })
    );
  },
};

/** 7/8 of the power of two that is nearest to this many slots. */
function fullTable(flows: number): number {
  return 2 ** Math.round(Math.log2(flows)) * 0.875;
}

/** Makes a value when it is first taken and forgets it when it was taken `uses` times. */
function shared<Value>(uses: number, make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  let left = uses;
  return () => {
    const { value } = (made ??= { value: make() });
    if (--left === 0) made = undefined;
    return value;
  };
}

/** An engine full of QPs, and in its frame arena: keys of hits, keys of misses, results. */
class FlowTable {
  readonly bench: BenchEngine;
  readonly hits: number;
  readonly misses: number;
  readonly results: number;
  readonly keys: Record<'hit' | 'miss', readonly string[]> = { hit: [], miss: [] };

  constructor(readonly flows: number, full: boolean, readonly lookups: number) {
    const qps = full ? flows : Math.ceil(flows * SPARSE);
    const keyBytes = Math.max(flows, 2 * lookups) * KEY_BYTES;
    this.bench = new BenchEngine({
      parameterSets: { default: dcqcnSigcomm15({ lineRateBps: gbps(100) }) },
      capacity: { qps, packets: 1, events: 1, frameBytes: keyBytes + lookups * 4 },
    });
    this.hits = this.bench.region(REGION_FRAMES);
    this.misses = this.hits + lookups * KEY_BYTES;
    this.results = this.hits + keyBytes;
    this.#open();
    this.#fillLibraries();
    this.#writeQueries();
  }

  #open(): void {
    for (let qp = 0; qp < this.flows; qp++) {
      this.bench.engine.openQp({ localQpn: localQpn(qp), peerAddress: peerAddress(qp), peerQpn: peerQpn(qp) });
    }
  }

  /** All keys, once, where the queries will be; the libraries copy them. */
  #fillLibraries(): void {
    const { tables } = loadNative();
    if (tables === undefined) return;
    for (let qp = 0; qp < this.flows; qp++) this.#writeKey(this.hits + qp * KEY_BYTES, qp, peerQpn(qp));
    tables.attach(this.bench.views.buffer);
    tables.fill(this.hits, this.flows);
  }

  #writeQueries(): void {
    const random = randomFrom(5);
    for (let i = 0; i < this.lookups; i++) {
      this.#writeKey(this.hits + i * KEY_BYTES, random() % this.flows, undefined);
      // An address that is there with a QPN that is not: what a stale or forged notification would carry.
      const other = random() % this.flows;
      this.#writeKey(this.misses + i * KEY_BYTES, other, (peerQpn(other) + 1 + (random() % 7)) & 0xffffff);
    }
  }

  #writeKey(at: number, qp: number, qpn: number | undefined): void {
    const { u8, u32 } = this.bench.views;
    u8.set(peerAddress(qp), at);
    u32[(at + 16) >> 2] = 0;
    u32[(at + 20) >> 2] = qpn ?? peerQpn(qp);
  }

  /** The key at `at` as text, for a Map. */
  textAt(at: number): string {
    const { u32 } = this.bench.views;
    return [0, 1, 2, 3, 5].map((word) => (u32[(at >> 2) + word] ?? 0).toString(36)).join(':');
  }
}

type Find = (keys: number, results: number, n: number) => void;

function lookupCase(title: string, table: FlowTable, hit: boolean): BenchCase {
  const first = hit ? table.hits : table.misses;
  const variants = finders(table).map(([name, find]) => finderVariant(table, name, first, find));
  if (table.flows <= MAP_KEYS_MAX) variants.push(mapVariant(table, first));
  return {
    title,
    unit: 'lookup',
    units: table.lookups,
    base: variants.some((variant) => variant.name === ABSL) ? ABSL : NATIVE,
    variants,
    check() {
      checkResults(title, table, variants, hit);
    },
  };
}

function finders(table: FlowTable): readonly (readonly [string, Find])[] {
  const { abi } = table.bench;
  const { engine, tables } = loadNative();
  const all: (readonly [string, Find])[] = [];
  for (const name of tables?.tables ?? []) all.push([name, (keys, results, n) => tables?.find(name, keys, results, n)]);
  if (engine !== undefined) {
    all.push([NATIVE, (keys, results, n) => {
      engine.findFlows(keys, results, n);
    }]);
    all.push([`${NATIVE}, with prefetch`, (keys, results, n) => {
      engine.findFlowsPrefetching(keys, results, n);
    }]);
  }
  all.push(['wasm', (keys, results, n) => {
    abi.findFlows(keys, results, n);
  }]);
  return all;
}

function finderVariant(table: FlowTable, name: string, first: number, find: Find): Variant {
  const { engine, tables } = loadNative();
  return {
    name,
    reset() {
      if (engine !== undefined) table.bench.lend(engine);
      tables?.attach(table.bench.views.buffer);
    },
    pass() {
      const begun = performance.now();
      for (let i = 0; i < table.lookups; i += BATCH) {
        find(first + i * KEY_BYTES, table.results + i * 4, Math.min(BATCH, table.lookups - i));
      }
      return performance.now() - begun;
    },
  };
}

/** The text of each key is made before: making it costs several times the lookup. */
function mapVariant(table: FlowTable, first: number): Variant {
  const map = new Map<string, number>();
  for (let qp = 0; qp < table.flows; qp++) {
    const address = new Uint32Array(peerAddress(qp).buffer);
    map.set([...address, peerQpn(qp)].map((word) => word.toString(36)).join(':'), qp);
  }
  const queries = Array.from({ length: table.lookups }, (_, i) => table.textAt(first + i * KEY_BYTES));
  const results = new Uint32Array(table.bench.views.buffer, table.results, table.lookups);
  return {
    name: 'Map, keys as ready text',
    reset() {
      results.fill(0);
    },
    pass() {
      const begun = performance.now();
      for (let i = 0; i < queries.length; i++) results[i] = map.get(queries[i] ?? '') ?? 0xffffffff;
      return performance.now() - begun;
    },
  };
}

function checkResults(title: string, table: FlowTable, variants: readonly Variant[], hit: boolean): void {
  const results = new Uint32Array(table.bench.views.buffer, table.results, table.lookups);
  let expected: Uint32Array | undefined;
  for (const variant of variants) {
    results.fill(7);
    variant.reset();
    variant.pass();
    expected ??= results.slice();
    const wrong = results.findIndex((qp, i) => qp !== expected?.[i] || (qp === 0xffffffff) === hit);
    if (wrong >= 0) {
      throw new Error(
        `${title}: ${variant.name} finds ${results[wrong] ?? ''} for key ${wrong}, not ${expected[wrong] ?? ''}`,
      );
    }
  }
}
