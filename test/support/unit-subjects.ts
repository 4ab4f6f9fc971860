/**
 * The small parts of a simulated network, behind one interface, so that one table tests every make of them against the
 * reference simulator's own numbers.
 */
import { existsSync } from 'node:fs';

/** A switch's packet memory, ports and classes by index. */
export interface BufferSubject {
  admits(port: number, trafficClass: number, lenBytes: number): boolean;
  store(port: number, trafficClass: number, lenBytes: number): void;
  release(port: number, trafficClass: number, lenBytes: number): void;
  /** True where the neighbour is to pause, or to resume, from now on. */
  beginPause(port: number, trafficClass: number): boolean;
  endPause(port: number, trafficClass: number): boolean;
  thresholdBytes(port: number): number;
  ingressBytes(port: number, trafficClass: number): number;
  headroomBytes(port: number, trafficClass: number): number;
  sharedUsedBytes(): number;
}

export interface BufferSettings {
  readonly bufferBytes: number;
  readonly reservedBytes: number;
  readonly resumeOffsetBytes: number;
  readonly ports: readonly { readonly headroomBytes: number; readonly thresholdShift: number }[];
}

/** A part that a subject doesn't have alone is left out. */
export interface UnitSubject {
  readonly ecmpHash?: (sourceAddress: number, destinationAddress: number, sourcePort: number, destinationPort: number,
    seed: number) => number;
  readonly txTimePs?: (lenBytes: number, rateBps: number) => number;
  readonly markProbability?: (thresholds: { kminBytes: number; kmaxBytes: number; pmax: number },
    queueBytes: number) => number;
  readonly createBuffer?: (settings: BufferSettings) => BufferSubject;
}

export interface NamedUnits {
  readonly name: string;
  readonly missing: boolean;
  readonly load: () => Promise<UnitSubject>;
}

const SIM = '../../src/sim/';

interface SharedBufferLike extends Omit<BufferSubject, 'ingressBytes' | 'headroomBytes' | 'sharedUsedBytes'> {
  readonly sharedUsedBytes: number;
  occupancy(port: number, trafficClass: number): { readonly ingressBytes: number; readonly headroomBytes: number };
}

interface ModelUnits {
  readonly ecmpHash: (tuple: Readonly<Record<string, number>>, seed: number) => number;
  readonly ns3TxTimePs: NonNullable<UnitSubject['txTimePs']>;
  readonly markProbability: NonNullable<UnitSubject['markProbability']>;
  readonly SharedBuffer: new(sizes: BufferSettings, ports: BufferSettings['ports']) => SharedBufferLike;
}

async function loadModel(): Promise<UnitSubject> {
  const files = ['model/marking.ts', 'model/shared-buffer.ts', 'compile/ecmp-hash.ts', 'compile/tx-time.ts'];
  const modules = await Promise.all(
    files.map((file) => import(new URL(SIM + file, import.meta.url).href) as Promise<Partial<ModelUnits>>),
  );
  const units = Object.assign({}, ...modules) as ModelUnits;
  return {
    ecmpHash: (sourceAddress, destinationAddress, sourcePort, destinationPort, seed) =>
      units.ecmpHash({ sourceAddress, destinationAddress, sourcePort, destinationPort }, seed),
    txTimePs: units.ns3TxTimePs,
    markProbability: units.markProbability,
    createBuffer: (settings) => {
      const buffer = new units.SharedBuffer(settings, settings.ports);
      return {
        admits: (...packet) => buffer.admits(...packet),
        store: (...packet) => {
          buffer.store(...packet);
        },
        release: (...packet) => {
          buffer.release(...packet);
        },
        beginPause: (...of) => buffer.beginPause(...of),
        endPause: (...of) => buffer.endPause(...of),
        thresholdBytes: (port) => buffer.thresholdBytes(port),
        ingressBytes: (...of) => buffer.occupancy(...of).ingressBytes,
        headroomBytes: (...of) => buffer.occupancy(...of).headroomBytes,
        sharedUsedBytes: () => buffer.sharedUsedBytes,
      };
    },
  };
}

/** The kernel's parts, in sim.wasm. */
const KERNEL = './kernel-units.ts';

async function loadKernel(): Promise<UnitSubject> {
  const module = (await import(new URL(KERNEL, import.meta.url).href)) as { loadUnits: () => Promise<UnitSubject> };
  return module.loadUnits();
}

function isThere(path: string): boolean {
  return existsSync(new URL(path, import.meta.url));
}

export const UNIT_SUBJECTS: readonly NamedUnits[] = [
  { name: 'the kernel', missing: !isThere(KERNEL), load: loadKernel },
  { name: 'the plain model', missing: !isThere(`${SIM}model/shared-buffer.ts`), load: loadModel },
];
