import type { Service } from '@natter/sdk';
import { AccountError } from './account-error.ts';

/** Permissions of a key. Source: 1.5. */
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

/** The scope of a key besides its permissions. */
export type KeyScope = {
  readonly accountId: string | null;
  readonly projectId: string | null;
  readonly isLegacy: boolean;
};

// The conversation by id is a monitoring path (4.4) and needs the conversations permission too.
const MONITORING: readonly KeyPermission[] = ['monitoring', 'conversations'];

// Keys for these permissions may have no others (1.5).
const ALONE: readonly KeyPermission[] = ['external_events', 'dni'];

/** Whether a name is a permission. */
export function isKeyPermission(name: string): name is KeyPermission {
  return KEY_PERMISSIONS.some((permission) => permission === name);
}

/** The error text for a name that is no permission. */
export const noPermission = (name: string): string =>
  `There is no permission "${name}"; there are ${KEY_PERMISSIONS.join(', ')}.`;

/** Reads permissions by name. Fails with an `AccountError` for one that does not exist. */
export function readPermissions(names: readonly string[]): readonly KeyPermission[] {
  return [...new Set(names)].map((name) => {
    if (isKeyPermission(name)) return name;
    throw new AccountError('invalid', noPermission(name));
  });
}

/**
 * Returns the service of a key. Refuses keys that mix the two services (C-1), a key for external events or number
 * reservation with other permissions, one for number reservation without a virtual agent, and a legacy key that does
 * not cover the conversations of a whole account. Source: 1.5.
 */
export function checkPermissions(permissions: readonly KeyPermission[], scope: KeyScope): Service {
  const has = (permission: KeyPermission): boolean => permissions.includes(permission);
  const refuse = (message: string): never => {
    throw new AccountError('invalid', message);
  };
  if (permissions.length === 0) refuse(`A key needs at least one permission: ${KEY_PERMISSIONS.join(', ')}.`);
  const alone = ALONE.find(has);
  if (alone !== undefined && permissions.length > 1)
    refuse(`A key for ${alone} is used for nothing else: add another key for the rest.`);
  if (has('dni') && scope.projectId === null)
    refuse('A key for dni is tied to one virtual agent: name its project.');
  if (scope.isLegacy && (scope.projectId !== null || scope.accountId === null || !has('conversations')))
    refuse('A legacy key covers the conversations of a whole account: name no project.');
  if (!has('monitoring')) return 'runtime';
  if (!permissions.every((permission) => MONITORING.includes(permission)) || scope.isLegacy)
    refuse('The monitoring service needs a separate key: add another key for the rest.');
  return 'monitoring';
}
