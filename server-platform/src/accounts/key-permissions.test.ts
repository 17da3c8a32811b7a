import { expect, it } from 'vitest';
import { checkPermissions, type KeyPermission } from './key-permissions.ts';

const PROJECT = { accountId: 'acc_1', projectId: 'prj_1', isLegacy: false };
const ACCOUNT = { ...PROJECT, projectId: null };
const LEGACY = { ...ACCOUNT, isLegacy: true };

it.each<readonly [readonly KeyPermission[], typeof PROJECT | typeof ACCOUNT, string]>([
  [['chat', 'conversations', 'analytics', 'handoff'], PROJECT, 'runtime'],
  [['external_events'], PROJECT, 'runtime'],
  [['dni'], PROJECT, 'runtime'],
  [['monitoring', 'conversations'], ACCOUNT, 'monitoring'],
  [['conversations'], LEGACY, 'runtime'],
])('accepts an API key for %j', (permissions, scope, service) => {
  expect(checkPermissions(permissions, scope)).toBe(service);
});

it.each<readonly [readonly KeyPermission[], typeof PROJECT | typeof ACCOUNT, string]>([
  [[], PROJECT, 'at least one permission'],
  [['external_events', 'chat'], PROJECT, 'A key for external_events is used for nothing else'],
  [['conversations', 'dni'], PROJECT, 'A key for dni is used for nothing else'],
  [['dni', 'external_events'], PROJECT, 'is used for nothing else'],
  [['dni'], ACCOUNT, 'name its project'],
  [['monitoring', 'chat'], ACCOUNT, 'The monitoring service needs a separate key'],
  [['monitoring', 'conversations'], LEGACY, 'The monitoring service needs a separate key'],
  [['chat'], LEGACY, 'A legacy key covers the conversations of a whole account'],
])('refuses an API key for %j with the reason', (permissions, scope, message) => {
  expect(() => checkPermissions(permissions, scope)).toThrow(message);
});
