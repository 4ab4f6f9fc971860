/** Topology files of other programs: known by their first word. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { readHtsimTopology } from '../../workloads/htsim/read-topology.js';
import { readSimaiTopology, type SimaiTopology } from '../../workloads/simai/read-topology.js';
import type { LinkFailure, WorkloadTopology } from '../../workloads/index.js';

const HEAD_BYTES = 4096;

/** SimAI's begin with a number, htsim's with a key or a comment. @throws RoceError; errors of the system, which name the file. */
export async function readTopologyFile(file: string, failures: readonly LinkFailure[] = []): Promise<
  WorkloadTopology | SimaiTopology
> {
  const isSimai = failures.length === 0 && /^\s*\d/.test(await headOf(file));
  const source = createReadStream(file);
  return isSimai ? readSimaiTopology(source, { name: file }) : readHtsimTopology(source, { name: file, failures });
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
