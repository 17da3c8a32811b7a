import { useLayoutEffect, useState } from 'preact/hooks';

/**
 * Like React's hook of that name, for a `getSnapshot` that stays the same function as long as `subscribe`. The hook of
 * `preact/compat` would bring React's rules for events into the whole app.
 */
export function useSyncExternalStore<Value>(
  subscribe: (listener: () => void) => () => void,
  getSnapshot: () => Value,
  getServerSnapshot: () => Value,
): Value {
  // The server's state first, because the component may hydrate; the current state before the first paint.
  const [value, setValue] = useState(getServerSnapshot);
  useLayoutEffect(() => {
    const follow = (): void => setValue(getSnapshot);
    follow();
    return subscribe(follow);
  }, [subscribe, getSnapshot]);
  return value;
}
