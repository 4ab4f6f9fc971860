/** The package as users get it: packed, installed, imported by Node, bundled, and loaded in a browser. */

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { pathToFileURL } from 'node:url';
import { build as esbuild } from 'esbuild';
import type { Browser } from 'playwright-core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { build as viteBuild } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeNeeding } from '../support/foreign-tools.js';
import { hashFromPage, launchChromium, whyNoChromium } from './browser-page.js';
import { REPOSITORY, installPackedPackage, pageOf, runNode } from './installed-package.js';
import type { InstalledPackage } from './installed-package.js';
import { bytesOfText } from '../../src/engine/instantiate.js';
import type * as Streaming from '../../src/engine/streaming.js';
import type * as Dcqcn from '../../src/dcqcn.js';
import type * as Library from '../../src/index.js';
import type * as Reference from '../../src/reference/index.js';

/** The engine of DCQCN only, and the one with all algorithms. */
const MAX_DCQCN_WASM_BYTES = 24 * 1024;
const MAX_WASM_BYTES = 58 * 1024;
/** Compressed size of a bundle of the default entry, roce-cc/dcqcn and roce-cc/sim. */
const MAX_ENTRY_BYTES = 68 * 1024;
const MAX_DCQCN_ENTRY_BYTES = 32 * 1024;
const MAX_SIM_ENTRY_BYTES = 380 * 1024;
/** npm, compilers and a browser take long to start on a busy machine. */
const SLOW_MS = 120_000;

let installed: InstalledPackage;
beforeAll(() => {
  installed = installPackedPackage();
}, SLOW_MS);
afterAll(() => {
  installed.remove();
});

const inPackage = (...parts: string[]) => path.join(installed.packageDir, ...parts);
const inProject = (...parts: string[]) => path.join(installed.projectDir, ...parts);

