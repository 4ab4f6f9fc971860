/**
 * Queue lengths in the format of the HPCC authors' ns-3 simulator (QLEN_MON_FILE): a line with the time, then one line for each
 * port of a switch.
 *
 *   time: nanoseconds
 *   node, interface, then the number of polls at which 0, 1, 2, … kB waited, from the first poll on
 *
 * That simulator writes such a block every 100 ms; here there is one, at the end of the run. Interfaces count from 1.
 *
 * Source: test/golden/README.md, `qlen_*.csv`.
 */
import { checkRecord } from '../../config/field-rules.js';
import { RoceError } from '../../errors.js';
import { PS_PER_NS } from '../../unit-sizes.js';
import { compileScenario } from '../compile/compile-scenario.js';
import type { SimResult } from '../result.js';
import { validateScenario } from '../scenario/validate.js';

/**
 * The histogram of a result in the format of the reference simulator's qlen file, one part per port.
 *
 * @throws RoceError `invalid-argument` if the result has no `queueHistogram`; as `validateScenario`, if its scenario was
 * altered.
 */
export function referenceQlenParts(
  result: Pick<SimResult, 'scenario' | 'simulatedPs' | 'queueHistogram'>,
): Iterable<string> {
  checkRecord(result, 'result');
  const { scenario, simulatedPs, queueHistogram: got } = result;
  if (got !== undefined) return parts(got, simulatedPs, compileScenario(validateScenario(scenario)));
  const hint = 'The scenario asks for it by record.queueHistogram.';
  throw new RoceError('invalid-argument', {
    what: 'the result',
    problem: 'has no histogram of queues',
    where: 'queueHistogram',
    hint,
  });
}

function* parts({ looks: polls, ports }: NonNullable<SimResult['queueHistogram']>, simulatedPs: number,
  { plan, portNames }: ReturnType<typeof compileScenario>): Generator<string> {
  yield `time: ${Math.floor(simulatedPs / PS_PER_NS)}\n`;
  for (const [port, name] of portNames.entries()) {
    const { node } = plan.ports[port];
    const { kind, firstPort } = plan.nodes[node];
    if (kind !== 'switch') continue;
    const counts = Object.hasOwn(ports, name) ? ports[name] : [polls];
    yield `${[node, port - firstPort + 1, ...counts].join(' ')}\n`;
  }
}
