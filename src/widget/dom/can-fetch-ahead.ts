/** The network as Chromium describes it; other browsers have none of these properties. */
interface NetworkInformation {
  readonly saveData?: boolean;
  /** `slow-2g`, `2g`, `3g` or `4g`, by measured speed. */
  readonly effectiveType?: string;
}

/** Returns false if the visitor saves data, or the network is known to be slow: code then loads when it is needed. */
export function canFetchAhead(): boolean {
  const { connection = {} } = navigator as { readonly connection?: NetworkInformation };
  return !connection.saveData && (connection.effectiveType ?? '4g') === '4g';
}
