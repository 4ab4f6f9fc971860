/** Congestion points as WebAssembly modules, compiled from AssemblyScript in memory. */
import { main as asc } from 'assemblyscript/asc';
import * as layout from '../../../src/abi/custom-layout.js';

const OPTIONS = [
  '-O3',
  '--noAssert',
  '--runtime',
  'stub',
  '--use',
  'abort=',
  '--importMemory',
  '--memoryBase',
  '16384',
];

export async function compilePoint(source: string): Promise<Uint8Array<ArrayBuffer>> {
  let binary: Uint8Array<ArrayBuffer> | undefined;
  const { error, stderr } = await asc(['entry.ts', ...OPTIONS, '--outFile', 'entry.wasm'], {
    readFile: (name) => (name === 'entry.ts' ? source : null),
    writeFile: (name, contents) => {
      if (name.endsWith('.wasm')) binary = Uint8Array.from(contents as Uint8Array);
    },
    listFiles: () => [],
  });
  if (error || !binary) throw new Error(`asc failed: ${stderr.toString()}`);
  return binary;
}

/** A handler with these statements: `record`, `parameters`, `timePs` and `lenBytes` are its arguments. */
export function handlerSource(name: 'roce_enqueue' | 'roce_dequeue', body: string): string {
  return `
export function roce_abi_version(): i32 { return 1; }
export function ${name}(record: usize, parameters: usize, timePs: f64, lenBytes: i32): i32 {
${body}
}`;
}

/** The ramp of examples/congestion-points/ramp-ecn.js at dequeue; each mark is counted in the state of the queue. */
export const RAMP_SOURCE = handlerSource('roce_dequeue', `
  if (!(load<u32>(record, ${layout.POINT_PACKET}) & ${layout.POINT_PACKET_MARKABLE})) return 0;
  const queue = load<f64>(record, ${layout.POINT_QUEUE_BYTES});
  const kmin = load<f64>(record, ${layout.POINT_KMIN});
  const kmax = load<f64>(record, ${layout.POINT_KMAX});
  if (queue <= kmin) return 0;
  store<f64>(record, load<f64>(record, ${layout.POINT_STATE}) + 1, ${layout.POINT_STATE});
  if (queue > kmax) return ${layout.POINT_MARK};
  const probability = load<f64>(record, ${layout.POINT_PMAX}) * (queue - kmin) / (kmax - kmin);
  const mark = load<f64>(record, ${layout.POINT_RANDOM}) < probability;
  return mark ? ${layout.POINT_MARK | layout.POINT_DREW} : ${layout.POINT_DREW};`);
