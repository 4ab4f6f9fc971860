/** Validates the arguments of `foundFlows` and `formatFlows`. */
import { QPN_MAX } from '../abi/layout.js';
import { checkField, checkRecord, oneOf, reject, wholeIn, type FieldRule } from '../config/field-rules.js';

const TEXT: FieldRule = { allowed: 'a string', accepts: (value) => typeof value === 'string' };
const QPN = wholeIn(0, QPN_MAX);
const SOURCE = oneOf('cm', 'acknowledgements', 'responses', 'cnps');
const FLOW: Readonly<Record<string, FieldRule>> = {
  name: TEXT,
  senderAddress: TEXT,
  senderQpn: QPN,
  peerAddress: TEXT,
  peerQpn: QPN,
  from: SOURCE,
};
const STREAM: Readonly<Record<string, FieldRule>> = {
  source: TEXT,
  destination: TEXT,
  destQpn: QPN,
  dataFrames: wholeIn(0, Number.MAX_SAFE_INTEGER),
};

/** @throws RoceError `invalid-config` naming the member that differs from what `replay` returns. */
export function checkReport(report: unknown): void {
  const { connections, streams } = checkRecord(report, 'report');
  checkEach(connections, 'report.connections', (connection, where) => {
    const { a, b, from } = checkRecord(connection, where);
    checkMembers(a, { address: TEXT, qpn: QPN }, `${where}.a`);
    checkMembers(b, { address: TEXT, qpn: QPN }, `${where}.b`);
    checkField(from, SOURCE, `${where}.from`);
  });
  checkEach(streams, 'report.streams', (stream, where) => {
    checkMembers(stream, STREAM, where);
  });
}

/** @throws RoceError `invalid-config` naming the member that differs from what `foundFlows` returns. */
export function checkFoundFlows(flows: unknown): void {
  checkEach(flows, 'flows', (flow, where) => {
    checkMembers(flow, FLOW, where);
  });
}

function checkEach(list: unknown, where: string, check: (item: unknown, where: string) => void): void {
  if (!Array.isArray(list)) reject({ got: list, allowed: 'a list', where });
  for (const [index, item] of list.entries()) check(item, `${where}[${index}]`);
}

function checkMembers(value: unknown, rules: Readonly<Record<string, FieldRule>>, where: string): void {
  const record = checkRecord(value, where);
  for (const [name, rule] of Object.entries(rules)) checkField(record[name], rule, `${where}.${name}`);
}
