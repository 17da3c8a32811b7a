import type { DeskPeople } from '../../../server-platform/src/console-api/index.ts';

export type { DeskPeople as People } from '../../../server-platform/src/console-api/index.ts';

/** A person of the account, as admins see them. */
export type AccountPerson = DeskPeople['people'][number];

/** A password that is shown once. */
export interface NewPassword {
  readonly email: string;
  readonly password: string;
}
