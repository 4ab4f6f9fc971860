/** Rules of dissection by link type, for frames of several: made with the first frame of each. */
import { dissectionRules, type DissectionRules } from './rules.js';

export class LinkRules {
  readonly #rules = new Map<number, DissectionRules>();

  /** Defaults, without a check of the ICRC. @throws RoceError `invalid-argument` for a link type that is not dissected. */
  of(linkType: number): DissectionRules {
    let rules = this.#rules.get(linkType);
    if (rules === undefined) {
      rules = dissectionRules({ linkType, checkIcrc: false });
      this.#rules.set(linkType, rules);
    }
    return rules;
  }
}
