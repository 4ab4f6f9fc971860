/** Tabs for narrow screens, which show one part of the page at a time. */
import { h } from '../../src/view/charts/dom.js';

const VIEWS = [['experiment', 'Experiment'], ['network', 'Network'], ['charts', 'Charts']] as const;

/** @returns function that selects a part by name. */
export function viewTabs(host: HTMLElement): (name: string) => void {
  const buttons = VIEWS.map(([name, title]) =>
    h('button', {
      type: 'button',
      'data-show': name,
      click: () => {
        choose(name);
      },
    }, title)
  );
  const choose = (name: string): void => {
    document.body.dataset.view = name;
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.show === name));
  };
  host.append(...buttons);
  choose('charts');
  return choose;
}
