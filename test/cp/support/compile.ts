/**
 * Compiles `assembly/cp` for the tests of this folder, and exports its parts too.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const ENTRY = 'test/cp/support/virtual-entry.ts';
const MEMORY_PAGES = 64;

/** Test entry, AssemblyScript. */
const ENTRY_TEXT = `
import { nextRandom, seedRandom } from '../../../assembly/cp/random';
import { fillBucket, hasToken, refillBucket, consumeToken } from '../../../assembly/cp/token-bucket';
import { Random, TokenBucket } from '../../../assembly/records/congestion-point';

export { cpInitialise, cpDecide, cpDecideAt } from '../../../assembly/cp/fast-cnp-generator';
export { markingProbability } from '../../../assembly/cp/red';

memory.grow(${MEMORY_PAGES});

export function randomSeed(address: usize, seed: u32): void {
  seedRandom(changetype<Random>(address), seed);
}

export function randomNext(address: usize): f64 {
  return nextRandom(changetype<Random>(address));
}

export function bucketFill(address: usize, burst: f64): void {
  fillBucket(changetype<TokenBucket>(address), burst);
}

export function bucketTake(address: usize, nowPs: f64, ratePerSecond: f64, burst: f64): bool {
  const bucket = changetype<TokenBucket>(address);
  refillBucket(bucket, nowPs, ratePerSecond, burst);
  if (!hasToken(bucket)) return false;
  consumeToken(bucket);
  return true;
}
`;

type DecideArguments = [
  timePs: number,
  port: number,
  flow: number,
  queueBytes: number,
  ecn: number,
  capability: number,
  isIpv6: number,
];

/** Exports of the compiled test module. Addresses from 1024 up are free. */
export interface CongestionPointModule {
  readonly memory: WebAssembly.Memory;
  cpInitialise(base: number, ports: number, flows: number): number;
  cpDecide(...event: DecideArguments): number;
  cpDecideAt(base: number, ...event: DecideArguments): number;
  markingProbability(queueBytes: number, kminBytes: number, kmaxBytes: number, pmax: number): number;
  randomSeed(address: number, seed: number): void;
  randomNext(address: number): number;
  bucketFill(address: number, burst: number): void;
  bucketTake(address: number, nowPs: number, ratePerSecond: number, burst: number): number;
}

async function readSource(name: string, baseDir: string): Promise<string | null> {
  if (name.endsWith(ENTRY)) return ENTRY_TEXT;
  if (name.endsWith('.json')) return null; // The project's own asc settings name another entry.
  return readFile(join(baseDir, name), 'utf8').catch(() => null);
}

/** The congestion point's wasm module, compiled from the current sources. */
export async function compileCongestionPoint(): Promise<CongestionPointModule> {
  let binary: Uint8Array<ArrayBuffer> | undefined;
  const options = ['--baseDir', ROOT, '-O3', '--runtime', 'stub', '--use', 'abort=', '--outFile', 'cp.wasm'];
  const { error, stderr } = await asc.main([ENTRY, ...options], {
    readFile: readSource,
    writeFile: (name, contents) => {
      if (name.endsWith('.wasm')) binary = Uint8Array.from(contents as Uint8Array);
    },
    listFiles: () => [],
  });
  if (error || !binary) throw new Error(`asc failed: ${String(error)}`, { cause: stderr });
  const { instance } = await WebAssembly.instantiate(binary, {});
  return instance.exports as unknown as CongestionPointModule;
}
