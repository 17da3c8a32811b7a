/** Stored with the session, so that another owner can carry on. */
export type StoredHandoff =
  | { readonly managed: 'client' }
  | { readonly managed: 'server'; readonly reference: unknown };

/** Whether the page manages the hand-off (8.4). */
export function wasClientManaged(stored: unknown): boolean {
  return typeof stored === 'object' && stored !== null && Reflect.get(stored, 'managed') === 'client';
}

/** The provider's own reference; `null` when nothing was stored. */
export function readReference(stored: unknown): unknown {
  return typeof stored === 'object' && stored !== null ? Reflect.get(stored, 'reference') : null;
}
