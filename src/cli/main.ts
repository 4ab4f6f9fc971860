#!/usr/bin/env node
/** The executable: arguments and streams of the process in, exit code out. */
import { createRequire } from 'node:module';
import { describeError } from './describe-error.js';
import { EXIT_ERROR, EXIT_OK } from './output.js';
import { runCli } from './program.js';
import { isReaderGone } from './write-out.js';

/** Importing node:fs for this would take 5 ms. */
function readVersion(): string {
  const manifest = createRequire(import.meta.url)('../../package.json') as { readonly version: string };
  return manifest.version;
}

// A reader that has seen enough, such as head, closes the pipe, which is not an error. Commands stop on their own.
let failed: Error | undefined;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (!isReaderGone(error)) failed ??= Object.assign(error, { path: 'standard output' });
});
// Its reader is gone.
process.stderr.on('error', () => undefined);

// If the event loop empties before the command has ended, that is an error.
process.exitCode = EXIT_ERROR;
void runCli(process.argv.slice(2), process, readVersion()).then((exitCode) => {
  process.exitCode = exitCode;
  // Commands report their errors with another exit code; help texts don't.
  if (failed === undefined || exitCode !== EXIT_OK) return;
  process.stderr.write(`roce-cc: ${describeError(failed)}\n`);
  process.exitCode = EXIT_ERROR;
});
