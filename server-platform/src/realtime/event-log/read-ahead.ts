// A statement is only sent when the thread next waits: with one, the database would idle while its result is used.
const AHEAD = 2;

/**
 * Reads parts one after the other, in order. The database reads the next part while the current one is used.
 *
 * @example
 * for await (const rows of readAhead(days, (day) => readDay(sql, day))) use(rows);
 */
export async function* readAhead<Part, Result>(
  parts: readonly Part[],
  read: (part: Part) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const reading: Promise<Result>[] = [];
  for (const part of parts) {
    const result = read(part);
    // A rejection surfaces where the result is awaited; that may never happen after an earlier failure or when the
    // reader stops.
    result.catch(() => {});
    reading.push(result);
    const [first] = reading;
    if (reading.length <= AHEAD || first === undefined) continue;
    reading.shift();
    yield await first;
  }
  for (const result of reading) yield await result;
}