describe('the packed package', { timeout: SLOW_MS }, () => {
  it('contains the files that it refers to, and no others', () => {
    const papers = ['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md'];
    expect(readdirSync(installed.packageDir).sort()).toEqual(
      [...papers, 'algorithm', 'bench', 'dist', 'docs', 'examples', 'include', 'package.json'].sort(),
    );
    expect(readdirSync(inPackage('bench'))).toEqual(['RESULTS.md']);
  });

  it('contains the files that README links to, and the schema of scenarios', () => {
    const links = [...readFileSync(inPackage('README.md'), 'utf8').matchAll(/\]\(([^)#]+)/g)].map(([, link]) => link!);
    expect(links.filter((link) => !existsSync(inPackage(link)))).toEqual([]);
    const scenario = inPackage('examples', 'scenarios', 'incast-16.json');
    const { $schema } = JSON.parse(readFileSync(scenario, 'utf8')) as { $schema: string };
    expect(existsSync(path.resolve(path.dirname(scenario), $schema))).toBe(true);
  });

  it('contains the license of everything that is bundled in dist', () => {
    const parts = readFileSync(inPackage('dist', 'THIRD_PARTY_LICENSES'), 'utf8').split(/^-{80}$/m);
    const names = parts.map((part) => /^\s*(\S+) \d/.exec(part)?.[1]);
    expect(names).toEqual(
      expect.arrayContaining(['@assemblyscript/loader', 'commander', 'emoji-regex', 'uplot', 'zod']),
    );
    // The shortest licence in use, ISC, has 600 characters.
    expect(parts.filter((part) => part.length < 600)).toEqual([]);
  });

  it('has no dependencies except optional peers for some commands and live interfaces', () => {
    const manifest = JSON.parse(readFileSync(inPackage('package.json'), 'utf8')) as Record<string, object>;
    expect(Object.keys(manifest).filter((key) => /^(peer|optional|bundled?)?dependencies$/i.test(key))).toEqual([
      'peerDependencies',
    ]);
    const optional = Object.fromEntries(
      ['bullmq', 'esbuild', 'ioredis', 'koffi'].map((name) => [name, { optional: true }]),
    );
    expect(manifest['peerDependenciesMeta']).toEqual(optional);
    expect(Object.keys(manifest['peerDependencies']!)).toEqual(Object.keys(optional));
  });

  it('passes publint', async () => {
    const { messages, pkg } = await publint({ pkgDir: installed.packageDir, pack: false, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg, { color: false }))).toEqual([]);
  });

  it('ships an engine of DCQCN alone of at most 24 KB, and one with all algorithms of at most 57', () => {
    expect(statSync(inPackage('dist', 'engine-dcqcn.wasm')).size).toBeLessThanOrEqual(MAX_DCQCN_WASM_BYTES);
    expect(statSync(inPackage('dist', 'engine.wasm')).size).toBeLessThanOrEqual(MAX_WASM_BYTES);
  });

  it('runs DCQCN identically in the DCQCN engine and the full one, and names missing algorithms', async () => {
    const module = (name: string) => import(inPackage('dist', ...name.split('/'))) as Promise<Record<string, never>>;
    const { createEngineStreaming } = (await module('engine/streaming.js')) as unknown as typeof Streaming;
    const library = (await module('index.js')) as unknown as typeof Library;
    const parameterSets = {
      default: library.dcqcnSigcomm15({ lineRateBps: 1e11 }),
      other: library.timelyNs3({ lineRateBps: 1e11 }),
    };
    const hosted = (name: string) =>
      new Response(readFileSync(inPackage('dist', name)), { headers: { 'content-type': 'application/wasm' } });
    const hashes = await Promise.all(['engine.wasm', 'engine-dcqcn.wasm'].map(async (name) => {
      const engine = await createEngineStreaming({ parameterSets }, hosted(name));
      const qp = engine.openQp({ localQpn: 1 });
      engine.cnp(1e7, qp);
      engine.touch(2e8, qp);
      return engine.stateHash();
    }));
    expect(hashes[1]).toBe(hashes[0]);
    const small = await createEngineStreaming({ parameterSets }, hosted('engine-dcqcn.wasm'));
    expect(() => small.openQp({ localQpn: 2, parameterSet: 'other' })).toThrow(
      expect.objectContaining({ code: 'unsupported', got: 'timely' }) as Error,
    );
    const large = await createEngineStreaming({ parameterSets }, hosted('engine.wasm'));
    expect(() => {
      large.restore(small.snapshot());
    }).toThrow(expect.objectContaining({ code: 'snapshot-mismatch' }) as Error);
  });

  it('ships the same engine.wasm as file and inlined', async () => {
    const inlined = (await import(inPackage('dist', 'engine', 'wasm-bytes.js'))) as { ENGINE_WASM_TEXT: string };
    expect(Buffer.from(bytesOfText(inlined.ENGINE_WASM_TEXT))).toEqual(readFileSync(inPackage('dist', 'engine.wasm')));
  });

  it('ships the same sim.wasm as file and in roce-cc/sim', () => {
    const file = readFileSync(inPackage('dist', 'sim.wasm'));
    const inlined = /SIM_WASM_TEXT = "([^"]+)"/.exec(readFileSync(inPackage('dist', 'sim', 'index.js'), 'utf8'));
    expect(Buffer.from(bytesOfText(inlined?.[1] ?? ''))).toEqual(file);
    const resolved = runNode(installed, [
      '--input-type=module',
      '-e',
      "console.log(import.meta.resolve('roce-cc/sim.wasm'))",
    ]);
    expect(resolved).toBe(pathToFileURL(inPackage('dist', 'sim.wasm')).href);
  });

  it('ships the same uet.wasm as file and in roce-cc/uet', async () => {
    const inlined = (await import(inPackage('dist', 'uet', 'kernel', 'wasm-bytes.js'))) as { UET_WASM_TEXT: string };
    expect(Buffer.from(bytesOfText(inlined.UET_WASM_TEXT))).toEqual(readFileSync(inPackage('dist', 'uet.wasm')));
  });

  it('replays frames from memory with roce-cc/replay', () => {
    const program = `
      import { dcqcnSigcomm15, gbps } from 'roce-cc';
      import { readCaptureBatches } from 'roce-cc/capture';
      import { parseFlows, replay, REPLAY_SCHEMA } from 'roce-cc/replay';
      import { readFileSync } from 'node:fs';
      const data = (name) => readFileSync('node_modules/roce-cc/examples/data/' + name);
      const flows = parseFlows(data('incast-flows.csv').toString(), 'flows.csv');
      const options = { parameters: dcqcnSigcomm15({ lineRateBps: gbps(100) }), flows };
      const report = await replay(readCaptureBatches(data('incast.pcap.gz')), options);
      console.log(report.schema === REPLAY_SCHEMA, report.capture.frames, report.notifications.cnpsSeen);`;
    expect(runNode(installed, ['--input-type=module', '-e', program])).toBe('true 20890 127');
  });

  it.each([
    ['index.js', MAX_ENTRY_BYTES],
    ['dcqcn.js', MAX_DCQCN_ENTRY_BYTES],
    ['sim/index.js', MAX_SIM_ENTRY_BYTES],
  ])('has an entry %s of at most %i bytes, minified and compressed', async (entry, most) => {
    const { outputFiles } = await esbuild({
      entryPoints: [inPackage('dist', entry)],
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
    });
    expect(gzipSync(outputFiles[0]!.contents).length).toBeLessThanOrEqual(most);
  });

  it('has a DCQCN engine without code of other algorithms, which computes the same as the full one', async () => {
    const entry = inPackage('dist', 'dcqcn.js');
    const { metafile } = await esbuild({
      entryPoints: [entry],
      bundle: true,
      write: false,
      format: 'esm',
      metafile: true,
    });
    const [output] = Object.values(metafile.outputs);
    const held = Object.entries(output!.inputs).flatMap((
      [file, { bytesInOutput }],
    ) => (bytesInOutput > 0 ? [file] : []));
    expect(held.filter((file) => /(hpcc|timely|dctcp|swift|ack-records|rate-change-reader|reference)/.test(file)))
      .toEqual([]);
    const alone = (await import(entry)) as typeof Dcqcn;
    const library = (await import(inPackage('dist', 'index.js'))) as typeof Library;
    const parameterSets = { default: library.dcqcnSigcomm15({ lineRateBps: 1e11 }) };
    const hashes = [alone, library].map(({ createEngineSync }) => {
      const engine = createEngineSync({ parameterSets });
      const qp = engine.openQp({ localQpn: 1 });
      engine.cnp(1e7, qp);
      engine.touch(2e8, qp);
      return engine.stateHash();
    });
    expect(hashes[1]).toBe(hashes[0]);
    const timely = { other: library.timelyNs3({ lineRateBps: 1e11 }) } as never;
    expect(() => alone.createEngineSync({ parameterSets: timely })).toThrow(/algorithm/);
  });

  it('has a JavaScript backend that can be passed to the engine', async () => {
    const library = (await import(inPackage('dist', 'index.js'))) as typeof Library;
    const { referenceBackend } = (await import(inPackage('dist', 'reference', 'index.js'))) as typeof Reference;
    const parameterSets = { default: library.dcqcnSigcomm15({ lineRateBps: 1e11 }) };
    const hashes = [{}, { backend: referenceBackend }].map((options) => {
      const engine = library.createEngineSync({ ...options, parameterSets });
      engine.cnp(1e7, engine.openQp({ localQpn: 1 }));
      return engine.stateHash();
    });
    expect(hashes[1]).toBe(hashes[0]);
  });

  it('has a simulator that imports only other modules of the package', async () => {
    const { metafile } = await esbuild({
      entryPoints: [inPackage('dist', 'sim', 'index.js')],
      bundle: true,
      platform: 'browser',
      format: 'esm',
      write: false,
      metafile: true,
      logLevel: 'silent',
    });
    const outside = Object.keys(metafile.inputs).filter((file) =>
      !path.resolve(file).startsWith(path.join(inPackage('dist'), path.sep))
    );
    expect(outside).toEqual([]);
  });

  it.each([
    'index.js',
    'dcqcn.js',
    'reference/index.js',
    'config/importers/index.js',
    'replay/index.js',
    'sim/index.js',
  ])('has an entry %s for any bundler, without new URL(), top-level await or Node modules', async (entry) => {
    // esbuild rejects top-level await in CommonJS output, and node: modules in code for browsers.
    const { outputFiles } = await esbuild({
      entryPoints: [inPackage('dist', entry)],
      bundle: true,
      platform: 'browser',
      format: 'cjs',
      write: false,
      logLevel: 'silent',
    });
    expect(outputFiles[0]!.text).not.toMatch(/import\.meta/);
    // zod validates URLs with new URL().
    if (entry !== 'sim/index.js') expect(outputFiles[0]!.text).not.toMatch(/new URL\(/);
  });

  it.each(
    ['5.4', '5.9', '6.0', '7.0'].flatMap((version) =>
      ['app.ts', 'sim/sim-app.ts'].map((app) => [version, app] as const)
    ),
  )('has types that TypeScript %s reads without @types/node and skipLibCheck: %s', (version, app) => {
    const compiler = version === '6.0' ? 'typescript' : `typescript-${version}`;
    const tsc = path.join(REPOSITORY, 'node_modules', compiler, 'bin', 'tsc');
    const options = ['--noEmit', '--strict', '--module', 'NodeNext', '--target', 'ES2022', '--lib', 'ES2022,DOM'];
    const run = (...args: string[]): string =>
      spawnSync(process.execPath, [tsc, ...args], { cwd: installed.projectDir, encoding: 'utf8' }).stdout;
    expect(run('--version')).toContain(version);
    expect(run(...options, app)).toBe('');
  });

  it.each([
    [['run', 'two-jobs-dcqcn', '--estimate'], 'two-jobs-dcqcn: 96 flows'],
    [['run', 'examples/scenarios/incast-16.json', '--estimate'], '16 flows'],
    [['sweep', 'hpcc-figure-10', '--dry-run'], '24 runs'],
    [['sweep', 'examples/figures/hpcc-figure-10.json', '--dry-run'], '24 runs'],
    [['lint', 'examples/operators/path.json'], '2 errors, 3 warnings'],
    [['dissect', 'examples/data/incast.pcap.gz', '--limit', '1'], 'RDMA'],
  ])('finds shipped files in any folder: %j', (args, words) => {
    const { stdout } = spawnSync(process.execPath, [inPackage('dist', 'cli', 'main.js'), ...args], {
      cwd: installed.projectDir,
      encoding: 'utf8',
    });
    expect(stdout).toContain(words);
  });

  it('serves the lab from the package, with the sandbox of custom algorithms', async () => {
    const lab = spawn(process.execPath, [inPackage('dist', 'cli', 'main.js'), 'lab', '--port', '0'], {
      cwd: installed.projectDir,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      const [line] = await once(lab.stdout.setEncoding('utf8'), 'data') as [string];
      const address = /http:\/\/127\.0\.0\.1:\d+\//.exec(line)?.[0] ?? '';
      const [page, sandbox] = await Promise.all(['', 'sandbox.html'].map((file) => fetch(`${address}${file}`)));
      expect([page!.status, sandbox!.status]).toEqual([200, 200]);
      const text = await page!.text();
      expect(await sandbox!.text()).toContain("connect-src 'none'");
      const assets = [...text.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, asset]) => asset!);
      expect(assets.length).toBeGreaterThan(1);
      for (const asset of assets) expect((await fetch(`${address}${asset}`)).status).toBe(200);
    } finally {
      const ended = once(lab, 'exit');
      lab.kill('SIGINT');
      expect(await ended).toEqual([0, null]);
    }
  });

  it('installs a command that prints its usage', () => {
    expect(runNode(installed, ['node_modules/roce-cc/dist/cli/main.js', '--help'])).toMatch(/roce-cc/);
  });
});

