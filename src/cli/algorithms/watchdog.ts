/**
 * Kills the process from a separate thread when a JavaScript handler does not return: the simulating thread is blocked,
 * so even Ctrl-C may not help.
 */
import { Worker } from 'node:worker_threads';
import { WATCH_CALLS, WATCH_HANDLER, WATCH_NUMBERS, WATCH_RUNNING, WATCH_TIME,
  watchCalls } from '../../algorithm/js-handlers.js';
import { HANDLER_NAMES, type CustomAlgorithm } from '../../config/algorithms/custom/custom-algorithm.js';
import { POINT_HANDLERS, type CustomCongestionPoint } from '../../config/custom-congestion-point.js';

/** Time limit for one call of a handler. */
const CALL_LIMIT_MS = 10_000;
const POLL_MS = 250;

/** Starts the watchdog thread if any of these is written in JavaScript. It does not keep the process alive. */
export function watchHandlers(algorithms: readonly (CustomAlgorithm | CustomCongestionPoint)[]): void {
  const inJavaScript = algorithms.filter(({ code }) => code.kind === 'handlers');
  if (inJavaScript.length === 0) return;
  const numbers = new Float64Array(new SharedArrayBuffer(8 * WATCH_NUMBERS));
  watchCalls(numbers);
  const names = [...new Set(inJavaScript.map(({ name }) => name))].join(', ');
  new Worker(SOURCE, { eval: true, workerData: { numbers, names, handlers: [...HANDLER_NAMES, ...POINT_HANDLERS] } })
    .unref();
}

/** Source of the thread. It imports no file of ours, so that it starts in every build. */
const SOURCE = `
const { workerData: { numbers, names, handlers } } = require('node:worker_threads');
const { writeSync } = require('node:fs');
let last = -1;
let sinceMs = Date.now();
setInterval(() => {
  const calls = numbers[${WATCH_CALLS}];
  if (calls !== last || numbers[${WATCH_RUNNING}] === 0) {
    last = calls;
    sinceMs = Date.now();
    return;
  }
  if (Date.now() - sinceMs < ${CALL_LIMIT_MS}) return;
  const handler = handlers[numbers[${WATCH_HANDLER}]];
  writeSync(2, 'roce-cc: algorithm-fault: ' + names + ', ' + handler + ', at ' + numbers[${WATCH_TIME}] +
    ' ps: the handler must end within ${CALL_LIMIT_MS / 1000} s (got more).\\n');
  process.kill(process.pid, 'SIGKILL');
}, ${POLL_MS});
`;
