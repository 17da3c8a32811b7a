import { useLayoutEffect, useState } from 'preact/hooks';

/**
 * What React's hook of that name does, for a `getSnapshot` that stays the same function as long as `subscribe` does. That of
 * `preact/compat` would bring React's rules for events into the whole app.
 */
export function useSyncExternalStore<Value>(
  subscribe: (listener: () => void) => () => void,
  getSnapshot: () => Value,
  getServerSnapshot: () => Value,
): Value {
  // The server's state first, because the component may hydrate; the current one before the first paint.
  const [value, setValue] = useState(getServerSnapshot);
  useLayoutEffect(() => {
    const follow = (): void => setValue(getSnapshot);
    follow();
    return subscribe(follow);
  }, [subscribe, getSnapshot]);
  return value;
}
