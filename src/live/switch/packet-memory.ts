/**
 * The packet memory of an emulated switch: lossless classes are accounted by ingress port, lossy ones by egress queue
 * in a shared pool.
 */
import { LossyPool, SharedBuffer } from '../../switching/shared-buffer.js';
import type { SwitchSettings } from './settings.js';

export class PacketMemory {
  readonly #shared: SharedBuffer;
  readonly #lossy: LossyPool | undefined;
  readonly #pauses: boolean;

  constructor(settings: SwitchSettings) {
    const { bufferBytes, reservedBytes, resumeOffsetBytes, guaranteedClasses, ports, pool } = settings;
    const sizes = { bufferBytes, reservedBytes, resumeOffsetBytes, guaranteedClasses };
    this.#shared = new SharedBuffer({ ...sizes, timesSetAside: settings.timesSetAside }, ports);
    this.#lossy = pool && new LossyPool(pool, ports.length);
    this.#pauses = settings.pfc;
  }

  admits(arrival: number, egress: number, trafficClass: number, lenBytes: number): boolean {
    if (this.#lossy?.isLossy(trafficClass) === true) return this.#lossy.admits(egress, trafficClass, lenBytes);
    return this.#shared.admits(arrival, trafficClass, lenBytes);
  }

  store(arrival: number, egress: number, trafficClass: number, lenBytes: number): void {
    if (this.#lossy?.isLossy(trafficClass) === true) this.#lossy.add(egress, trafficClass, lenBytes);
    else this.#shared.store(arrival, trafficClass, lenBytes);
  }

  release(arrival: number, egress: number, trafficClass: number, lenBytes: number): void {
    if (this.#lossy?.isLossy(trafficClass) === true) this.#lossy.add(egress, trafficClass, -lenBytes);
    else this.#shared.release(arrival, trafficClass, lenBytes);
  }

  /** Whether the neighbour at a port must be paused now. */
  beginsPause(port: number, trafficClass: number): boolean {
    return this.#mayPause(trafficClass) && this.#shared.beginPause(port, trafficClass);
  }

  /** Whether the neighbour may resume now. */
  endsPause(port: number, trafficClass: number): boolean {
    return this.#mayPause(trafficClass) && this.#shared.endPause(port, trafficClass);
  }

  forgetPauses(port: number): void {
    this.#shared.forgetPauses(port);
  }

  #mayPause(trafficClass: number): boolean {
    return this.#pauses && this.#lossy?.isLossy(trafficClass) !== true;
  }
}
