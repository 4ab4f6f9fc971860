/** Options of `roce-cc settings`, as commander gives them. */
import type { SettingsKind } from '../replay/settings-kinds.js';

export interface SettingsFlags {
  readonly compare?: string;
  readonly settingsKind?: SettingsKind;
  readonly lineRate: number;
  readonly device?: number;
  readonly port?: number;
  readonly mss?: number;
  readonly rtt?: number;
  readonly json?: boolean;
}
