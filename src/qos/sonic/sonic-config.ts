/** What a SONiC configuration says of the QoS of a switch's ports, in this library's terms. */
import type { LintRule } from '../lint-rules.js';
import type { PortQos } from '../qos-map.js';

/** The watchdog of PFC storms of a port (table PFC_WD). */
export interface SonicWatchdog {
  /** How long a queue stays paused until that is a storm, milliseconds. */
  readonly detectionMs: number;
  /** How long no pause may come until the storm is over, milliseconds; null: not given. */
  readonly restorationMs: number | null;
  /** What happens to the packets of the queue meanwhile. */
  readonly action: 'drop' | 'forward' | 'alert';
}

/** One setting of a port, as SONiC names it. */
export interface SonicSetting {
  /** Table, or table and key, and field: `WRED_PROFILE|AZURE_LOSSLESS green_min_threshold, queue 3`. */
  readonly name: string;
  /** As in the file, or derived from several entries. */
  readonly value: string;
}

/** One port of the switch. */
export interface SonicPort {
  /** Name of the port: `Ethernet0`. */
  readonly name: string;
  /** Its rate, bits per second; null: the file does not say. */
  readonly rateBps: number | null;
  /** Its settings. */
  readonly qos: PortQos;
  /** Its watchdog; null: none. */
  readonly watchdog: SonicWatchdog | null;
  /** Rules of the linter that the file says too little for: buffers that the switch computes when it runs. */
  readonly notTold: readonly LintRule[];
  /** The same in SONiC's names. */
  readonly settings: readonly SonicSetting[];
  /** What was assumed where the file says nothing, one sentence each. */
  readonly notes: readonly string[];
  /** What contradicts itself, one sentence each. */
  readonly warnings: readonly string[];
}

/** A switch as its config_db.json has it. */
export interface SonicConfig {
  /** `hostname` of DEVICE_METADATA; `switch` where there is none. */
  readonly name: string;
  /** All ports that have QoS settings, in the order of the file. */
  readonly ports: readonly SonicPort[];
}
