/**
 * Runs `roce-cc lab`: serves the built lab, as static files on the loopback interface, until a signal ends the
 * process.
 */
import { existsSync, createReadStream } from 'node:fs';
import path from 'node:path';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { EXIT_ERROR, EXIT_OK, type Output } from '../output.js';
import { labFolder } from '../shipped-files.js';

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

export const HOST = '127.0.0.1';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
};
/** Pages declare their own content security policy, but only a header can forbid other sites to frame them. */
const HEADERS = {
  'Content-Security-Policy': "frame-ancestors 'self'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
};

/** Creates a server that responds to GET and HEAD with the files below `folder`. */
export function labServer(folder: string): Server {
  return createServer((request, response) => {
    void answer(folder, request, response).catch(() => {
      end(response, 500, 'The file could not be read.');
    });
  });
}

/**
 * Listens on the loopback interface.
 *
 * @param isFlexible whether to use any free port if `port` is in use.
 * @returns the port, or a sentence on why it can't be opened.
 */
export async function listen(server: Server, port: number, isFlexible: boolean): Promise<number | string> {
  const fault = await tryPort(server, port);
  if (fault === undefined) return portOf(server);
  if (fault.code === 'EADDRINUSE' && isFlexible) return listen(server, 0, false);
  return fault.code === 'EADDRINUSE' ?
    `port ${port} is in use: choose another one with --port, or 0 for any free one` :
    `port ${port} can't be opened: ${fault.message}`;
}

function tryPort(server: Server, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      resolve(error);
    };
    server.once('error', failed);
    server.listen(port, HOST, () => {
      server.removeListener('error', failed);
      resolve(undefined);
    });
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function answer(folder: string, { method, url = '/' }: IncomingMessage, response: ServerResponse): Promise<void> {
  if (method !== 'GET' && method !== 'HEAD') {
    end(response, 405, 'Allowed: GET and HEAD.');
    return;
  }
  const file = fileOf(folder, url);
  const found = file === undefined ? undefined : await stat(file).catch(() => undefined);
  if (file === undefined || found?.isFile() !== true) {
    end(response, 404, 'Not found.');
    return;
  }
  const type = TYPES[path.extname(file)] ?? 'application/octet-stream';
  response.writeHead(200, { ...HEADERS, 'Content-Type': type, 'Content-Length': found.size });
  if (method === 'HEAD') response.end();
  else createReadStream(file).on('error', () => response.destroy()).pipe(response);
}

/** @returns the file of a URL; undefined if it is outside the folder. */
function fileOf(folder: string, url: string): string | undefined {
  let name: string;
  try {
    name = decodeURIComponent(url.replace(/[?#].*/s, ''));
  } catch {
    return undefined;
  }
  if (name.includes('\0')) return undefined;
  const file = path.join(folder, name.endsWith('/') ? `${name}index.html` : name);
  return file.startsWith(folder + path.sep) ? file : undefined;
}

function end(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' });
  response.end(`${text}\n`);
}
