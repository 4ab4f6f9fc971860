/**
 * Path of the built worker of sweeps, also when the command line runs from its sources. This file must stay in
 * src/cli/: its relative path must also be right from dist/cli.
 */
import { fileURLToPath } from 'node:url';

export const SWEEP_WORKER_FILE = fileURLToPath(new URL('../../dist/cli/sweep-worker.js', import.meta.url));
