/** Handles items in order: one that comes up while another is handled waits until that is complete. */
export function oneAtATime<Item extends object>(handle: (item: Item) => void): (item: Item) => void {
  const waiting: Item[] = [];
  return (item) => {
    waiting.push(item);
    if (waiting.length > 1) return;
    for (let next: Item | undefined = item; next; next = waiting[0]) {
      handle(next);
      waiting.shift();
    }
  };
}
