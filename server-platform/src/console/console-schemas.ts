import * as v from 'valibot';
import { meView } from '../desk/index.ts';

const named = <const Entries extends v.ObjectEntries>(name: string, entries: Entries) =>
  v.pipe(v.object(entries), v.metadata({ name }));

/** Who is signed in, and where. */
export const consoleMeView = named('ConsoleMe', {
  me: meView,
  account: v.object({ id: v.string(), name: v.string() }),
  projects: v.array(
    named('ConsoleProject', {
      id: v.string(),
      slug: v.string(),
      name: v.string(),
      variants: v.array(v.object({ id: v.string(), name: v.string() })),
    }),
  ),
  /** Whether people can take conversations over here. */
  has_desk: v.boolean(),
});
