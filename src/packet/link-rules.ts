/** Rules of dissection by link type, for frames of several: made with the first frame of each. */
import { dissectionRules, type DissectOptions, type DissectionRules } from './rules.js';

export class LinkRules {
  readonly #rules = new Map<number, DissectionRules>();
  readonly #options: DissectOptions;

  /** @param options of all link types; default: no check of the ICRC. */
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
