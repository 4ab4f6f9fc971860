/** Options of a demo, and their validation. */
import { checkFields, checkRecord, numberIn, oneOf, type FieldRules } from '../../config/field-rules.js';
import { requireCallback, requireSignal } from '../ports/checks.js';
import type { DemoView } from './demo-meter.js';
import type { DemoMode } from './scenario.js';

/** Options of a demo. */
export interface DemoOptions {
  /** Kind of notification: CNPs from the receiver, or Fast CNPs from the switch. */
  readonly mode: DemoMode;
  /** Rate of all links, 10^7 to 10^9 bit/s. */
  readonly rateBps: number;
  /** Duration, 0.1 to 3,600 s. Goodput is measured over the second half. */
  readonly seconds: number;
  /** Ends the demo early. */
  readonly signal?: AbortSignal | undefined;
  /** Called twice a second with the current state. */
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
