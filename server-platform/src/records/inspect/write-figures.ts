/** Writes a size: `84 B`, `6.1 kB`. */
export function writeBytes(bytes: number): string {
  return bytes < 1_000 ? `${bytes} B` : `${(bytes / 1_000).toFixed(1)} kB`;
}

/** Writes a duration: `712 ms`, `1.2 s`. */
export function writeMs(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** Shortens an event type for people. */
export function shortType(type: string): string {
  return type.replace('EVENT_TYPE_', '');
}
