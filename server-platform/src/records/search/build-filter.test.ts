import { expect, it } from 'vitest';
import { buildFilter, type FilterQuery } from './build-filter.ts';

const SEARCH: FilterQuery = { client_env: 'live', channel: [], query_type: 'transcript', query: 'ferry' };

// The type needs one entry for every parameter, because a filter without effect would list everything.
const CHANGES: { readonly [Name in keyof FilterQuery]-?: Pick<FilterQuery, Name> } = {
  client_env: { client_env: 'sandbox' },
  channel: { channel: ['WEBCHAT'] },
  start_time: { start_time: 1 },
  end_time: { end_time: 2 },
  variant_id: { variant_id: 'VARIANT-1' },
  variant_name: { variant_name: 'Winter' },
  in_progress: { in_progress: true },
  query_type: { query_type: 'semantic' },
  query: { query: 'timetable' },
  turn_type: { turn_type: 'user' },
};

it.each(Object.entries(CHANGES))('changes the condition of a list for another %s', (_, change) => {
  const condition = buildFilter('PROJECT-1', SEARCH);
  expect(buildFilter('PROJECT-1', { ...SEARCH, ...change })).not.toEqual(condition);
});
