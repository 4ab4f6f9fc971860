/** Dissection rules for captures with several link types; created at the first frame of each link type. */
import { dissectionRules, type DissectOptions, type DissectionRules } from './rules.js';

export class LinkRules {
  readonly #rules = new Map<number, DissectionRules>();
  readonly #options: DissectOptions;

  /** @param options for all link types; default: no ICRC check. */
  constructor(options: DissectOptions = { checkIcrc: false }) {
    this.#options = options;
  }

  /** The rules of a link type. @throws RoceError `invalid-argument` for a link type that is not dissected. */
  of(linkType: number): DissectionRules {
    let rules = this.#rules.get(linkType);
    if (rules === undefined) {
      rules = dissectionRules({ ...this.#options, linkType });
      this.#rules.set(linkType, rules);
    }
    return rules;
  }
}
