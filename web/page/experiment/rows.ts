/** One row of the form: label, unit, slider, number, allowed range, and a button that resets to the default. */
import { h } from '../../../src/view/charts/dom.js';
import { shortNumber, type Unit } from '../../../src/view/format.js';
import { docsUrl } from './docs-links.js';
import { sliderScale, type SliderScale } from './slider.js';

export type FieldValue = number | string | boolean;

export interface FieldSpec {
  /** Path in the scenario; also the name for tests and screen readers. */
  readonly path: string;
  readonly label: string;
  /** Unit of the shown value; values are divided by its size. */
  readonly unit: Unit;
  readonly kind: 'number' | 'choice' | 'flag';
  readonly choices: readonly FieldValue[];
  readonly min: number;
  readonly max: number;
  readonly isWhole: boolean;
  /** Default value; undefined if there is no fixed one. */
  readonly fallback: FieldValue | undefined;
  /** Initial value in the experiment; absent if the scenario did not set it. */
  readonly start?: FieldValue | undefined;
  readonly hint: string;
  /** Vendor's name; empty if there is none. */
  readonly vendor: string;
  /** Whether the key may be removed. */
  readonly isOptional: boolean;
}

export interface FieldRow {
  readonly element: HTMLElement;
  /** Shows a value, and whether it differs from the initial one; undefined for the default. */
  readonly show: (value: FieldValue | undefined) => void;
  /** For a fork: marks whether it sets the value, instead of whether the value differs from the initial one. */
  readonly markSet: (isSet: boolean) => void;
  /** Shows an error below the control; empty for none. */
  readonly showFault: (text: string) => void;
}

const SLIDER_STEPS = 200;

/** @param onChange called with undefined when the user resets the value. */
export function fieldRow(spec: FieldSpec, value: FieldValue | undefined,
  onChange: (value: FieldValue | undefined) => void): FieldRow {
  const id = `field-${spec.path.replaceAll(/[^\w]+/g, '-')}`;
  const control = spec.kind === 'number' ? numberControl(spec, id, value, onChange) : choiceControl(spec, id, onChange);
  let isOfFork = false;
  const click = (): void => {
    onChange(isOfFork ? undefined : spec.start);
  };
  const reset = h('button', { type: 'button', class: 'reset', click }, 'Reset');
  reset.setAttribute('aria-label', `Reset ${spec.label} to ${startText(spec)}`);
  const hintId = `${id}-hint`;
  const fault = h('p', { class: 'fault', id: `${id}-fault`, role: 'status' });
  const element = h('div', { class: 'row', 'data-path': spec.path },
    h('label', { for: id }, spec.label, spec.unit.name !== '' && h('span', { class: 'unit' }, ` ${spec.unit.name}`)),
    reset, h('div', { class: 'control' }, ...control.elements), fault,
    h('p', { class: 'hint', id: hintId }, ...hintOf(spec)));
  control.input.setAttribute('aria-describedby', hintId);
  const show = (shown: FieldValue | undefined): void => {
    const [now, start] = [shown ?? spec.fallback, spec.start ?? spec.fallback];
    const isChanged = now !== undefined && (start === undefined ? spec.isOptional : now !== start);
    isOfFork = false;
    element.classList.toggle('changed', isChanged);
    reset.hidden = !isChanged || (!spec.isOptional && spec.start === undefined);
    control.show(now);
  };
  const showFault = (text: string): void => {
    if (fault.textContent === text) return;
    fault.textContent = text;
    element.classList.toggle('invalid', text !== '');
    control.input.setAttribute('aria-invalid', String(text !== ''));
    control.input.setAttribute('aria-describedby', text === '' ? hintId : `${fault.id} ${hintId}`);
  };
  const markSet = (isSet: boolean): void => {
    isOfFork = true;
    element.classList.toggle('changed', isSet);
    reset.hidden = !isSet;
  };
  show(value);
  return { element, show, markSet, showFault };
}

interface Control {
  readonly elements: readonly HTMLElement[];
  readonly input: HTMLElement;
  readonly show: (value: FieldValue | undefined) => void;
}

