// sandbox.html of the lab: the frame whose policy leaves the code of custom algorithms no network (web/sandbox/frame-main.ts).

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { transformSync } from 'esbuild';
import { at } from '../paths.mjs';

export const SANDBOX_PAGE = 'sandbox.html';

/** A plugin of Vite that adds the page to the built lab. */
export function sandboxPage() {
  return {
    name: 'sandbox-page',
    apply: 'build',
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: SANDBOX_PAGE, source: pageOf(frameScript()) });
    },
  };
}

/** Imports types only, so that it needs no bundle. */
function frameScript() {
  const text = readFileSync(at('web', 'sandbox', 'frame-main.ts'), 'utf8');
  return transformSync(text, { loader: 'ts', format: 'iife', target: 'es2022' }).code;
}

function pageOf(script) {
  const hash = createHash('sha256').update(script).digest('base64');
  const policy = `default-src 'none'; script-src 'sha256-${hash}' blob: 'wasm-unsafe-eval'; worker-src blob:; ` +
    "connect-src 'none'; base-uri 'none'; form-action 'none'";
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${policy}">
    <title>Sandbox of custom algorithms</title>
  </head>
  <body>
    <script>${script}</script>
  </body>
</html>
`;
}
