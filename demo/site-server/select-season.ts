/** The ferries' winter: November to March. */
const WINTER_MONTHS: ReadonlySet<number> = new Set([11, 12, 1, 2, 3]);

const MONTH = new Intl.DateTimeFormat('en', { month: 'numeric', timeZone: 'Europe/London' });

/** Leaves the parts of a page that are marked with the other season out, and the marks. */
export function selectSeason(html: string, nowMs: number): string {
  const isWinter = WINTER_MONTHS.has(Number(MONTH.format(nowMs)));
  const other = isWinter ? 'summer' : 'winter';
  return html
    .replace(new RegExp(`<!-- ${other} -->[^]*?<!-- /${other} -->`, 'g'), '')
    .replace(/<!-- \/?(?:summer|winter) -->/g, '');
}
