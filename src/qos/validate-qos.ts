/**
 * Validates a port's settings, naming the field and index. Valid but unwise settings (ECN with min above max, weights
 * that do not add up) pass; the linter reports those.
 */
import { checkField, checkFields, checkTogether, flag, numberIn, oneOf, reject, wholeIn, type FieldRule,
  type FieldRules } from '../config/field-rules.js';
import { DSCP_COUNT, PRIORITY_COUNT, type BufferGroup, type EcnMarking, type GlobalPause, type LosslessGroup,
  type LossyGroup, type PfcSettings, type PortQos, type QosMap, type Scheduler,
  type TrafficClassQos } from './qos-map.js';

/** A priority, 0..7. */
export const PRIORITY_RULE = wholeIn(0, PRIORITY_COUNT - 1, 'priority');

const GROUP_RULE = wholeIn(0, PRIORITY_COUNT - 1, 'priority group');
const TRAFFIC_CLASS_RULE = wholeIn(0, PRIORITY_COUNT - 1, 'traffic class');
const BYTES_RULE = wholeIn(0, Number.MAX_SAFE_INTEGER, 'bytes');
const ALPHA_RULE = numberIn(0, Number.MAX_VALUE, 'times the free shared buffer');
const GROUP_KIND_RULE = oneOf('lossy', 'lossless');
const SCHEDULER_KIND_RULE = oneOf('strict', 'ets');
/** Accepts anything; used for parts that are checked separately. */
export const ANYTHING: FieldRule = { allowed: 'anything', accepts: () => true };

const TRUST_RULE = oneOf('pcp', 'dscp');
const PORT_RULES: FieldRules<PortQos> = {
  trust: TRUST_RULE,
  defaultPriority: PRIORITY_RULE,
  dscpToPriority: ANYTHING,
  pcpToPriority: ANYTHING,
  priorityToGroup: ANYTHING,
  priorityToTrafficClass: ANYTHING,
  pfc: ANYTHING,
  globalPause: ANYTHING,
  groups: ANYTHING,
  trafficClasses: ANYTHING,
};
const PFC_RULES: FieldRules<PfcSettings> = { sendPriorities: ANYTHING, honourPriorities: ANYTHING };
const PAUSE_RULES: FieldRules<GlobalPause> = { send: flag(), honour: flag() };
const LOSSY_RULES: FieldRules<LossyGroup> = { kind: GROUP_KIND_RULE, reservedBytes: BYTES_RULE, alpha: ALPHA_RULE };
const LOSSLESS_RULES: FieldRules<LosslessGroup> = {
  kind: GROUP_KIND_RULE,
  reservedBytes: BYTES_RULE,
  alpha: ALPHA_RULE,
  xoffBytes: BYTES_RULE,
  xonBytes: BYTES_RULE,
  headroomBytes: BYTES_RULE,
};
const CLASS_RULES: FieldRules<TrafficClassQos> = { scheduler: ANYTHING, ecn: ANYTHING };
const STRICT_RULES: FieldRules<{ kind: 'strict' }> = { kind: SCHEDULER_KIND_RULE };
const ETS_RULES: FieldRules<{ kind: 'ets'; weightPercent: number }> = {
  kind: SCHEDULER_KIND_RULE,
  weightPercent: numberIn(0, 100, 'percent'),
};
const ECN_RULES: FieldRules<EcnMarking> = {
  minBytes: BYTES_RULE,
  maxBytes: BYTES_RULE,
  probability: numberIn(0, 1, 'probability'),
};

/**
 * Validates the settings of a port.
 *
 * @param name of the port, for errors: `${name}.pcpToPriority[3]`.
 * @returns `value`, now of type PortQos.
 * @throws RoceError `invalid-config`
 */
