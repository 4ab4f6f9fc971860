/**
 * The lab's simulator worker: handles one scenario at a time, by messages from the page; in the sandbox of a custom
 * algorithm, through a port.
 */
import './no-eval.js';
import { SCENARIO_SCHEMA, type CompiledScenario } from '../../src/sim/index.js';
import { PRESET_ALGORITHMS } from '../../src/config/algorithms/registry.js';
import type { FromWorker, LinkPackets, OfScenario, Outcome, ToWorker } from '../protocol/run-protocol.js';
import { beat, sendBeatsTo } from './beats.js';
import { algorithmOfWorker, codeUrl, declarationOf, loadAlgorithm } from './custom-algorithm.js';
import { exportedFile } from './exports.js';
import { LinkRecorder } from './link-packets.js';
import { rateTrace } from './rate-trace.js';
import { rejectionOf } from './rejection.js';
import { RunJob, type FinishedRun } from './run-job.js';
import { buffersOf } from './sample-buffer.js';
import { compileText, scenarioFacts } from './scenario-facts.js';

const PRESETS = Object.keys(PRESET_ALGORITHMS);

let job: RunJob | undefined;
let finished: FinishedRun | undefined;
let port: MessagePort | undefined;

function post(message: FromWorker, transfer: Transferable[] = []): void {
  if (port === undefined) postMessage(message, { transfer });
  else port.postMessage(message, { transfer });
}

addEventListener('message', ({ data, ports: [given] }: MessageEvent<ToWorker>) => {
  if (given === undefined) {
    receive(data);
    return;
  }
  port = given;
  sendBeatsTo((stage) => {
    post({ type: 'beat', id: 0, stage });
  });
  given.onmessage = (event: MessageEvent<ToWorker>) => {
    receive(event.data);
  };
});

function receive(message: ToWorker): void {
  if (message.type === 'pause') job?.pause();
  else if (message.type === 'resume') job?.resume();
  else if (message.type === 'stop') job?.stop();
  else void answer(message as Request);
}

type Request = Extract<ToWorker, { readonly id: number }>;

async function answer(request: Request): Promise<void> {
  try {
    await handle(request);
  } catch (error) {
    post({ type: 'rejected', id: request.id, rejection: rejectionOf(error, codeUrl()) });
  }
}

async function handle(request: Request): Promise<void> {
  const { id } = request;
  if (request.type === 'algorithm') {
    beat('code');
    post({ type: 'algorithm', id, algorithm: declarationOf(await loadAlgorithm(request.parts)) });
    return;
  }
  const algorithm = await algorithmOfWorker();
  const compiled = ({ text, graphs }: OfScenario): CompiledScenario => {
    beat('scenario');
    return compileText(text, algorithm, graphs);
  };
  if (request.type === 'schema')
    post({ type: 'schema', id, schema: SCENARIO_SCHEMA, presets: PRESETS });
  else if (request.type === 'check') post({ type: 'facts', id, facts: scenarioFacts(compiled(request)) });
  else if (request.type === 'run') await run(id, () => compiled(request));
  else if (request.type === 'packets') await packets(id, compiled(request), request.ports);
  else if (request.type === 'rates') {
    const trace = await rateTrace(compiled(request), request.flow, request.simTrace);
    post({ type: 'rates', id, trace }, arraysOf(trace));
  } else await exportFile(request);
}

async function run(id: number, compile: () => CompiledScenario): Promise<void> {
  job?.stop();
  const compiled = compile();
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

async function packets(id: number, compiled: CompiledScenario, names: readonly [string, string]): Promise<void> {
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
