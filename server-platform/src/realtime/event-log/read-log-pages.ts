// Most logs fit into the first page.
const FIRST_PAGE_EVENTS = 64;
const PAGE_EVENTS = 200;
const LEAST_EVENTS = 4;

/**
 * Reads a log from a cursor to its end, page by page, each when the previous one has been consumed. After a page of
 * large events it requests fewer, because the database must check the size of every requested event.
 */
export async function* readLogPages<Event extends { readonly sequence: number | null }>(
  read: (
    cursor: number,
    limit: number,
  ) => Promise<{ readonly events: readonly Event[]; readonly hasMore: boolean }>,
  cursor: number,
): AsyncGenerator<{ readonly events: readonly Event[]; readonly hasMore: boolean }, void> {
  let limit = FIRST_PAGE_EVENTS;
  let after = cursor;
  for (;;) {
    const page = await read(after, limit);
    yield page;
    if (!page.hasMore) return;
    after = page.events.at(-1)?.sequence ?? after;
    limit =
      page.events.length < limit
        ? Math.min(limit, Math.max(LEAST_EVENTS, 2 * page.events.length))
        : PAGE_EVENTS;
  }
}
