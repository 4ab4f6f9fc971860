/**
 * All-reduce by NVLS (docs/specs/workloads.md, 4.4): each GPU sends the buffer to its NVSwitch in 4 chunks; when the switch has a
 * chunk of all members, it sends the sum to each. A chunk takes the time of the GPU's NVLink, one after the other each way.
 *
 * Deviation: such messages take no packets, as no switch of the network can end a flow; their bytes are no frames, and don't share
 * the link with those of other collectives.
 */
import { partBytes, type MessageList, type NewMessage } from '../../collectives/message-list.js';

/** Of SimAI's all-reduce by NVLS. */
export const NVLS_CHUNKS = 4;
/** Streams: the two directions of a GPU's NVLink. */
const [UP, DOWN] = [0, 1];

export function addNvls(list: MessageList, n: number, sizeBytes: number): void {
  for (let step = 0; step < NVLS_CHUNKS; step++) {
    const bytes = partBytes(sizeBytes, NVLS_CHUNKS, step);
    const message = (stream: number, rank: number): NewMessage => ({
      step,
      from: rank,
      to: rank,
      bytes,
      stream,
      isLocal: true,
    });
    const up = Array.from({ length: n }, (_, rank) => list.add(message(UP, rank)));
    for (let rank = 0; rank < n; rank++) list.add(message(DOWN, rank), up);
  }
}
