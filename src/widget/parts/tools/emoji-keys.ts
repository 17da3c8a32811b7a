/** Keys that open the system's emoji picker, by the beginning of the platform's name. */
const KEYS: readonly (readonly [platform: RegExp, keys: string])[] = [
  [/^mac/i, '⌃ ⌘ Space'],
  [/^win/i, '⊞ + .'],
  [/^(?:chrome|cros)/i, 'Launcher + Shift + Space'],
];

/**
 * Returns the keys of a system's emoji picker; `null` if it has none, or has an on-screen keyboard with its own key.
 */
export function findEmojiKeys(platform: string, isTouch: boolean): string | null {
  return isTouch ? null : (KEYS.find(([pattern]) => pattern.test(platform))?.[1] ?? null);
}
