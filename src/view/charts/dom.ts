/** Creates elements in one call. Strings always become text, never markup. */
import { inNextFrame, type WorkOptions } from './frame-queue.js';

export type Child = Node | string | undefined | false;

export type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>;

/** @param attributes a function is a listener of the event of that name; false and undefined omit the attribute. */
export function h<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, attributes: Attributes = {},
  ...children: readonly Child[]): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  element.append(...children.filter((child) => child !== undefined && child !== false));
  return element;
}

function setAttribute(element: HTMLElement, name: string, value: Attributes[string]): void {
  if (value === undefined || value === false) return;
  if (typeof value === 'function') element.addEventListener(name, value);
  else element.setAttribute(name, value === true ? '' : String(value));
}

/** An element of the page's HTML. @throws Error if it does not exist. */
export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`The page has no element #${id}.`);
  return element;
}

export function fill(parent: Element, ...children: readonly Child[]): void {
  parent.replaceChildren(...children.filter((child) => child !== undefined && child !== false));
}

/** Offers a file as a download. */
export function saveFile(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = h('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 10_000);
}

/** Calls `act` soon after the first call, and then at most once every `everyMs`; the last call always takes effect. */
export function throttled(everyMs: number, act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastMs = -Infinity;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      lastMs = performance.now();
      act();
    }, Math.max(0, lastMs + everyMs - performance.now()));
  };
}

/** Calls `act` once, `waitMs` after the last call. */
export function debounced(waitMs: number, act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(act, waitMs);
  };
}

/** Calls `act` once before the next frame, however often it is requested. */
export function oncePerFrame(act: () => void, options: Pick<WorkOptions, 'isPicture' | 'isUrgent'> = {}): () => void {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    inNextFrame(() => {
      isAsked = false;
      act();
    }, options);
  };
}
