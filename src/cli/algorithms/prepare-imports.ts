/**
 * Makes algorithm files importable from any folder. `roce-cc/…` resolves to this package even if none is installed next
 * to the file. TypeScript is stripped by Node itself, or by esbuild if Node can't.
 */
import module from 'node:module';
import { RoceError } from '../../errors.js';

const TYPESCRIPT = /\.[cm]?ts$/;

let isPrepared = false;

/** @throws RoceError `unsupported` if the file is TypeScript and neither Node nor esbuild can strip it. */
export async function prepareImports(file: string): Promise<void> {
  const strips = (process.features as { readonly typescript?: unknown }).typescript !== undefined &&
    (process.features as { readonly typescript?: unknown }).typescript !== false;
  if (TYPESCRIPT.test(file) && !strips && !isRunByTsx()) await requireEsbuild(file);
  if (isPrepared) return;
  isPrepared = true;
  module.register(hooksUrl(strips));
}

/** Whether tsx runs this program from its TypeScript sources; it then loads the user's TypeScript files too. */
function isRunByTsx(): boolean {
  return import.meta.url.endsWith('.ts');
}

async function requireEsbuild(file: string): Promise<void> {
  try {
    await import('esbuild');
  } catch (error) {
    const hint = 'Install it next to the file (npm install esbuild), use Node 22.18 or newer, or write JavaScript';
    throw new RoceError('unsupported', {
      what: 'TypeScript',
      problem: 'needs the package esbuild on this version of Node',
      where: file,
      hint,
      cause: error,
    });
  }
}

/** Data URL of a module with Node's loader hooks, which run on another thread. */
function hooksUrl(strips: boolean): string {
  const root = new URL(import.meta.url.endsWith('.ts') ? '../../' : '../', import.meta.url).href;
  const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
  const source = `
const root = ${JSON.stringify(root)};
const strips = ${String(strips || isRunByTsx())};
export async function resolve(specifier, context, next) {
  const [, name] = /^roce-cc(?:\\/([a-z-]+))?$/.exec(specifier) ?? [];
  if (!specifier.startsWith('roce-cc')) return next(specifier, context);
  const file = name === undefined ? 'index${extension}' : name === 'algorithm' || name === 'sim' ? name + '/index${extension}' : undefined;
  return file === undefined ? next(specifier, context) : next(new URL(file, root).href, context);
}
export async function load(url, context, next) {
  if (strips || !/\\.[cm]?ts(\\?|$)/.test(url)) return next(url, context);
  const { readFile } = await import('node:fs/promises');
  const { transformSync } = await import('esbuild');
  const { code } = transformSync(await readFile(new URL(url), 'utf8'), { loader: 'ts', format: 'esm', sourcemap: 'inline' });
  return { format: 'module', shortCircuit: true, source: code };
}`;
  return `data:text/javascript,${encodeURIComponent(source)}`;
}
