// The lab: static files in build/lab that work from any sub-path.

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { sandboxPage } from '../scripts/lab/sandbox-page.mjs';

const WEB = fileURLToPath(new URL('.', import.meta.url));

export default defineConfig({
  root: WEB,
  base: './',
  clearScreen: false,
  plugins: [sandboxPage()],
  build: {
    outDir: path.join(WEB, '..', 'build', 'lab'),
    emptyOutDir: true,
    target: ['chrome110', 'firefox115', 'safari16.4'],
    // Inlined data would need exceptions from the content policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The editor of algorithms, which is loaded when it is opened.
    chunkSizeWarningLimit: 800,
  },
  // One script without imports, which the sandbox can start from its text.
  worker: { format: 'iife' },
  preview: { port: 4173 },
});
