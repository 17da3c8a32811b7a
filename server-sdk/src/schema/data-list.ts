import { listOf } from './fields.ts';
import { objectOf, type Schema } from './object-of.ts';

/** A list without pages, as returned by the monitoring service. */
export interface DataList<Item> {
  readonly data: readonly Item[];
}

/** Schema of `{ "data": [ … ] }`. */
export function dataListOf<Item>(name: string, item: Schema<Item>): Schema<DataList<Item>> {
  return objectOf(name, 'All entries, by creation time.', { data: listOf('The entries.', item) });
}
