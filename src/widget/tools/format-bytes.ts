/** A size in kilobytes or megabytes. */
export function formatBytes(bytes: number, locale: string): string {
  const isLarge = bytes >= 1_000_000;
  return new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: isLarge ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: isLarge && bytes < 10_000_000 ? 1 : 0,
  }).format(Math.max(isLarge ? bytes / 1_000_000 : Math.ceil(bytes / 1_000), 0));
}
