/** Writes the file of `--trace`: each rate change as a JSON line (docs/guides/trace.md), obtained by a second run. */
import { formatTraceLine } from '../../engine/trace-lines.js';
import { KeptFile, type Warn } from '../kept-file.js';
import type { PreparedScenario } from './simulator.js';

export interface RateTraceFile {
  readonly file: string;
  /** The flow to trace; undefined: all flows. */
  readonly flow: number | undefined;
}

/** Characters that are buffered before they are written. */
const PART_LENGTH = 1 << 16;
/** Slices of the run between yields to the event loop, which let Ctrl-C be handled. */
const SLICES_PER_TURN = 100;

/** @returns the file's path; undefined if it was not written or the scenario cannot be traced. */
export async function writeRateTrace({ traceRates }: PreparedScenario, { file, flow }: RateTraceFile,
  signal: AbortSignal, warn: Warn): Promise<string | undefined> {
  if (traceRates === undefined) return undefined;
  const target = new KeptFile(file, warn);
  let pending = '';
  let lost = 0;
  try {
    const slices = traceRates({
      ...(flow !== undefined && { flow }),
      signal,
      onChange: (change) => {
        if ('lost' in change) lost += change.lost;
        pending += formatTraceLine(change);
      },
    });
    for (let slice = 1; slices.next().done !== true; slice++) {
      if (pending.length >= PART_LENGTH) pending = written(target, pending);
      if (slice % SLICES_PER_TURN === 0) await nextTurn();
    }
    written(target, pending);
    if (lost > 0) warn(`${file}: ${lost} changes were lost for lack of memory; lines {"lost":n} mark the gaps`);
    return target.finish();
  } catch (error) {
    target.abandon();
    throw error;
  }
}

function written(target: KeptFile, text: string): string {
  target.write(text);
  return '';
}

/** Yields to the event loop, so that a Ctrl-C that was pressed during synchronous work is handled. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
