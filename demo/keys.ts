import { parseArgs } from 'node:util';
import { readKeys, writeKeys } from './demo-keys.ts';

const USAGE = `npm run keys -- [options]

  --data DIR   the data folder of the start. Default: .natter
  --json       as JSON, for scripts
`;

function readArguments(): { readonly data: string; readonly json: boolean } {
  try {
    return parseArgs({
      options: { data: { type: 'string', default: '.natter' }, json: { type: 'boolean', default: false } },
    }).values;
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
    process.exit(2);
  }
}

const { data, json } = readArguments();
const keys = readKeys(data);
if (keys === null) {
  console.error(
    `Nothing was started with the data folder ${data} yet. Run npm start, or npm run dev, and then this.`,
  );
  process.exit(1);
}
console.log(json ? JSON.stringify(keys) : writeKeys(keys));
