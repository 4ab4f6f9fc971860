/** Merges discovery packets into the kernel's records, in order of time. */
import type { PacketRecord } from '../result.js';

export class EarlyPackets {
  readonly #waiting: PacketRecord[];

  /**
   * Takes the packets that left captured ports. @param packets packets of discovery in order of time. @param ports captured
   * ports.
   */
  constructor(packets: readonly PacketRecord[], ports: readonly number[]) {
    const captured = new Set(ports);
    this.#waiting = packets.filter(({ port }) => captured.has(port));
  }

  /** The records of a slice, merged with the early packets that left before the last of them. */
  merged(records: readonly PacketRecord[]): readonly PacketRecord[] {
    const last = records.at(-1);
    if (last === undefined || this.#waiting.length === 0) return records;
    const due = this.#waiting.findIndex(({ timePs }) => timePs > last.timePs);
    const early = this.#waiting.splice(0, due < 0 ? this.#waiting.length : due);
    return [...early, ...records].sort((a, b) => a.timePs - b.timePs);
  }

  /** The early packets that remain at the end. */
  rest(): PacketRecord[] {
    return this.#waiting.splice(0);
  }
}
