/** The type of a scenario's congestion points; spec.ts exports it with the others. */

/** What a switch does to packets at its queues: a custom congestion point by its name or file. */
export interface CongestionPointSpec {
  /** Name of a custom congestion point that is passed with the scenario; `built-in`: the rule of `ecn` and `fastCnp`. */
  readonly preset?: string;
  /** Instead of a preset: its file, by its path from the scenario's. */
  readonly file?: string;
  /** Hash of its source: only that code runs. Results state it. Default: any code. */
  readonly sourceHash?: string;
  /** Any of its parameters. */
  readonly parameters?: Readonly<Record<string, number | string | boolean>>;
}
