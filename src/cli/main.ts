#!/usr/bin/env node
/** The `roce-cc` executable. */
import { createRequire } from 'node:module';
import { describeError } from './describe-error.js';
import { EXIT_ERROR, EXIT_OK, isReaderGone } from './output.js';
import { runCli } from './program.js';

/** The package's version. Uses require, because importing node:fs would take 5 ms. */
function readVersion(): string {
  const manifest = createRequire(import.meta.url)('../../package.json') as { readonly version: string };
  return manifest.version;
}

// A reader such as head may close the pipe early, which is not an error. Commands notice it themselves and stop.
let failed: Error | undefined;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (!isReaderGone(error)) failed ??= Object.assign(error, { path: 'standard output' });
});
// The reader has closed the pipe, so nothing can be reported.
process.stderr.on('error', () => undefined);

// The exit code if the event loop runs empty before the command has ended, which is an error.
process.exitCode = EXIT_ERROR;
void runCli(process.argv.slice(2), process, readVersion()).then((exitCode) => {
  process.exitCode = exitCode;
  // A command that fails to write reports that itself, with another exit code; commander's help texts don't.
  if (failed === undefined || exitCode !== EXIT_OK) return;
  process.stderr.write(`roce-cc: ${describeError(failed)}\n`);
  process.exitCode = EXIT_ERROR;
});
