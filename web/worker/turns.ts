/** Lets the page's messages be handled between slices of a run. */
const channel = new MessageChannel();
const waiting: (() => void)[] = [];
channel.port2.onmessage = () => {
  waiting.shift()?.();
};

/** Yields to the event loop, faster than a timer, which browsers delay. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    channel.port1.postMessage(0);
  });
}
