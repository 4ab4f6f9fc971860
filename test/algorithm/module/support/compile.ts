/** Compiles an algorithm in AssemblyScript as its author would, in memory. */
import { main as asc } from 'assemblyscript/asc';

const OPTIONS = ['-O3', '--noAssert', '--runtime', 'stub', '--use', 'abort=', '--importMemory', '--enable', 'simd'];

export async function compileAlgorithm(source: string,
  options: readonly string[] = []): Promise<Uint8Array<ArrayBuffer>> {
  let binary: Uint8Array<ArrayBuffer> | undefined;
  const base = options.includes('--memoryBase') ? [] : ['--memoryBase', '16384'];
  const { error, stderr } = await asc(['entry.ts', ...OPTIONS, ...base, ...options, '--outFile', 'entry.wasm'], {
    readFile: (name) => name === 'entry.ts' ? source : null,
    writeFile: (name, contents) => {
      if (name.endsWith('.wasm')) binary = Uint8Array.from(contents as Uint8Array);
    },
    listFiles: () => [],
  });
  if (error || !binary) throw new Error(`asc failed: ${stderr.toString()}`);
  return binary;
}
