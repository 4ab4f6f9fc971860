/**
 * The elements of a page, and when they are redrawn. Strings always become text, never markup.
 *
 * Work is scheduled before frames. A picture costs more than its script's time, as the browser paints it at the end of
 * the frame. So each frame gets a few milliseconds of work and a few pictures at most; the rest waits for the next one.
 */
/** Share of a 16 ms frame for scripts. */
const SHARE_MS = 5;
const PICTURES_PER_FRAME = 2;

export type Child = Node | string | undefined | false;

export type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>;

export interface WorkOptions {
  /** Whether it draws on a canvas. */
  readonly isPicture?: boolean;
  /** Whether it goes before work that is not urgent: for what the user is watching while moving a slider. */
  readonly isUrgent?: boolean;
  /** Called before the work is done, to skip work that newer work replaces. Absent: always wanted. */
  readonly isWanted?: () => boolean;
}

interface Work extends WorkOptions {
  readonly act: () => void;
}

const urgent: Work[] = [];
const others: Work[] = [];
let isFrameRequested = false;

/**
 * Creates an element with its attributes and children.
 *
 * @param attributes a function is a listener of the event of that name; false and undefined omit the attribute.
 */
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

export function inNextFrame(act: () => void, options: WorkOptions = {}): void {
  (options.isUrgent === true ? urgent : others).push({ act, ...options });
  ask();
}

function ask(): void {
  if (isFrameRequested) return;
  isFrameRequested = true;
  requestAnimationFrame(() => {
    isFrameRequested = false;
    try {
      work();
    } finally {
      if (urgent.length + others.length > 0) ask();
    }
  });
}

function work(): void {
  const untilMs = performance.now() + SHARE_MS;
  let pictures = 0;
  for (let next = first(); next !== undefined; next = first()) {
    if (next.isWanted?.() === false) continue;
    next.act();
    if (next.isPicture === true) pictures++;
    if (pictures === PICTURES_PER_FRAME || performance.now() > untilMs) return;
  }
}

function first(): Work | undefined {
  return urgent.shift() ?? others.shift();
}
