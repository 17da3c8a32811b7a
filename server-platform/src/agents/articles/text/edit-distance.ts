/**
 * How many single-letter slips (insert, delete, replace, swap of neighbours) lead from one word to the other, or null
 * when it takes more than `limit`. Cost is bounded by the limit, not by the words.
 */
export function editDistance(one: string, other: string, limit: number): number | null {
  if (Math.abs(one.length - other.length) > limit) return null;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    let best = row;
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      let cost = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (isSame ? 0 : 1),
      );
      const isSwap =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (isSwap) cost = Math.min(cost, at(beforePrevious, column - 2) + 1);
      current.push(cost);
      best = Math.min(best, cost);
    }
    if (best > limit) return null;
    beforePrevious = previous;
    previous = current;
  }
  const distance = at(previous, other.length);
  return distance > limit ? null : distance;
}

const at = (row: readonly number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;
