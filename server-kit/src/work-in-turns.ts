/**
 * Makes a queue that runs a few pieces of work per event loop turn, in order, so that many concurrent pieces do not
 * delay everything else.
 */
export function workInTurns(maxPerTurn: number): (work: () => void) => void {
  const waiting: (() => void)[] = [];
  const doSome = (): void => {
    for (const work of waiting.splice(0, maxPerTurn)) work();
    if (waiting.length > 0) setImmediate(doSome);
  };
  return (work) => {
    if (waiting.push(work) === 1) setImmediate(doSome);
  };
}
