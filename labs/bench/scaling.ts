import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readFigures } from './load/figures.ts';
import { ASSUMPTIONS } from './scaling/assumptions.ts';
import { describeScaling } from './scaling/describe-scaling.ts';
import { replaceTables } from './scaling/replace-tables.ts';

// Calculates what 1,000, 100,000 and 10 million concurrent chats take, from the figures that `npm run labs -- bench load` has
// kept and the assumptions beside it.
const USAGE = `npm run labs -- bench scaling [options]

  --figures FILE   default labs/bench/load/measured.json, which npm run labs -- bench load writes
  --write          into docs/scaling.md, besides printing it`;

const { values } = parseArgs({
  options: {
    figures: { type: 'string', default: fileURLToPath(new URL('./load/measured.json', import.meta.url)) },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) console.log(USAGE);
else {
  const tables = describeScaling(readFigures(values.figures), ASSUMPTIONS);
  console.log(tables);
  const page = fileURLToPath(new URL('../../docs/scaling.md', import.meta.url));
  if (values.write) writeFileSync(page, replaceTables(readFileSync(page, 'utf8'), tables));
}
