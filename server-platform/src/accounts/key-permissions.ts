import type { Service } from '@natter/sdk';
import { AccountError } from './account-error.ts';

/** What a key may be allowed to do. Source: 1.5. */
export const KEY_PERMISSIONS = [
  'conversations',
  'analytics',
  'handoff',
  'external_events',
  'dni',
  'chat',
  'erasure',
  'monitoring',
] as const;

/** One of {@link KEY_PERMISSIONS}. */
export type KeyPermission = (typeof KEY_PERMISSIONS)[number];

/** What a key covers, besides its permissions. */
export type KeyScope = {
  readonly accountId: string | null;
  readonly projectId: string | null;
  readonly isLegacy: boolean;
};

// Conversation by id is a monitoring path (4.4) and still needs the permission of conversations.
const MONITORING: readonly KeyPermission[] = ['monitoring', 'conversations'];

/** Whether a name is that of a permission. */
export function isKeyPermission(name: string): name is KeyPermission {
  return KEY_PERMISSIONS.some((permission) => permission === name);
}

/** Reads permissions by name. Fails with an `AccountError` for one that does not exist. */
export function readPermissions(names: readonly string[]): readonly KeyPermission[] {
  return [...new Set(names)].map((name) => {
    if (isKeyPermission(name)) return name;
    throw new AccountError(
      'invalid',
      `There is no permission "${name}"; there are ${KEY_PERMISSIONS.join(', ')}.`,
    );
  });
}

/**
 * The service a key is of, after refusing what could not work: keys of the two services are separate (C-1), a key for
 * external events is used for nothing else, one for number reservation is tied to one virtual agent, a legacy key
 * covers a whole account. Source: 1.5.
 */
export function checkPermissions(permissions: readonly KeyPermission[], scope: KeyScope): Service {
  const has = (permission: KeyPermission): boolean => permissions.includes(permission);
  const refuse = (message: string): never => {
    throw new AccountError('invalid', message);
  };
  if (permissions.length === 0) refuse(`A key needs at least one permission: ${KEY_PERMISSIONS.join(', ')}.`);
  if (has('external_events') && permissions.length > 1)
    refuse('A key for external_events is used for nothing else: add another key for the rest.');
  if (has('dni') && scope.projectId === null)
    refuse('A key for dni is tied to one virtual agent: name its project.');
  if (scope.isLegacy && (scope.projectId !== null || scope.accountId === null || !has('conversations')))
    refuse('A legacy key covers the conversations of a whole account: name no project.');
  if (!has('monitoring')) return 'runtime';
  if (!permissions.every((permission) => MONITORING.includes(permission)) || scope.isLegacy)
    refuse('The monitoring service has keys of its own: add another key for the rest.');
  return 'monitoring';
}
