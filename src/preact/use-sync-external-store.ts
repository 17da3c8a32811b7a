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
  // First what a server has rendered; before the first paint what there is.
  const [value, setValue] = useState(getServerSnapshot);
  useLayoutEffect(() => {
    const follow = (): void => setValue(getSnapshot);
    follow();
    return subscribe(follow);
  }, [subscribe, getSnapshot]);
  return value;
}
