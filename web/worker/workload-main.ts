/** The worker that reads workload files, which keeps its readers out of the first load. */
import type { FromWorkloadWorker, ToWorkloadWorker } from '../protocol/workload-protocol.js';
import { rejectionOf } from './rejection.js';
import { graphsOfScenario, scenarioTextOf } from './workload-files.js';

addEventListener('message', ({ data }: MessageEvent<ToWorkloadWorker>) => {
  void answerTo(data).catch((error: unknown): FromWorkloadWorker => ({
    type: 'failed',
    id: data.id,
    rejection: rejectionOf(error),
  })).then((message) => {
    postMessage(message);
  });
});

async function answerTo(request: ToWorkloadWorker): Promise<FromWorkloadWorker> {
  const { id } = request;
  if (request.type === 'open') return { type: 'scenario', id, text: await scenarioTextOf(request.file) };
  return { type: 'graphs', id, graphs: await graphsOfScenario(request.text, request.files) };
}
