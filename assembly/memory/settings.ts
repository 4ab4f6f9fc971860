/** Settings that the host writes as numbers; `configure` copies them to globals. */
import { LATE_CLAMP } from '../../src/abi/codes';
import { SETTINGS_ADDRESS, SETTING_ACCESS_RANGES, SETTING_DUPLICATE_WINDOW, SETTING_FAST_CNP_ENABLED,
  SETTING_LATE_POLICY, SETTING_NP_MIN_TIME, SETTING_NP_SCOPE, SETTING_NP_WINDOW,
  SETTING_RATE_ACTIONS } from '../../src/abi/layout';

export let npScope: u32 = 0;
export let npWindow: u32 = 0;
export let npMinTimePs: f64 = 0;
export let fastCnpEnabled: bool = false;
export let duplicateWindowPs: f64 = 0;
export let clampLate: bool = false;
export let rateActions: bool = false;
export let accessRanges: u32 = 0;

@inline export function setting(index: u32): f64 {
  return load<f64>(<usize>SETTINGS_ADDRESS + (<usize>index << 3));
}

export function readSettings(): void {
  npScope = <u32>setting(SETTING_NP_SCOPE);
  npWindow = <u32>setting(SETTING_NP_WINDOW);
  npMinTimePs = setting(SETTING_NP_MIN_TIME);
  fastCnpEnabled = setting(SETTING_FAST_CNP_ENABLED) != 0;
  duplicateWindowPs = setting(SETTING_DUPLICATE_WINDOW);
  clampLate = <u32>setting(SETTING_LATE_POLICY) == LATE_CLAMP;
  rateActions = setting(SETTING_RATE_ACTIONS) != 0;
  accessRanges = <u32>setting(SETTING_ACCESS_RANGES);
}
