/** Reads topology files of other programs, recognised by their first word. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { readHtsimTopology } from '../../workloads/htsim/read-topology.js';
import { readNcclTopology } from '../../workloads/nccl-xml/read-nccl-topology.js';
import { readSimaiTopology, type SimaiTopology } from '../../workloads/simai/read-topology.js';
import type { LinkFailure, WorkloadTopology } from '../../workloads/index.js';

const HEAD_BYTES = 4096;

/**
 * Reads a topology file. SimAI's begin with a number, NCCL's with a tag, htsim's with a key or a comment.
 *
 * @param ranks number of ranks. An NCCL file describes one server; the network has as many as the ranks need.
 * @throws RoceError; system errors, which name the file.
 */
export async function readTopologyFile(file: string, ranks: number, failures: readonly LinkFailure[] = []): Promise<
  WorkloadTopology | SimaiTopology
> {
  const head = await headOf(file);
  const source = createReadStream(file);
  if (isNcclXml(head)) return readNcclTopology(source, { name: file, ranks });
  const isSimai = failures.length === 0 && /^\s*\d/.test(head);
  return isSimai ? readSimaiTopology(source, { name: file }) : readHtsimTopology(source, { name: file, failures });
}

/** Whether a file with this beginning is an NCCL topology. */
export function isNcclXml(head: string): boolean {
  return /^\s*</.test(head);
}

/** The first characters of a file. */
export async function headOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}