function numberControl(spec: FieldSpec, id: string, value: FieldValue | undefined,
  onChange: (value: FieldValue) => void): Control {
  const { size } = spec.unit;
  const input = h('input', { id, type: 'number', step: 'any', inputmode: 'decimal' });
  if (Number.isFinite(spec.min)) input.min = String(spec.min / size);
  if (Number.isFinite(spec.max)) input.max = String(spec.max / size);
  input.addEventListener('change', () => {
    if (input.value !== '') onChange(exact(Number(input.value) * size));
  });
  const scale = scaleOf(spec, value);
  const slider = h('input', {
    type: 'range',
    min: 0,
    max: SLIDER_STEPS,
    step: 1,
    'aria-label': `${spec.label}, slider`,
  });
  slider.addEventListener('input', () => {
    if (scale === undefined) return;
    const slid = scale.valueAt(Number(slider.value) / SLIDER_STEPS);
    input.value = display(slid, size);
    slider.setAttribute('aria-valuetext', `${display(slid, size)} ${spec.unit.name}`);
    onChange(slid);
  });
  return {
    elements: scale === undefined ? [input] : [slider, input],
    input,
    show: (shown) => {
      if (document.activeElement !== input) input.value = shown === undefined ? '' : display(Number(shown), size);
      if (scale === undefined || shown === undefined || document.activeElement === slider) return;
      slider.value = String(Math.round(SLIDER_STEPS * scale.placeOf(Number(shown))));
      slider.setAttribute('aria-valuetext', `${display(Number(shown), size)} ${spec.unit.name}`);
    },
  };
}

/**
 * The slider's scale: around the default, so that sliders of a shared experiment have the same positions; around the
 * value if that is out of range.
 */
function scaleOf({ fallback, min, max, isWhole }: FieldSpec, value: FieldValue | undefined): SliderScale | undefined {
  const around = (middle: FieldValue | undefined): SliderScale | undefined =>
    Number.isFinite(Number(middle ?? NaN)) ? sliderScale(Number(middle), min, max, isWhole) : undefined;
  const scale = around(fallback);
  return scale !== undefined && (value === undefined || scale.reaches(Number(value))) ? scale : around(value);
}

function choiceControl(spec: FieldSpec, id: string, onChange: (value: FieldValue | undefined) => void): Control {
  if (spec.kind === 'flag') {
    const box = h('input', { id, type: 'checkbox', change: () => onChange(box.checked) });
    return {
      elements: [box],
      input: box,
      show: (shown) => {
        box.checked = shown === true;
      },
    };
  }
  const none = spec.fallback === undefined && spec.isOptional ? [h('option', { value: '' }, 'default')] : [];
  const options = spec.choices.map((choice) => h('option', { value: String(choice) }, String(choice)));
  const select = h('select', { id }, ...none, ...options);
  select.addEventListener('change', () => {
    onChange(spec.choices.find((choice) => String(choice) === select.value));
  });
  return {
    elements: [select],
    input: select,
    show: (shown) => {
      select.value = shown === undefined ? '' : String(shown);
    },
  };
}

/** Formats a value in its unit, rounded to hide the error of the division. */
const display = (value: number, size: number): string => String(Number((value / size).toPrecision(12)));
const exact = (value: number): number => Number(value.toPrecision(15));

function hintOf({ path, label, hint, vendor }: FieldSpec): (Node | string)[] {
  return [
    ...(vendor === '' ? [] : [h('code', {}, vendor), hint === '' ? '' : ' · ']),
    hint,
    ' ',
    h('a', { href: docsUrl(path), target: '_blank', rel: 'noreferrer', 'aria-label': `docs: ${label}` }, 'docs'),
  ];
}

const startText = ({ start, fallback, unit }: FieldSpec): string => {
  const value = start ?? fallback;
  return value === undefined ? 'the default' : valueText(value, unit);
};

export function valueText(value: FieldValue, unit: Unit): string {
  return typeof value === 'number' ? `${shortNumber(value / unit.size)} ${unit.name}`.trim() : String(value);
}
