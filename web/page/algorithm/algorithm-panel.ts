/** The algorithm tab: an editor whose code runs as B while the user types, and sliders for its parameters. */
import { debounced, fill, h, saveFile } from '../../../src/view/charts/dom.js';
import type { FieldValue } from '../experiment/rows.js';
import type { Lab } from '../lab.js';
import { CodeEditor } from './code-editor.js';
import { CustomRun, type RunFault } from './custom-run.js';
import { presetOf, withParameter, withPreset } from './custom-scenario.js';
import { ParameterRows } from './parameter-rows.js';
import { Sandbox } from './sandbox.js';
import { STARTING_POINTS } from './starting-points.js';

/** Delay from the last keystroke to the run. */
const TYPING_WAIT_MS = 400;
const DOCS_URL = 'https://github.com/roce-cc/roce-cc/blob/main/docs/guides/your-own-algorithm.md';
const DEFAULT_PRESET = 'dcqcn-sigcomm15';

export class AlgorithmPanel {
  readonly element: HTMLElement;
  readonly #lab: Lab;
  readonly #run: CustomRun;
  readonly #editor: CodeEditor;
  readonly #rows: ParameterRows;
  readonly #message = h('div', { id: 'code-error', class: 'rejection', role: 'status' });
  readonly #state = h('p', { id: 'code-state', class: 'words' });
  readonly #held: HTMLElement;
  readonly #start = h('button', { type: 'button', id: 'code-compare', class: 'main' }, 'Compare as B');
  readonly #preset = h('select', { id: 'code-a' });

  constructor(lab: Lab) {
    this.#lab = lab;
    this.#run = new CustomRun(lab, new Sandbox());
    const typed = debounced(TYPING_WAIT_MS, () => {
      this.#typed();
    });
    this.#editor = new CodeEditor(lab.code.value?.text ?? STARTING_POINTS[0]?.text ?? '', typed);
    this.#rows = new ParameterRows((name, value) => {
      this.#changeParameter(name, value);
    });
    this.#held = this.#heldBox();
    this.#start.addEventListener('click', () => {
      this.#runNow();
    });
    this.element = h('div', {}, this.#intro(), this.#held, this.#choices(), this.#editor.element,
      h('p', { class: 'hint' }, 'Escape, then Tab, leaves the editor.'), this.#message,
      h('div', { class: 'buttons' }, this.#start, this.#saveButton()), this.#state, this.#rows.element);
    this.#watch();
    void lab.a.client.schema().then(({ presets }) => {
      fill(this.#preset, ...presets.map((preset) => h('option', {}, preset)));
      this.#show();
    });
    this.#show();
  }

  #watch(): void {
    const { lab, run } = { lab: this.#lab, run: this.#run };
    const show = (): void => {
      this.#show();
    };
    run.declared.onChange(show);
    run.fault.onChange((fault) => {
      this.#showFault(fault);
    });
    lab.a.text.onChange(show);
    lab.code.onChange((code) => {
      if (code?.isHeld === true) this.#editor.replace(code.text);
      show();
    });
    const watchB = (): void => {
      lab.b.value?.text.onChange(show);
      lab.b.value?.facts.onChange(show);
      show();
    };
    lab.b.onChange(watchB);
    watchB();
  }

  /** Runs the code after the user has stopped typing. */
  #typed(): void {
    const { text } = this.#editor;
    const code = this.#lab.code.value;
    if (code?.isHeld === true) this.#lab.code.value = { text, isHeld: true };
    // A button may have run this text while the timer was pending.
    else if (code?.text !== text) this.#runNow();
  }

  #runNow(): void {
    const { text } = this.#editor;
    this.#lab.statedHash.value = this.#lab.code.value?.text === text ? this.#lab.statedHash.value : '';
    this.#lab.code.value = { text, isHeld: false };
    void this.#run.apply(text);
  }

  #changeParameter(name: string, value: FieldValue | undefined): void {
    const b = this.#lab.b.value;
    const declared = this.#run.declared.value;
    if (b === undefined || declared === undefined) return;
    this.#lab.statedHash.value = '';
    b.text.value = withParameter(b.text.value, declared.name, name, value);
    if (this.#lab.isLive.value && b.isFast) b.runSoon();
    else void b.check();
  }

  #show(): void {
    const { code, b, a } = this.#lab;
    const { declared } = this.#run;
    this.#held.hidden = code.value?.isHeld !== true;
    this.#start.hidden = code.value !== undefined;
    this.#preset.value = presetOf(a.text.value, DEFAULT_PRESET);
    this.#rows.show(code.value?.isHeld === false ? declared.value : undefined, b.value?.text.value ?? '',
      b.value?.facts.value);
    fill(this.#state, this.#stateText());
  }

  #stateText(): string {
    const { code } = this.#lab;
    if (code.value === undefined) return 'B does not run this code until you type.';
    if (code.value.isHeld) return '';
    const declared = this.#run.declared.value;
    return declared === undefined ? '' : `B runs ${declared.title} on A's scenario, with the same seed.`;
  }

  #showFault(fault: RunFault | undefined): void {
    const { message = '', line } = fault ?? {};
    this.#editor.showFault(line === undefined ? undefined : { message, line });
    if (fault === undefined) {
      fill(this.#message);
      return;
    }
    fill(this.#message, h('p', {}, line === undefined ? message : `Line ${line}: ${message}`),
      line !== undefined && h('button', {
        type: 'button',
        class: 'link',
        click: () => {
          this.#editor.goTo(line);
        },
      }, `Go to line ${line}`));
  }

  #intro(): HTMLElement {
    return h('p', { class: 'about' },
      "Write congestion control in JavaScript or TypeScript: B runs it on A's scenario whenever you stop typing. ",
      h('a', { href: DOCS_URL, target: '_blank', rel: 'noreferrer' }, 'How to write one'));
  }

  #heldBox(): HTMLElement {
    const allow = h('button', { type: 'button', id: 'code-allow', class: 'main' }, 'Run this code');
    allow.addEventListener('click', () => {
      this.#runNow();
    });
    return h('div', { class: 'held', id: 'code-held', role: 'group', 'aria-label': 'Code of a link' },
      h('p', {},
        'This code came with the link and has not run. Read it first. It runs in a worker that has no access to network, ' +
          'storage or page.'), allow);
  }

  #choices(): HTMLElement {
    const points = h('select', { id: 'code-start' }, h('option', { value: '' }, 'Choose…'),
      ...STARTING_POINTS.map(({ id, title }) => h('option', { value: id }, title)));
    points.addEventListener('change', () => {
      const point = STARTING_POINTS.find(({ id }) => id === points.value);
      points.value = '';
      if (point === undefined) return;
      this.#editor.replace(point.text);
      this.#runNow();
    });
    this.#preset.addEventListener('change', () => {
      const { a, isLive, statedHash } = this.#lab;
      statedHash.value = '';
      a.text.value = withPreset(a.text.value, this.#preset.value);
      if (isLive.value && a.isFast) a.runSoon();
      else void a.check();
    });
    return h('div', { class: 'code-choices' }, h('label', { for: 'code-start' }, 'Start from'), points,
      h('label', { for: 'code-a' }, 'A runs'), this.#preset);
  }

  #saveButton(): HTMLElement {
    return h('button', {
      type: 'button',
      class: 'quiet',
      click: () => {
        const name = this.#run.declared.value?.name ?? 'algorithm';
        saveFile(`${name}.js`, new Blob([this.#editor.text], { type: 'text/javascript' }));
      },
    }, 'Save the code');
  }
}
