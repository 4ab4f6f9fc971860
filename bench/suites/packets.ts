/**
 * Raw frames to state: parse, find endpoints and QPs, react. Native C does the same in one pass, on the same memory.
 */
import { DESCRIPTOR_BYTES, REGION_DESCRIPTORS, REGION_FRAMES } from '../../src/abi/layout.js';
import { dcqcnSigcomm15 } from '../../src/config/algorithms/dcqcn/preset-sigcomm15.js';
import { gbps } from '../../src/units.js';
import { BenchEngine, checkSame } from '../support/bench-engine.js';
import { limitingStream } from '../support/event-stream.js';
import { frameStream, LOCAL_ADDRESS, localQpn, peerAddress, peerQpn, type FrameStream } from '../support/frames.js';
import type { BenchCase, Variant } from '../support/interleave.js';
import { MapOfPackets } from '../support/map-of-packets.js';
import { loadNative } from '../support/native-addon.js';
import { applyAll } from './dcqcn.js';
import { sizeName, type CasePlan, type Suite, type SuiteSize } from './suite.js';

const BATCH = 4096;
const SMALL_BATCH = 64;
const NATIVE = 'native C, one pass';
const PARAMETERS = dcqcnSigcomm15({ lineRateBps: gbps(100) });
/** Beyond this many QPs the slowest variant takes minutes and shows nothing new. */
const MAP_QPS_MAX = 64_000;

export const packetsSuite: Suite = {
  name: 'packets',
  about: 'raw frames, from bytes to state',
  plan(size: SuiteSize): readonly CasePlan[] {
    const counts = size.smoke ? [64, 8000] : [1000, 64_000, 1_000_000];
    const frames = size.smoke ? 2 ** 13 : 2 ** 18;
    return counts.map((qps) => ({
      title: `packets ${sizeName(qps)}`,
      inBenny: qps <= 1000,
      make: () => packetsCase(qps, frames),
    }));
  },
};

function packetsCase(qps: number, frames: number): BenchCase {
  const title = `packets ${sizeName(qps)}`;
  const stream = frameStream(qps, frames);
  const inPlace = engineFor(qps, stream.bytes.length);
  inPlace.views.u8.set(stream.bytes, inPlace.region(REGION_FRAMES));
  const inMemory = [...nativeVariants(inPlace, stream), ...wasmVariants(inPlace, stream)];
  const variants = [...inMemory, addVariant(qps, stream)];
  if (qps <= MAP_QPS_MAX) variants.push(mapVariant(qps, stream));
  return {
    title,
    unit: 'packet',
    units: frames,
    base: `${NATIVE}, batch ${BATCH}`,
    variants,
    check() {
      checkSame(title, inPlace, inMemory, 'state');
      checkSame(title, inPlace, inMemory.filter((variant) => variant.name.includes(`batch ${BATCH}`)), 'all');
    },
  };
}

function engineFor(qps: number, frameBytes: number): BenchEngine {
  const bench = new BenchEngine({
    parameterSets: { default: PARAMETERS },
    fastCnp: { enabled: true, defaultAction: 'allow' },
    capacity: { qps, events: BATCH, packets: BATCH, frameBytes },
  });
  const endpoint = bench.engine.addEndpoint([LOCAL_ADDRESS]);
  for (let qp = 0; qp < qps; qp++) {
    bench.engine.openQp({ endpoint, localQpn: localQpn(qp), peerAddress: peerAddress(qp), peerQpn: peerQpn(qp) });
  }
  applyAll(bench, limitingStream(qps), BATCH, (n) => bench.abi.applyEvents(n));
  bench.save();
  return bench;
}

type Apply = (n: number) => number;

/** Times the calls only; the frames lie in memory, their descriptors are copied in before each call. */
function applyFrames(bench: BenchEngine, stream: FrameStream, batch: number, apply: Apply): number {
  const { u8 } = bench.views;
  const region = bench.region(REGION_DESCRIPTORS);
  let spent = 0;
  for (let from = 0; from < stream.length; from += batch) {
    const to = Math.min(from + batch, stream.length);
    u8.set(stream.descriptors.subarray(from * DESCRIPTOR_BYTES, to * DESCRIPTOR_BYTES), region);
    const begun = performance.now();
    bench.actions = apply(to - from);
    spent += performance.now() - begun;
  }
  return spent;
}

function nativeVariants(bench: BenchEngine, stream: FrameStream): Variant[] {
  const native = loadNative().engine;
  if (native === undefined) return [];
  const reset = (): void => {
    bench.restore();
    bench.lend(native);
  };
  const pass = (batch: number) => () => applyFrames(bench, stream, batch, (n) => native.applyPackets(n));
  return [{ name: `${NATIVE}, batch ${BATCH}`, reset, pass: pass(BATCH) }];
}

function wasmVariants(bench: BenchEngine, stream: FrameStream): Variant[] {
  const reset = (): void => {
    bench.restore();
  };
  const pass = (batch: number) => () => applyFrames(bench, stream, batch, (n) => bench.abi.applyPackets(n));
  return [
    { name: `wasm, batch ${BATCH}`, reset, pass: pass(BATCH) },
    { name: `wasm, batch ${SMALL_BATCH}`, reset, pass: pass(SMALL_BATCH) },
  ];
}

/** The public way in: `engine.packets.add` copies each frame, then `engine.applyPackets`. */
function addVariant(qps: number, stream: FrameStream): Variant {
  const bench = engineFor(qps, BATCH * 128);
  const frames = Array.from(stream.offset,
    (offset, i) => stream.bytes.subarray(offset, offset + (stream.captured[i] ?? 0)));
  return {
    name: `add + apply, batch ${BATCH}`,
    reset() {
      bench.restore();
    },
    pass() {
      const { engine } = bench;
      const begun = performance.now();
      for (let from = 0; from < stream.length; from += BATCH) {
        const to = Math.min(from + BATCH, stream.length);
        for (let i = from; i < to; i++) {
          const frame = frames[i];
          if (frame !== undefined) engine.packets.add(stream.timePs[i] ?? 0, frame, stream.original[i]);
        }
        engine.applyPackets();
      }
      return performance.now() - begun;
    },
  };
}

function mapVariant(qps: number, stream: FrameStream): Variant {
  const map = new MapOfPackets(qps, PARAMETERS, LOCAL_ADDRESS);
  map.limitAll(limitingStream(qps));
  const saved = map.save();
  return {
    name: 'Map of objects, keys as text',
    reset() {
      map.restore(saved);
    },
    pass() {
      const begun = performance.now();
      for (let from = 0; from < stream.length; from += BATCH) {
        map.apply(stream, from, Math.min(from + BATCH, stream.length));
      }
      return performance.now() - begun;
    },
  };
}
