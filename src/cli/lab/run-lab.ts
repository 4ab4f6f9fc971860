/** Runs `roce-cc lab`: serves the lab until a signal ends the process. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { EXIT_ERROR, EXIT_OK, type Output } from '../output.js';
import { labFolder } from '../shipped-files.js';
import { HOST, listen, labServer } from './lab-server.js';

const DEFAULT_PORT = 4173;

/** @param port undefined: the default port, or a free one if that is in use. @returns the exit code. */
export async function runLab(port: number | undefined, { stdout, stderr }: Output,
  ended: Promise<void> = untilEnded()): Promise<number> {
  const folder = labFolder();
  if (!existsSync(path.join(folder, 'index.html'))) {
    stderr.write(`roce-cc: the lab is not built: ${folder} has no index.html. In a clone, run npm run build.\n`);
    return EXIT_ERROR;
  }
  const server = labServer(folder);
  const opened = await listen(server, port ?? DEFAULT_PORT, port === undefined);
  if (typeof opened === 'string') {
    stderr.write(`roce-cc: ${opened}\n`);
    return EXIT_ERROR;
  }
  stdout.write(`The lab: http://${HOST}:${opened}/  (press Ctrl-C to stop)\n`);
  await ended;
  server.close();
  server.closeAllConnections();
  return EXIT_OK;
}

/** Resolves on the first signal; a second one ends the process at once. */
function untilEnded(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        resolve();
      });
    }
  });
}