/** Programs of the project that must give the same result in Node and in a page. */
describe.each([
  { what: 'the same workload leaves the same state', folder: '.', form: /^[0-9a-f]{8,}$/ },
  { what: 'the same scenarios have the same results', folder: 'sim', form: /^invalid-scenario( [0-9a-f]{16}){4}$/ },
])('$what', { timeout: SLOW_MS }, ({ folder, form }) => {
  let hashInNode: string;
  const inFolder = (...parts: string[]) => inProject(folder, ...parts);
  const runInNode = () => runNode(installed, [inFolder('node-main.js')]);
  beforeAll(() => {
    hashInNode = runInNode();
  }, SLOW_MS);

  it('in Node, twice', () => {
    expect(hashInNode).toMatch(form);
    expect(runInNode()).toBe(hashInNode);
  });

  describeNeeding(whyNoChromium(), 'in Chromium', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchChromium();
    }, SLOW_MS);
    afterAll(async () => {
      await browser.close();
    });

    it.each([
      { format: 'iife', script: '<script src="./page.js"></script>' },
      { format: 'esm', script: '<script type="module" src="./page.js"></script>' },
    ] as const)('bundled by esbuild as $format', async ({ format, script }) => {
      const outDir = inFolder(`out-esbuild-${format}`);
      mkdirSync(outDir);
      await esbuild({
        entryPoints: [inFolder('page-main.js')],
        outfile: path.join(outDir, 'page.js'),
        bundle: true,
        minify: true,
        format,
      });
      writeFileSync(path.join(outDir, 'index.html'), pageOf(script));
      expect(await hashFromPage(browser, outDir)).toBe(hashInNode);
    });

    it('built by vite', async () => {
      const outDir = inFolder('out-vite');
      await viteBuild({ root: inFolder(), configFile: false, logLevel: 'error', build: { outDir } });
      expect(await hashFromPage(browser, outDir)).toBe(hashInNode);
    });
  }, { timeout: SLOW_MS });
});
