/**
 * All-reduce by NVLS (docs/specs/workloads.md, 4.4): each GPU sends the buffer to its NVSwitch in 4 chunks; when the
 * switch has a chunk of all members, it sends the sum to each. Chunks use the GPU's NVLink one after another, in each
 * direction.
 *
 * Deviation: such messages are not sent as packets, because no switch of the network can terminate a flow; they do not
 * share the link with other collectives.
 */
import { partBytes, type MessageList, type NewMessage } from '../../collectives/message-list.js';

/** Number of chunks in SimAI's all-reduce by NVLS. */
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
