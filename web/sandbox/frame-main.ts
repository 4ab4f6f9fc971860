/**
 * Script of the sandbox, which starts and ends workers for the page. The frame has no origin, and its policy
 * (scripts/lab/sandbox-page.mjs) allows only code from blobs. Workers from blobs inherit both.
 */
import type { FromSandbox, ToSandbox } from '../protocol/algorithm-protocol.js';

const workers = new Map<number, Worker>();
let scriptUrl = '';

function tell(message: FromSandbox): void {
  parent.postMessage(message, '*');
}

function start(id: number, port: MessagePort): void {
  const worker = new Worker(scriptUrl);
  worker.addEventListener('error', ({ message }) => {
    tell({ type: 'failed', id, message });
  });
  worker.postMessage({}, [port]);
  workers.set(id, worker);
}

addEventListener('message', ({ source, data, ports: [port] }: MessageEvent<ToSandbox>) => {
  if (source !== parent) return;
  if (data.type === 'script') scriptUrl = URL.createObjectURL(new Blob([data.script], { type: 'text/javascript' }));
  else if (data.type === 'start' && port !== undefined) start(data.id, port);
  else if (data.type === 'end') {
    workers.get(data.id)?.terminate();
    workers.delete(data.id);
  }
});

tell({ type: 'ready' });
