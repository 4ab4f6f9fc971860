// Compares the simulator of star.ts with roce-cc/sim on the same incasts.
//
//   npx tsx examples/embed/compare.ts
import { isDeepStrictEqual } from 'node:util';
import { runScenarioSync } from 'roce-cc/sim';
import { simulate, type Control } from './star.js';

const CONTROLS: readonly Control[] = ['dcqcn', 'hpcc', 'fast-cnp'];

/** What both find: when each flow was done, and the longest queue. */
function findings(senders: number, control: Control) {
  const { flows, summary } = runScenarioSync({
    name: `${senders} senders`,
    topology: { kind: 'star', hosts: senders + 1 },
    workload: { kind: 'incast', senders, sizeBytes: 1_000_000 },
    algorithms: { all: { preset: control === 'hpcc' ? 'hpcc-sigcomm19' : 'dcqcn-sigcomm15' } },
    switches: { pfc: false, bufferBytes: 1e9, fastCnp: { enabled: control === 'fast-cnp' } },
  });
  const theirs = { completionPs: flows.map(({ completionPs }) => completionPs), maxQueueBytes: summary.maxQueueBytes };
  const { completionPs, maxQueueBytes } = simulate(senders, control);
  return { ours: { completionPs, maxQueueBytes }, theirs };
}

for (const control of CONTROLS) {
  for (const senders of [4, 16, 64]) {
    const { ours, theirs } = findings(senders, control);
    const lastUs = Math.max(...ours.completionPs) / 1e6;
    const verdict = isDeepStrictEqual(ours, theirs) ? 'equal' : 'different';
    console.log(`${control}, ${senders} senders: ${lastUs} us, queue up to ${ours.maxQueueBytes} bytes: ${verdict}`);
  }
}
