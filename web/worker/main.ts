/** The simulator's side of the lab: one scenario at a time, by messages. */
import './no-eval.js';
import { SCENARIO_SCHEMA } from '../../src/sim/index.js';
import { PRESET_SETS } from '../../src/sim/compile/parameter-sets.js';
import type { FromWorker, LinkPackets, Outcome, ToWorker } from '../protocol/run-protocol.js';
import { exportedFile } from './exports.js';
import { LinkRecorder } from './link-packets.js';
import { rateTrace } from './rate-trace.js';
import { RunJob, type FinishedRun } from './run-job.js';
import { buffersOf } from './sample-buffer.js';
import { compileText, rejectionOf, scenarioFacts } from './scenario-facts.js';

let job: RunJob | undefined;
let finished: FinishedRun | undefined;

function post(message: FromWorker, transfer: Transferable[] = []): void {
  postMessage(message, { transfer });
}

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.type === 'pause') job?.pause();
  else if (data.type === 'resume') job?.resume();
  else if (data.type === 'stop') job?.stop();
  else void answer(data as Request);
});

type Request = Extract<ToWorker, { readonly id: number }>;

async function answer(request: Request): Promise<void> {
  try {
    await handle(request);
  } catch (error) {
    post({ type: 'rejected', id: request.id, rejection: rejectionOf(error) });
  }
}

async function handle(request: Request): Promise<void> {
  const { id } = request;
  if (request.type === 'schema')
    post({ type: 'schema', id, schema: SCENARIO_SCHEMA, presets: Object.keys(PRESET_SETS) });
  else if (request.type === 'check') post({ type: 'facts', id, facts: scenarioFacts(compileText(request.text)) });
  else if (request.type === 'run') await run(id, request.text);
  else if (request.type === 'packets') await packets(id, request.text, request.ports);
  else if (request.type === 'rates') {
    const trace = await rateTrace(request.text, request.flow);
    post({ type: 'rates', id, trace }, arraysOf(trace));
  } else await exportFile(request);
}

async function run(id: number, text: string): Promise<void> {
  job?.stop();
  const compiled = compileText(text);
  post({ type: 'facts', id, facts: scenarioFacts(compiled) });
  const mine = new RunJob(compiled, {
    onSamples: (chunk, progress) => {
      post({ type: 'samples', id, chunk, progress }, buffersOf(chunk));
    },
  });
  job = mine;
  const done = await mine.run();
  if (job === mine) {
    job = undefined;
    finished = done;
  }
  post({ type: 'done', id, outcome: done.outcome }, outcomeBuffers(done.outcome));
}

async function packets(id: number, text: string, names: readonly [string, string]): Promise<void> {
  const compiled = compileText(text);
  const ports = [compiled.portNames.indexOf(names[0]), compiled.portNames.indexOf(names[1])] as const;
  const recorder = new LinkRecorder(ports);
  await new RunJob(compiled, { onSamples: () => undefined, onPackets: recorder.add }, ports).run();
  const taken = recorder.take(names);
  post({ type: 'packets', id, packets: taken }, arraysOf(taken));
}

async function exportFile({ id, kind, port }: Extract<ToWorker, { readonly type: 'export' }>): Promise<void> {
  if (finished === undefined) throw new Error('Run the scenario first: there is nothing to export yet.');
  post({ type: 'file', id, ...await exportedFile(finished, kind, port) });
}

function outcomeBuffers({ ports, flows, pauses }: Outcome): Transferable[] {
  return [...arraysOf(ports), ...arraysOf(flows), ...arraysOf(pauses)];
}

function arraysOf(columns: object | LinkPackets): Transferable[] {
  return Object.values(columns).flatMap((column: unknown) =>
    ArrayBuffer.isView(column) && column.buffer instanceof ArrayBuffer ? [column.buffer] : []
  );
}
