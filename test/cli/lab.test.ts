/** `roce-cc lab` serves the folder of the built lab, and nothing else. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { labServer, listen } from '../../src/cli/lab/run-lab.js';
import { run } from './support/run.js';

interface Got {
  readonly status: number;
  readonly type: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

let folder: string;
let servers: Server[];

/** Sends the path unchanged, as fetch would remove `..`. */
function get(port: number, target: string, method = 'GET'): Promise<Got> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, path: target, method }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      }).on('end', () => {
        const { statusCode = 0, headers } = response;
        resolve({ status: statusCode, type: headers['content-type'] ?? '', headers, text });
      });
    }).on('error', reject).end();
  });
}

async function serve(port = 0, isFlexible = false): Promise<number | string> {
  const server = labServer(path.join(folder, 'lab'));
  servers.push(server);
  return listen(server, port, isFlexible);
}

describe('The server of the lab', () => {
  beforeEach(() => {
    servers = [];
    folder = mkdtempSync(path.join(tmpdir(), 'roce-cc-lab-server-'));
    mkdirSync(path.join(folder, 'lab', 'assets'), { recursive: true });
    mkdirSync(path.join(folder, 'lab-private'));
    writeFileSync(path.join(folder, 'secret.txt'), 'secret');
    writeFileSync(path.join(folder, 'lab-private', 'secret.txt'), 'secret');
    writeFileSync(path.join(folder, 'lab', 'index.html'), '<title>lab</title>');
    writeFileSync(path.join(folder, 'lab', 'assets', 'a.wasm'), 'wasm');
  });

  afterEach(() => {
    for (const server of servers) server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('serves the page with its types, and headers that keep other sites from framing it', async () => {
    const port = Number(await serve());
    const page = await get(port, '/?x#y');
    expect([page.status, page.type, page.text]).toEqual([200, 'text/html; charset=utf-8', '<title>lab</title>']);
    expect(page.headers['content-security-policy']).toBe("frame-ancestors 'self'");
    expect(page.headers['x-content-type-options']).toBe('nosniff');
    expect(await get(port, '/assets/a.wasm')).toMatchObject({ status: 200, type: 'application/wasm', text: 'wasm' });
    expect(await get(port, '/index.html', 'HEAD')).toMatchObject({ status: 200, text: '' });
    expect(await get(port, '/', 'POST')).toMatchObject({ status: 405 });
  });

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/../lab-private/secret.txt',
    '/assets',
    '/none',
    '/%',
    '/a%00',
  ])('serves nothing outside its folder: %s', async (target) => {
    const port = Number(await serve());
    expect(await get(port, target)).toMatchObject({ status: 404, text: 'Not found.\n' });
  });

  it('uses a free port if the default one is in use, unless the user requests that one', async () => {
    const port = Number(await serve());
    expect(await serve(port)).toBe(`port ${port} is in use: choose another one with --port, or 0 for any free one`);
    const other = Number(await serve(port, true));
    expect(other).not.toBe(port);
    expect((await get(other, '/')).status).toBe(200);
  });
});

describe('roce-cc lab', () => {
  it('states the allowed ports', async () => {
    const { exitCode, stderr } = await run(['lab', '--port', '70000']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Allowed: a whole number from 0 to 65535.');
  });
});
