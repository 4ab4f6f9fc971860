/** The project that all runtimes run: the installed package, and the probe bundled for processes and for pages. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildModule } from '../algorithm/support/build-module.js';
import { installIntoProject } from '../package/installed-package.js';

export interface Project {
  readonly dir: string;
  readonly packageDir: string;
  readonly version: string;
  remove(): void;
}

interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
}

const HERE = fileURLToPath(new URL('.', import.meta.url));

export async function makeProject(): Promise<Project> {
  const installed = installIntoProject();
  const { projectDir: dir, packageDir } = installed;
  const manifest = JSON.parse(readFileSync(path.join(packageDir, 'package.json'), 'utf8')) as Manifest;
  const module = Buffer.from(await buildModule('assemblyscript', 'dcqcn')).toString('base64');
  await build({
    entryPoints: ['process-main', 'page-main'].map((name) => path.join(HERE, `${name}.ts`)),
    outdir: dir,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    define: { DCQCN_MODULE: JSON.stringify(module) },
    // The probe imports fingerprints from this repository's sources; here they come from the package.
    plugins: [{
      name: 'package-instead-of-sources',
      setup: (bundle) => {
        bundle.onResolve({ filter: /\/src\/index\.js$/ }, () => ({ path: 'roce-cc', external: true }));
      },
    }],
    external: ['roce-cc', 'node:*'],
  });
  writeFileSync(path.join(dir, 'index.html'), page(manifest));
  return {
    dir,
    packageDir,
    version: manifest.version,
    remove: () => {
      installed.remove();
    },
  };
}

/** A page that resolves the package by an import map, and posts errors to the server like facts. */
function page({ exports }: Manifest): string {
  const imports = Object.fromEntries(Object.entries(exports).map(([name, target]) => [
    `roce-cc${name.slice(1)}`,
    path.posix.join('/node_modules/roce-cc', typeof target === 'string' ? target : target.default),
  ]));
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>roce-cc</title>
<script>
const fail = (reason) => fetch('/report', { method: 'POST', body: JSON.stringify({ problem: String(reason) }) });
addEventListener('error', (event) => fail(event.message ?? event.target.src + ' did not load'), true);
addEventListener('unhandledrejection', (event) => fail(event.reason));
</script>
<script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module" src="./page-main.js"></script></head><body></body></html>
`;
}