export function validatePortQos(value: unknown, name = 'port'): PortQos {
  const port = checkFields(value, PORT_RULES, name);
  checkMap(port, name);
  checkFields(port.pfc, PFC_RULES, `${name}.pfc`);
  checkPriorities(port.pfc.sendPriorities, `${name}.pfc.sendPriorities`);
  checkPriorities(port.pfc.honourPriorities, `${name}.pfc.honourPriorities`);
  checkFields(port.globalPause, PAUSE_RULES, `${name}.globalPause`);
  checkEach(port.groups, `${name}.groups`, checkGroup);
  checkEach(port.trafficClasses, `${name}.trafficClasses`, checkTrafficClass);
  return port;
}

/**
 * Validates the maps of a port; ignores its other fields.
 * @throws RoceError `invalid-config`
 */
export function checkMap(map: QosMap, name: string): void {
  checkField(map.trust, TRUST_RULE, `${name}.trust`);
  checkField(map.defaultPriority, PRIORITY_RULE, `${name}.defaultPriority`);
  checkList(map.dscpToPriority, DSCP_COUNT, PRIORITY_RULE, `${name}.dscpToPriority`);
  checkList(map.pcpToPriority, PRIORITY_COUNT, PRIORITY_RULE, `${name}.pcpToPriority`);
  checkList(map.priorityToGroup, PRIORITY_COUNT, GROUP_RULE, `${name}.priorityToGroup`);
  checkList(map.priorityToTrafficClass, PRIORITY_COUNT, TRAFFIC_CLASS_RULE, `${name}.priorityToTrafficClass`);
}

/**
 * Validates a list of priorities: ascending, without duplicates.
 * @throws RoceError `invalid-config`
 */
export function checkPriorities(value: unknown, name: string): void {
  if (!Array.isArray(value)) reject({ got: value, allowed: 'a list of priorities', where: name });
  Array.from(value as unknown[]).forEach((entry, index, all) => {
    checkField(entry, PRIORITY_RULE, `${name}[${index}]`);
    if (index > 0 && Number(all[index - 1]) >= Number(entry)) {
      reject({ got: entry, allowed: 'above the priority before it', where: `${name}[${index}]` });
    }
  });
}

function checkList(value: unknown, count: number, rule: FieldRule, name: string): void {
  requireCount(value, count, name).forEach((entry, index) => checkField(entry, rule, `${name}[${index}]`));
}

function checkEach(value: unknown, name: string, check: (entry: unknown, name: string) => void): void {
  requireCount(value, PRIORITY_COUNT, name).forEach((entry, index) => check(entry, `${name}[${index}]`));
}

// Copies the array, because forEach would skip the holes of a sparse array.
function requireCount(value: unknown, count: number, name: string): unknown[] {
  if (!Array.isArray(value)) return reject({ got: value, allowed: `a list of ${count} entries`, where: name });
  const what = `the number of entries of ${name}`;
  if (value.length !== count) reject({ what, got: value.length, allowed: count, where: name });
  return Array.from(value as unknown[]);
}

function checkGroup(value: unknown, name: string): void {
  if ((value as BufferGroup | undefined)?.kind !== 'lossless') {
    checkFields(value, LOSSY_RULES, name);
    return;
  }
  checkTogether(checkFields(value, LOSSLESS_RULES, name), [
    {
      fields: ['xonBytes', 'xoffBytes'],
      problem: 'must not exceed Xoff',
      holds: (group) => group.xonBytes <= group.xoffBytes,
    },
  ], name);
}

function checkTrafficClass(value: unknown, name: string): void {
  const trafficClass = checkFields(value, CLASS_RULES, name);
  checkScheduler(trafficClass.scheduler, `${name}.scheduler`);
  if (trafficClass.ecn !== null) checkFields(trafficClass.ecn, ECN_RULES, `${name}.ecn`);
}

function checkScheduler(value: Scheduler | undefined, name: string): void {
  if (value?.kind === 'ets') checkFields(value, ETS_RULES, name);
  else checkFields(value, STRICT_RULES, name);
}
