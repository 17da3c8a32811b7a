/**
 * Creates a queue that runs a few tasks at a time, and lets other work of the process run in between.
 *
 * @example
 * const turn = limitPerTurn(2);
 * await turn();
 */
export function limitPerTurn(perTurn: number): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const next = (): void => {
    for (const go of waiting.splice(0, perTurn)) go();
    if (waiting.length > 0) setTimeout(next);
  };
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setTimeout(next);
    });
}
