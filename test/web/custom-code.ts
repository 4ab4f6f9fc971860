/** Code of custom algorithms for tests of the lab, and its result in Node. */
import { readFileSync } from 'node:fs';
import * as algorithmModule from '../../src/algorithm/index.js';
import { runScenarioSync, type ScenarioSpec } from '../../src/sim/index.js';

const ROOT = new URL('../../', import.meta.url);
const SHARED = Symbol.for('roce-cc test: algorithm');

export const AIMD = readFileSync(new URL('examples/algorithms/aimd.js', ROOT), 'utf8');
/** The lab's first scenario. */
export const SCENARIO_TEXT = readFileSync(new URL('web/scenarios/four-flows.json', ROOT), 'utf8');
const SCENARIO = JSON.parse(SCENARIO_TEXT) as ScenarioSpec;

/** Hash of that scenario under the code, run in Node. */
export async function hashWithCode(code: string, parameters?: object): Promise<string> {
  Object.defineProperty(globalThis, SHARED, { value: algorithmModule, configurable: true });
  const text = code.replace(/import (.*) from 'roce-cc\/algorithm'/,
    "const $1 = globalThis[Symbol.for('roce-cc test: algorithm')]");
  const { default: algorithm } = await import(`data:text/javascript,${encodeURIComponent(text)}`) as {
    readonly default: algorithmModule.CustomAlgorithm;
  };
  const spec = { preset: algorithm.name, ...(parameters && { parameters }) };
  const algorithms = Object.fromEntries(Object.keys(SCENARIO.algorithms ?? {}).map((name) => [name, spec]));
  return runScenarioSync({ ...SCENARIO, algorithms } as ScenarioSpec, { algorithms: [algorithm] }).hash;
}

/**
 * Code that tries every network API of a worker, and throws the names of those that worked as JSON.
 *
 * @param target address of a server, with a slash at its end.
 */
export function codeThatCallsHome(target: string): string {
  return `${AIMD}
const at = (name) => '${target}leak-' + name;
const attempts = {
  fetch: () => fetch(at('fetch'), { mode: 'no-cors' }),
  xhr: () => new Promise((open, shut) => {
    const request = new XMLHttpRequest();
    Object.assign(request, { onload: open, onerror: shut });
    request.open('GET', at('xhr'));
    request.send();
  }),
  socket: () => new Promise((open, shut) => {
    Object.assign(new WebSocket(at('socket').replace('http', 'ws')), { onopen: open, onerror: shut });
  }),
  events: () => new Promise((open, shut) => {
    Object.assign(new EventSource(at('events')), { onopen: open, onerror: shut });
  }),
  importScripts: async () => importScripts(at('script.js')),
  import: () => import(at('module.js')),
  beacon: async () => { if (!navigator.sendBeacon(at('beacon'))) throw new Error('no'); },
  worker: () => new Promise((open, shut) => {
    const worker = new Worker(at('worker.js'));
    Object.assign(worker, { onmessage: open, onerror: shut });
  }),
  innerWorker: () => new Promise((open, shut) => {
    const text = "fetch('" + at('inner') + "', { mode: 'no-cors' }).then(() => postMessage(1), () => postMessage(0))";
    const worker = new Worker(URL.createObjectURL(new Blob([text])));
    Object.assign(worker, { onmessage: ({ data }) => data === 1 ? open() : shut(), onerror: shut });
  }),
  font: () => new FontFace('leak', 'url(' + at('font.woff') + ')').load(),
  transport: () => new WebTransport(at('transport').replace('http', 'https')).ready,
  peer: async () => new RTCPeerConnection(),
  database: () => new Promise((open, shut) => {
    const request = indexedDB.open('leak');
    Object.assign(request, { onsuccess: open, onerror: shut });
  }),
  eval: async () => (0, eval)('1'),
  blob: () => import(URL.createObjectURL(new Blob(['export default 1'], { type: 'text/javascript' }))),
};
const open = [];
for (const [name, way] of Object.entries(attempts)) {
  const wait = new Promise((_, shut) => setTimeout(shut, 1000));
  await Promise.race([Promise.resolve().then(way), wait]).then(() => open.push(name), () => undefined);
}
throw new Error('open: ' + open.join() + '; tried: ' + Object.keys(attempts).length + '; origin: ' + origin);
`;
}
