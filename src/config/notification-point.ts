/**
 * The notification point: when a receiver of CE-marked packets sends CNPs, and the fields of these CNPs.
 *
 * Sources: IBTA Annex A17, CA17-44 (a CNP per marked packet, or one for several on a QP); SIGCOMM 2015 paper, section
 * 3.1 (at most one per flow and 50 us); Mellanox "Understanding RoCEv2 Congestion Management" v17, steps 5 to 7;
 * NVIDIA "DCQCN CC Parameters" (DSCP 48, priority 6).
 */

import { us } from '../units.js';
import { checkFields, checkRecord, flag, oneOf, orValue, wholeIn, type FieldRules } from './field-rules.js';
import { PERIOD_MAX_PS } from './algorithms/algorithm.js';

/** Which marked packets share one CNP: those of a QP, of a destination, or of a port. */
export type NotificationScope = 'qp' | 'destination' | 'port';

/** Fields of a CNP that the standard leaves open. */
export interface CnpSettings {
  /** DSCP of the IP header, 0..63. */
  readonly dscp: number;
  /** Priority code point of the VLAN tag, 0..7, if the CNP has a tag. */
  readonly pcp: number;
  /** ECN field of the IP header. */
  readonly ecn: 'not-ect' | 'ect0' | 'ect1';
  /** BECN bit of the BTH. Readers never require it: CA17-29 calls it unused. */
  readonly becn: boolean;
  /** P_Key: that of the marked packet, as Annex A17 requires (figure 6), or a fixed one, 0..65535. */
  readonly pKey: 'of-marked-packet' | number;
}

/** How the receiver coalesces marks into CNPs. */
export interface NotificationPointSettings {
  /** One CNP per window for each QP, for each destination address of CNPs, or for the whole port. */
  readonly scope: NotificationScope;
  /** Marks within the window after a CNP are ignored (`suppress`), or cause one CNP at the window's end (`trailing`). */
  readonly window: 'suppress' | 'trailing';
  /** Length of the window, whole picoseconds; 0 = a CNP for each marked packet. */
  readonly minTimeBetweenCnpsPs: number;
  /** Fields of the CNPs. */
  readonly cnp: CnpSettings;
}

/** Settings that differ from the defaults. */
export type NotificationPointOptions = Partial<Omit<NotificationPointSettings, 'cnp'>> & {
  /** Fields of the CNPs. */
  readonly cnp?: Partial<CnpSettings>;
};

/** Defaults: at most one CNP per QP within 50 µs. */
export const DEFAULT_NOTIFICATION_POINT: NotificationPointSettings = Object.freeze({
  /** Per flow, as in SIGCOMM 2015, section 3.1; CA17-44 allows one CNP for several marks "on a given QP". */
  scope: 'qp',
  /** The literal meaning of "at most one per window" (CA17-44 does not require a CNP for every mark). */
  window: 'suppress',
  /** N = 50 us: SIGCOMM 2015, section 3.1. */
  minTimeBetweenCnpsPs: us(50),
  cnp: Object.freeze({
    /** CNP_DSCP: NVIDIA "DCQCN CC Parameters". */
    dscp: 48,
    /** CNP_802P_PRIO: NVIDIA "DCQCN CC Parameters". */
    pcp: 6,
    /** ECN field 01: Mellanox "Understanding RoCEv2 Congestion Management", step 6. ConnectX-4 Lx sends ECT(0). */
    ecn: 'ect1',
    /** ConnectX sets it. */
    becn: true,
    /** As Annex A17 requires, figure 6. */
    pKey: 'of-marked-packet',
  }),
});

const CNP_RULES: FieldRules<CnpSettings> = {
  dscp: wholeIn(0, 63),
  pcp: wholeIn(0, 7),
  ecn: oneOf('not-ect', 'ect0', 'ect1'),
  becn: flag(),
  pKey: orValue('of-marked-packet', wholeIn(0, 0xffff)),
};

const RULES: FieldRules<NotificationPointSettings> = {
  scope: oneOf('qp', 'destination', 'port'),
  window: oneOf('suppress', 'trailing'),
  minTimeBetweenCnpsPs: wholeIn(0, PERIOD_MAX_PS, 'picoseconds'),
  cnp: { allowed: 'an object with fields', accepts: (value) => typeof value === 'object' && value !== null },
};

/**
 * Fills in the defaults and checks the settings.
 *
 * @param options settings that differ from `DEFAULT_NOTIFICATION_POINT`.
 * @param name name of the object in errors: `where` is `${name}.${field}`.
 * @throws RoceError `invalid-config`, naming the field.
 */
export function notificationPoint(options: NotificationPointOptions = {},
  name = 'notificationPoint'): NotificationPointSettings {
  checkRecord(options, name);
  const { cnp = {}, ...rest } = options;
  checkRecord(cnp, `${name}.cnp`);
  return validateNotificationPoint({
    ...DEFAULT_NOTIFICATION_POINT,
    ...rest,
    cnp: { ...DEFAULT_NOTIFICATION_POINT.cnp, ...cnp },
  }, name);
}

/**
 * Checks complete settings and returns a frozen copy.
 *
 * @throws RoceError `invalid-config`, naming the field.
 */
export function validateNotificationPoint(settings: unknown, name = 'notificationPoint'): NotificationPointSettings {
  const checked = checkFields<NotificationPointSettings>(settings, RULES, name);
  const cnp = checkFields<CnpSettings>(checked.cnp, CNP_RULES, `${name}.cnp`);
  return Object.freeze({ ...checked, cnp: Object.freeze({ ...cnp }) });
}
