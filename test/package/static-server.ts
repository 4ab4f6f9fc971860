/** Serves a directory of static files over local HTTP. */

import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

const MIME_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

/** @param receive is called with the body of each POST; without it, POST is rejected. */
export function serve(dir: string, receive?: (body: string) => void): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.method !== 'POST' || receive === undefined) {
      sendFile(response, dir, request.url ?? '/');
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(204).end();
      receive(Buffer.concat(chunks).toString());
    });
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      resolve(server);
    });
  });
}

export const urlOf = (server: Server, file: string): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}/${file}`;

function sendFile(response: ServerResponse, dir: string, url: string): void {
  const file = path.join(dir, path.normalize(new URL(url, 'http://localhost').pathname));
  if (!existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { 'content-type': MIME_TYPES[path.extname(file)] ?? 'application/byte-stream' });
  response.end(readFileSync(file));
}
