/** Options of `roce-cc lint`, as commander gives them. */
import type { NetworkProfileName } from '../../qos/index.js';

export interface LintFlags {
  readonly json?: boolean;
  readonly profile?: NetworkProfileName;
  readonly lineRate: number;
  readonly device?: number;
  readonly port?: number;
  readonly dataDscp?: number;
  readonly cnpDscp?: number;
  readonly dataPriority?: number;
  readonly cnpPriority?: number;
}
