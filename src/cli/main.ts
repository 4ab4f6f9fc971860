/** The executable: arguments and streams of the process in, exit code out. */
import { readFileSync } from 'node:fs';
import { runCli } from './program.js';

const MANIFEST = new URL('../../package.json', import.meta.url);

function readVersion(): string {
  const manifest = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { readonly version: string };
  return manifest.version;
}

// A reader that has seen enough, such as head, closes the pipe: that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

void runCli(process.argv.slice(2), process, readVersion()).then((exitCode) => {
  process.exitCode = exitCode;
});
