// What is in a capture: frames by class, and the hops that the first Fast CNP with option 2 tells of.
//
//   node examples/dissect-capture.mjs [FILE]
import { fileURLToPath } from 'node:url';
import { readCaptureFile } from 'roce-cc/capture/node';
import { createDissector, describe, readOptionContents } from 'roce-cc/packet';

const bundled = fileURLToPath(new URL('data/incast.pcap.gz', import.meta.url));
const file = process.argv[2] ?? bundled;

/** One dissector per link type: its options are checked once. */
const dissectors = new Map();
const counts = {};
let fastCnp;
for await (const { bytes, originalBytes, linkType } of readCaptureFile(file)) {
  if (!dissectors.has(linkType)) dissectors.set(linkType, createDissector({ linkType }));
  const packet = dissectors.get(linkType)(bytes, originalBytes);
  counts[packet.class] = (counts[packet.class] ?? 0) + 1;
  if (packet.class === 'fast-cnp-2') fastCnp ??= packet;
}
console.log(counts);

if (fastCnp !== undefined) {
  console.log(describe(fastCnp));
  const header = fastCnp.layers.find(({ kind }) => kind === 'destination-options').value;
  for (const option of header.options) {
    const { trace } = readOptionContents(option, 'destination-options') ?? {};
    for (const node of trace?.nodes ?? []) console.log(node);
  }
}
