/** Collects the packets of one link, for the close-up of the link. */
import type { PacketRecord } from '../../src/sim/index.js';
import { PACKET_KINDS, type LinkPackets } from '../protocol/run-protocol.js';

/** Maximum packets kept; more would fill the page's memory. */
const PACKETS_MAX = 60_000;

export class LinkRecorder {
  readonly #ports: readonly [number, number];
  readonly #records: PacketRecord[] = [];
  #leftOut = 0;

  constructor(ports: readonly [number, number]) {
    this.#ports = ports;
  }

  readonly add = (records: readonly PacketRecord[]): void => {
    for (const record of records) {
      if (this.#records.length < PACKETS_MAX) this.#records.push(record);
      else this.#leftOut++;
    }
  };

  take(ports: readonly [string, string]): LinkPackets {
    const records = this.#records;
    return {
      ports,
      timePs: Float64Array.from(records, ({ timePs }) => timePs),
      side: Uint8Array.from(records, ({ port }) => (port === this.#ports[0] ? 0 : 1)),
      kind: Uint8Array.from(records, ({ kind }) => PACKET_KINDS.indexOf(kind)),
      flow: Int32Array.from(records, ({ flow }) => flow),
      lenBytes: Uint16Array.from(records, ({ lenBytes }) => lenBytes),
      isMarked: Uint8Array.from(records, ({ marked }) => (marked ? 1 : 0)),
      leftOut: this.#leftOut,
    };
  }
}
