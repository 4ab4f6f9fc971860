/** Turns for the page's messages, between slices of a run. */
const channel = new MessageChannel();
const waiting: (() => void)[] = [];
channel.port2.onmessage = () => {
  waiting.shift()?.();
};

/** Sooner than a timer, which browsers hold back. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    channel.port1.postMessage(0);
  });
}
