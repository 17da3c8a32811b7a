// A statement is sent when the thread next waits: with one alone, the database would stand idle while its answer is used.
const AHEAD = 2;

/**
 * Reads parts one after the other, in their order. While one is used, the database reads the next.
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
    // Reported where it is awaited, which does not happen when one before it fails or the reader goes away.
    result.catch(() => {});
    reading.push(result);
    const [first] = reading;
    if (reading.length <= AHEAD || first === undefined) continue;
    reading.shift();
    yield await first;
  }
  for (const result of reading) yield await result;
}
