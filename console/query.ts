import {
  InfiniteQueryObserver,
  type InfiniteQueryObserverOptions,
  type InfiniteQueryObserverResult,
  QueryCache,
  QueryClient,
  type QueryKey,
  QueryObserver,
  type QueryObserverOptions,
  type QueryObserverResult,
} from '@tanstack/query-core';
import { useEffect, useReducer, useState } from 'preact/hooks';
import { CallError } from './call-platform.ts';
import { endSession, onSignedOut } from './session.ts';

// A view that is reopened within this time shows its cached data and requests nothing.
const FRESH_MS = 15_000;
const RETRIES = 2;

/** Cache of all responses in the console. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error) {
      if (error instanceof CallError && error.status === 401) endSession();
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (count, error) => count < RETRIES && isWorthRetrying(error),
      retryDelay: (count, error) =>
        error instanceof CallError && error.retryAfterMs !== null ? error.retryAfterMs : 1_000 * 2 ** count,
    },
  },
});
queryClient.mount();
onSignedOut(() => queryClient.clear());

function isWorthRetrying(error: unknown): boolean {
  return error instanceof CallError && (error.status === 0 || error.status === 429 || error.status >= 500);
}

/** Reads something and keeps it up to date while the component is there. */
export function useQuery<Data>(
  options: QueryObserverOptions<Data, Error, Data, Data, QueryKey>,
): QueryObserverResult<Data> {
  const defaulted = queryClient.defaultQueryOptions(options);
  defaulted._optimisticResults = 'optimistic';
  const [observer] = useState(() => new QueryObserver(queryClient, defaulted));
  const [, update] = useReducer((count: number) => count + 1, 0);
  const result = observer.getOptimisticResult(defaulted);
  useEffect(() => observer.subscribe(() => update(undefined)), [observer]);
  useEffect(() => observer.setOptions(defaulted));
  return result;
}

/** Reads page after page of a list; `fetchNextPage` asks for the next one. */
export function useInfiniteQuery<Page, Position>(
  options: InfiniteQueryObserverOptions<
    Page,
    Error,
    { pages: Page[]; pageParams: Position[] },
    QueryKey,
    Position
  >,
): InfiniteQueryObserverResult<{ pages: Page[]; pageParams: Position[] }> {
  const defaulted = queryClient.defaultQueryOptions(options as never) as typeof options;
  Object.assign(defaulted, { _optimisticResults: 'optimistic' });
  const [observer] = useState(() => new InfiniteQueryObserver(queryClient, defaulted));
  const [, update] = useReducer((count: number) => count + 1, 0);
  const result = observer.getOptimisticResult(defaulted as never);
  useEffect(() => observer.subscribe(() => update(undefined)), [observer]);
  useEffect(() => observer.setOptions(defaulted));
  return result as InfiniteQueryObserverResult<{ pages: Page[]; pageParams: Position[] }>;
}
