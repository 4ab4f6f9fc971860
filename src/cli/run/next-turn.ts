/** Yields to the event loop, so that a Ctrl-C that was pressed during synchronous work is handled. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
