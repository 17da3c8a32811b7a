import { patternText } from './fields.ts';
import type { Schema } from './object-of.ts';

const ID = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

/** The account in a path: slug, `ACCOUNT-…` or `ws-…`. Source: C-4, C-5. */
export const accountIdSchema: Schema<string> = patternText(
  'Account: its slug, `ACCOUNT-…` or `ws-…`.',
  ID,
  'must be a slug or a prefixed id',
);

/** The project in a path: slug or `PROJECT-…`. Source: C-4, C-5. */
export const projectIdSchema: Schema<string> = patternText(
  'Project: its slug or `PROJECT-…`.',
  ID,
  'must be a slug or a prefixed id',
);

/** The two parameters of paths inside a project. */
export const projectPathParameters: Readonly<Record<'account_id' | 'project_id', Schema<string>>> = {
  account_id: accountIdSchema,
  project_id: projectIdSchema,
};
