/** Tabs: one of several panels is visible, chosen by pointer or arrow keys (WAI-ARIA tabs). */
import { h } from '../../../src/view/charts/dom.js';

let made = 0;

export interface Tabs {
  readonly element: HTMLElement;
  readonly choose: (title: string) => void;
}

/** @param onChoose called with the title of the chosen tab. */
export function tabs(label: string, panels: readonly (readonly [title: string, panel: HTMLElement])[],
  onChoose: (title: string) => void = () => undefined): Tabs {
  const group = ++made;
  const buttons = panels.map(([title], index) =>
    h('button', {
      type: 'button',
      role: 'tab',
      id: `tab-${group}-${index}`,
      'aria-controls': `panel-${group}-${index}`,
    }, title)
  );
  const choose = (chosen: number): void => {
    buttons.forEach((button, index) => {
      button.setAttribute('aria-selected', String(index === chosen));
      button.tabIndex = index === chosen ? 0 : -1;
      const panel = panels[index]?.[1];
      if (panel !== undefined) panel.hidden = index !== chosen;
    });
    onChoose(panels[chosen]?.[0] ?? '');
  };
  panels.forEach(([, panel], index) => {
    panel.id = `panel-${group}-${index}`;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', `tab-${group}-${index}`);
  });
  const list = h('div', { role: 'tablist', class: 'tabs', 'aria-label': label }, ...buttons);
  list.addEventListener('click', (event) => {
    const index = buttons.indexOf(event.target as HTMLButtonElement);
    if (index >= 0) choose(index);
  });
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const at = buttons.findIndex((button) => button.tabIndex === 0);
    const next = (at + step + buttons.length) % buttons.length;
    choose(next);
    buttons[next]?.focus();
  });
  choose(0);
  return {
    element: h('div', {}, list, ...panels.map(([, panel]) => panel)),
    choose: (title) => {
      choose(panels.findIndex(([name]) => name === title));
    },
  };
}
