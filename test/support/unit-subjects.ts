/**
 * The small parts of a simulated network, behind one interface, so that one table tests every implementation of them against the
 * reference simulator's own numbers.
 */
import { ns3TxTimePs } from '../../src/sim/compile/paths.js';
import { ecmpHash } from '../../src/switching/ecmp-hash.js';
import { markProbability } from '../../src/switching/congestion-judge.js';
import { SharedBuffer } from '../../src/switching/shared-buffer.js';
import { kernelUnits } from './kernel-units.js';

/** A switch's packet memory, ports and classes by index. */
export interface BufferSubject {
  admits(port: number, trafficClass: number, lenBytes: number): boolean;
  store(port: number, trafficClass: number, lenBytes: number): void;
  release(port: number, trafficClass: number, lenBytes: number): void;
  /** True if the neighbour must pause, or resume, from now on. */
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

export interface UnitSubject {
  readonly name: string;
  readonly ecmpHash: (sourceAddress: number, destinationAddress: number, sourcePort: number, destinationPort: number,
    seed: number) => number;
  readonly txTimePs: (lenBytes: number, rateBps: number) => number;
  readonly markProbability: (thresholds: { kminBytes: number; kmaxBytes: number; pmax: number },
    queueBytes: number) => number;
  readonly createBuffer: (settings: BufferSettings) => BufferSubject;
}

function modelBuffer(settings: BufferSettings): BufferSubject {
  const buffer = new SharedBuffer(settings, settings.ports);
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
}

const MODEL: UnitSubject = {
  name: 'the plain model',
  ecmpHash: (sourceAddress, destinationAddress, sourcePort, destinationPort, seed) =>
    ecmpHash({ sourceAddress, destinationAddress, sourcePort, destinationPort }, seed),
  txTimePs: ns3TxTimePs,
  markProbability,
  createBuffer: modelBuffer,
};

export const UNIT_SUBJECTS: readonly UnitSubject[] = [{ name: 'the kernel', ...kernelUnits() }, MODEL];
