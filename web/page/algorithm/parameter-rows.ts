/** Sliders for the parameters that the code declares, which set parameters of B. */
import { fill, h } from '../../../src/view/charts/dom.js';
import { shortNumber, type Unit, unitOfKey, wordsOfKey } from '../../../src/view/format.js';
import type { DeclaredAlgorithm, DeclaredParameter } from '../../protocol/algorithm-protocol.js';
import type { ScenarioFacts } from '../../protocol/run-protocol.js';
import { fieldRow, type FieldRow, type FieldSpec, type FieldValue } from '../experiment/rows.js';
import { parseJson } from '../experiment/scenario-edit.js';
import { customParameters } from './custom-scenario.js';

/** Larger ends of ranges are not shown, as they mean nothing to a user. */
const SHOWN_MAX = 1e13;

/** @param value undefined resets the parameter to its default. */
type ChangeParameter = (name: string, value: FieldValue | undefined) => void;

export class ParameterRows {
  readonly element = h('div', { class: 'form' });
  readonly #change: ChangeParameter;
  #rows: (readonly [name: string, row: FieldRow])[] = [];
  #built = '';

  constructor(change: ChangeParameter) {
    this.#change = change;
  }

  /** @param text of B's scenario. @param facts of this scenario, as a default may depend on the network. */
  show(declared: DeclaredAlgorithm | undefined, text: string, facts: ScenarioFacts | undefined): void {
    if (declared === undefined) {
      this.#built = '';
      fill(this.element);
      return;
    }
    const defaults = defaultsIn(facts, declared.name);
    const given = customParameters(parseJson(text), declared.name);
    const key = JSON.stringify([declared, ...defaults]);
    if (key !== this.#built) this.#build(declared, defaults);
    this.#built = key;
    for (const [name, row] of this.#rows) row.show(given[name] as FieldValue | undefined);
  }

  #build({ parameters }: DeclaredAlgorithm, defaults: ReadonlyMap<string, FieldValue>): void {
    const focused = this.element.contains(document.activeElement) ? document.activeElement?.id : undefined;
    this.#rows = parameters.map((parameter) => {
      const { name } = parameter;
      const row = fieldRow(specOf(parameter, defaults.get(name)), undefined, (value) => {
        this.#change(name, value);
      });
      return [name, row];
    });
    fill(this.element, parameters.length > 0 && h('h3', {}, 'Parameters of B'),
      ...this.#rows.map(([, row]) => row.element));
    if (focused !== undefined) document.getElementById(focused)?.focus();
  }
}

/** Parameter values when the scenario sets none. */
function defaultsIn(facts: ScenarioFacts | undefined, name: string): ReadonlyMap<string, FieldValue> {
  const used = facts?.algorithms.find(({ preset }) => preset === name);
  return new Map(used?.parameters.map((parameter) => [parameter.name, parameter.presetValue]));
}

function specOf(parameter: DeclaredParameter, fallback: FieldValue | undefined): FieldSpec {
  const { name, title, choices, isFlag, min, max, isWhole, description } = parameter;
  const unit = unitOf(parameter);
  const range = choices.length === 0 && !isFlag && max < SHOWN_MAX ?
    `${shortNumber(min / unit.size)} to ${shortNumber(max / unit.size)}.` :
    '';
  return {
    path: `code.${name}`,
    label: title === '' ? wordsOfKey(name) : title,
    unit,
    kind: isFlag ? 'flag' : choices.length > 0 ? 'choice' : 'number',
    choices,
    min,
    max,
    isWhole,
    fallback,
    hint: [description === '' ? '' : `${description.replace(/\.$/, '')}.`, range].join(' ').trim(),
    vendor: name,
    isOptional: true,
  };
}

/** The unit in the name's suffix, as in all forms of the lab, or else the declared one. */
function unitOf({ name, unit }: DeclaredParameter): Unit {
  const known = unitOfKey(name);
  return known.name === '' ? { name: unit, size: 1 } : known;
}
