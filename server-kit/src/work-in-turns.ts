/**
 * Makes a queue of work. It does a few pieces in each turn of the event loop, in their order, so that many pieces that
 * come at once do not delay everything else.
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
