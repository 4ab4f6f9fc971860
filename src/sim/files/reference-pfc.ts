/**
 * Pauses in the format of the HPCC authors' ns-3 simulator (PFC_OUTPUT_FILE): one line per frame, in order of receipt.
 *
 *   time, node, whether that is a switch, interface, 1 pause or 0 resume
 *
 * These describe the port that receives the frame. Times are whole nanoseconds; interfaces count from 1, as interface 0 is the
 * loopback.
 *
 * Source: test/golden/README.md, `pfc_*.csv`.
 */
import { checkRecord } from '../../config/field-rules.js';
import { RoceError } from '../../errors.js';
import { PS_PER_NS } from '../../unit-sizes.js';
import { compileScenario } from '../compile/compile-scenario.js';
import type { PauseInterval, SimResult } from '../result.js';
import { validateScenario } from '../scenario/validate.js';

const PART_LINES = 500;

interface Frame {
  readonly timePs: number;
  readonly port: number;
  readonly pauses: boolean;
}

/**
 * The pauses of a result in the format of the reference simulator's pfc file, in parts of some hundred lines.
 *
 * @throws RoceError `invalid-argument` if the result has no `pauses`; as `validateScenario`, if its scenario was altered.
 */
export function referencePfcParts(result: Pick<SimResult, 'scenario' | 'pauses'>): Iterable<string> {
  checkRecord(result, 'result');
  const { scenario, pauses } = result;
  if (pauses === undefined) {
    const hint = 'The scenario asks for them by record.pauses.';
    throw new RoceError('invalid-argument', { what: 'the result', problem: 'has no pauses', where: 'pauses', hint });
  }
  return parts(pauses, compileScenario(validateScenario(scenario)));
}

function* parts(pauses: readonly PauseInterval[],
  { plan, portNames }: ReturnType<typeof compileScenario>): Generator<string> {
  const ports = new Map(portNames.map((name, index) => [name, index]));
  const frames = pauses.flatMap((pause) => framesOf(pause, ports.get(pause.port) ?? 0));
  frames.sort((a, b) => a.timePs - b.timePs);
  for (let from = 0; from < frames.length; from += PART_LINES) {
    yield frames.slice(from, from + PART_LINES).map(({ timePs, port, pauses: isPause }) => {
      const { node } = plan.ports[port];
      const { kind, firstPort } = plan.nodes[node];
      const at = [node, Number(kind === 'switch'), port - firstPort + 1];
      return `${[Math.floor(timePs / PS_PER_NS), ...at, Number(isPause)].join(' ')}\n`;
    }).join('');
  }
}

function framesOf({ fromPs, toPs, endedBy, renewedPs = [] }: PauseInterval, port: number): Frame[] {
  return [
    ...[fromPs, ...renewedPs].map((timePs) => ({ timePs, port, pauses: true })),
    ...(endedBy === 'resume' ? [{ timePs: toPs, port, pauses: false }] : []),
  ];
}
