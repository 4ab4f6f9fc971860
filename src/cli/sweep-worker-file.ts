/**
 * Where the worker of sweeps is built: next to the command line, also when that runs from its sources.
 *
 * This file must stay in src/cli/: the files of dist/cli are as deep as it is.
 */
import { fileURLToPath } from 'node:url';

export const SWEEP_WORKER_FILE = fileURLToPath(new URL('../../dist/cli/sweep-worker.js', import.meta.url));
