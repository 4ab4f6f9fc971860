/** What a demo is asked for, and the checks of it. */
import { checkFields, checkRecord, numberIn, oneOf, type FieldRules } from '../../config/field-rules.js';
import { requireCallback, requireSignal } from '../ports/checks.js';
import type { DemoView } from './demo-meter.js';
import type { DemoMode } from './scenario.js';

/** What a demo runs. */
export interface DemoOptions {
  /** CNPs of the receiver, or Fast CNPs of the switch. */
  readonly mode: DemoMode;
  /** Of all links, 10^7 to 10^9 bit/s. */
  readonly rateBps: number;
  /** How long it runs, 0.1 to 3,600 s. Rates are those of the second half. */
  readonly seconds: number;
  /** Ends it before its time. */
  readonly signal?: AbortSignal | undefined;
  /** Called twice a second. */
  readonly onView?: ((view: DemoView) => void) | undefined;
}

const RULES: FieldRules<Pick<DemoOptions, 'mode' | 'rateBps' | 'seconds'>> = {
  mode: oneOf('dcqcn', 'dcqcn-fast-cnp'),
  rateBps: numberIn(1e7, 1e9, 'bit/s'),
  seconds: numberIn(0.1, 3600, 's'),
};

/** @throws RoceError `invalid-config` for options out of range. */
export function checkDemoOptions(options: DemoOptions): void {
  checkRecord(options, 'options');
  const { mode, rateBps, seconds, signal, onView } = options;
  checkFields({ mode, rateBps, seconds }, RULES, 'options');
  requireSignal(signal);
  requireCallback(onView, 'options.onView');
}
