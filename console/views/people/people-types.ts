import type { Role } from '../../session.ts';

/** A person of the account, as admins see them. */
export interface AccountPerson {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly capacity: number;
  readonly skills: readonly string[];
  readonly languages: readonly string[];
  readonly queue_ids: readonly string[];
  readonly presence: 'available' | 'away' | 'offline';
  readonly seen_at: string | null;
  readonly disabled_at: string | null;
}

/** Response of `GET /desk/api/people`. */
export interface People {
  readonly people: readonly AccountPerson[];
  readonly queues: readonly { readonly id: string; readonly name: string }[];
}

/** A password that is shown once. */
export interface NewPassword {
  readonly email: string;
  readonly password: string;
}
