const BEGIN = '<!-- Written by npm run labs -- bench scaling --write -->';
const END = '<!-- End of what is written -->';

/** Puts the tables between the two marks of a page. */
export function replaceTables(page: string, tables: string): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`The page lacks "${BEGIN}" or "${END}".`);
  return `${before}${BEGIN}\n\n${tables}\n\n${END}${after}`;
}
