// The simulator inside a program of one's own: progress while it runs, an end from outside, and what there is by then.
//
//   node examples/simulate.mjs [SCENARIO.json] [SECONDS]
import { readFileSync } from 'node:fs';
import { explainResult, parseScenario, runScenario } from 'roce-cc/sim';

const [file, seconds = '60'] = process.argv.slice(2);
const scenario = file === undefined ?
  {
    name: '16-to-1 incast, HPCC',
    topology: { kind: 'star', hosts: 17 },
    workload: { kind: 'incast', senders: 16, sizeBytes: 1_000_000 },
    algorithms: { hpcc: { preset: 'hpcc-sigcomm19' } },
  } :
  parseScenario(JSON.parse(readFileSync(file, 'utf8')));

const eventsPerSlice = 50_000;
const signal = AbortSignal.timeout(Number(seconds) * 1000);
const result = await watch(runScenario(scenario, { signal, eventsPerSlice }));
const { ended, flows, summary, totals } = result;
console.log(
  `${result.scenario.name}: ${ended}, ${summary.flowsDone} of ${flows.length} flows done after ${
    microseconds(result.simulatedPs)
  }`,
);
if (summary.completionPs !== null) {
  console.log(
    `completion: mean ${microseconds(summary.completionPs.mean)}, longest ${microseconds(summary.completionPs.max)}`,
  );
}
console.log(
  `longest queue: ${summary.maxQueueBytes} bytes at ${summary.maxQueuePort}; ${totals.marks} marks, ${totals.pauses} pauses`,
);
console.log(`hash ${result.hash}`);
for (const { topic, answer } of explainResult(result)) console.log(`${topic}: ${answer}`);

// The same run once more, ended after its first slice of events: as when a user presses a button.
const run = runScenario(scenario, { eventsPerSlice });
for await (const { events } of run) if (events > 0) run.cancel();
const part = await run.result;
console.log(
  `stopped: ${part.ended}, ${part.flows.filter(({ completionPs }) => completionPs === null).length} flows unfinished`,
);

/** Runs a scenario; what it shows on the way goes to stderr. */
async function watch(run) {
  for await (const progress of run) show(progress);
  return run.result;
}

function show({ nowPs, bytesDelivered, bytesTotal, packetHops }) {
  if (!process.stderr.isTTY) return;
  process.stderr.write(
    `${microseconds(nowPs)}: ${
      Math.round((100 * bytesDelivered) / bytesTotal)
    } % delivered, ${packetHops} transmissions\r`,
  );
}

function microseconds(timePs) {
  return `${(timePs / 1e6).toFixed(1)} us`;
}
