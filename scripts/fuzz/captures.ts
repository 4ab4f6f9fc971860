/** Captures: damaged files through the reader, the dissector and the replay. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { readCaptureBatches } from '../../src/capture/index.js';
import { RoceError } from '../../src/errors.js';
import { dcqcnSigcomm15, gbps } from '../../src/index.js';
import { parseFlows, replay } from '../../src/replay/index.js';
import { makeFuzzer } from './fuzzer.js';
import { mutateBytes } from './mutate.js';
import type { Random } from './random.js';

const FOLDER = new URL('../../test/captures/small/', import.meta.url);
const FILES = ['mixed_50.pcap', 'mixed_50.pcapng', 'mixed_50.pcap.gz', 'mixed_odd.pcapng', 'mixed_be_us_50.pcap'];
const bases = FILES.map((name) => new Uint8Array(readFileSync(new URL(name, FOLDER))));
/** The buffers of the default take longer to make than such a file to read. */
const SMALL = { maxFrames: 64, batchBytes: 4096 };
const LINK_TYPE_AT = 20;
const PCAP_FILES = [0, 4];
const parameters = dcqcnSigcomm15({ lineRateBps: gbps(100) });
const flows = parseFlows(
  'sender_addr,sender_qpn,peer_addr,peer_qpn\n10.0.0.1,1,10.0.0.2,2\n2001:db8::1,3,2001:db8::2,4\n',
  'flows.csv',
);

interface CaptureInput {
  readonly base64: string;
  readonly chunkBytes: number;
}

function make(random: Random): CaptureInput {
  const index = random.below(bases.length);
  const base = bases[index].slice();
  if (PCAP_FILES.includes(index) && random.oneIn(3))
    base[LINK_TYPE_AT + (index === 0 ? 0 : 3)] = random.of([101, 113, 228]);
  const changed = mutateBytes(random, base);
  const bytes = random.oneIn(8) ? gzipSync(changed) : changed;
  return { base64: Buffer.from(bytes).toString('base64'), chunkBytes: random.of([1 << 20, 1000, 17]) };
}

async function check({ base64, chunkBytes }: CaptureInput): Promise<void> {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'));
  const { error, totals, capture } = await replay(readCaptureBatches(chunksOf(bytes, chunkBytes), SMALL), {
    parameters,
    flows,
  });
  if (error !== undefined && !(error instanceof RoceError)) throw new Error('no RoceError', { cause: error });
  const { handled, ignored, rejected, unsupportedLink } = totals;
  if (capture.frames !== handled + ignored + rejected + unsupportedLink)
    throw new Error(`frames are lost: ${JSON.stringify(totals)}`);
}

async function* chunksOf(bytes: Uint8Array, chunkBytes: number): AsyncGenerator<Uint8Array, undefined> {
  await Promise.resolve();
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.slice(at, at + chunkBytes);
}

export const captures = makeFuzzer('captures', make, check);
