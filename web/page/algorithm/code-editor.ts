/**
 * The code editor: CodeMirror in a shadow tree, where it uses constructed style sheets, which the page's content policy
 * allows.
 */
import { indentWithTab } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Transaction } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import { basicSetup, EditorView } from 'codemirror';
import { h } from '../../../src/view/charts/dom.js';
import { editorTheme } from './editor-theme.js';

/** An error in a line of the code. */
export interface LineFault {
  readonly message: string;
  /** Line number, from 1. */
  readonly line: number;
}

export class CodeEditor {
  readonly element = h('div', { class: 'code', id: 'code' });
  readonly #view: EditorView;
  #isReplacing = false;

  /** @param onEdit called on each change by the user. */
  constructor(text: string, onEdit: () => void) {
    const root = this.element.attachShadow({ mode: 'open' });
    this.#view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text,
        extensions: [
          basicSetup,
          javascript({ typescript: true }),
          keymap.of([indentWithTab]),
          lintGutter(),
          EditorView.lineWrapping,
          editorTheme,
          EditorView.domEventHandlers({ beforeinput: typeOverSelection }),
          EditorView.contentAttributes.of({
            'aria-label': 'Code of the algorithm. Escape, then Tab, leaves the editor.',
            tabindex: '0',
          }),
          EditorView.updateListener.of(({ docChanged }) => {
            if (docChanged && !this.#isReplacing) onEdit();
          }),
        ],
      }),
    });
  }

  get text(): string {
    return this.#view.state.doc.toString();
  }

  /** Replaces the text without counting as an edit by the user; undo restores the previous text. */
  replace(text: string): void {
    if (text === this.text) return;
    this.#isReplacing = true;
    const { doc } = this.#view.state;
    this.#view.dispatch({
      changes: { from: 0, to: doc.length, insert: text },
      selection: { anchor: 0 },
      scrollIntoView: true,
    });
    this.#isReplacing = false;
  }

  /** Marks the line of an error; undefined removes the mark. */
  showFault(fault: LineFault | undefined): void {
    const { state } = this.#view;
    const line = fault && state.doc.line(this.#lineIn(fault.line));
    const from = line && line.from + (/^\s*/.exec(line.text)?.[0].length ?? 0);
    this.#view.dispatch(setDiagnostics(state, line === undefined || from === undefined || fault === undefined ? [] : [{
      from,
      to: line.to,
      severity: 'error',
      message: fault.message,
    }]));
  }

  /** Puts the cursor at the start of a line. */
  goTo(line: number): void {
    const { from } = this.#view.state.doc.line(this.#lineIn(line));
    this.#view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
    this.#view.focus();
  }

  #lineIn(line: number): number {
    return Math.min(Math.max(1, line), this.#view.state.doc.lines);
  }
}

/**
 * Handles text typed over a selection, as CodeMirror would. Otherwise the browser inserts it with a style attribute,
 * which the content policy reports.
 */
function typeOverSelection(event: InputEvent, view: EditorView): boolean {
  const { inputType, data } = event;
  const { from, to, empty } = view.state.selection.main;
  if (inputType !== 'insertText' || data === null || empty || view.composing) return false;
  const insert = (): Transaction => view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type' });
  const isHandled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, insert));
  if (!isHandled) view.dispatch(insert());
  event.preventDefault();
  return true;
}
