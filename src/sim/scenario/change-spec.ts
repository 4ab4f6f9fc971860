/** Settings that change while a run goes, as a scenario states them. */

/** Settings from an instant on. */
export interface ChangeSpec {
  /** Before anything else happens at this instant, us. */
  readonly atUs: number;
  /**
   * New values by the path of their setting, such as `switches.ecn.kminKB` or `algorithms.default.parameters.aiRateBps`: thresholds of
   * marking (`switches.ecn.kminKB`, `kmaxKB`, `pmax`), and numbers of DCQCN. Everything else is fixed when a run begins.
   */
  readonly set: Readonly<Record<string, number>>;
}
