/** Lets the event loop run, so that a Ctrl-C is handled that was pressed during synchronous work. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
