import { expect, it } from 'vitest';
import { isSendKey } from './is-send-key.ts';

const ENTER = { key: 'Enter', shiftKey: false, isComposing: false, keyCode: 13 };

it('sends on Enter only', () => {
  expect(isSendKey(ENTER)).toBe(true);
  expect(isSendKey({ ...ENTER, key: 'a', keyCode: 65 })).toBe(false);
  expect(isSendKey({ ...ENTER, shiftKey: true })).toBe(false);
});

it('does not send on the Enter that ends a composition, as each browser reports it', () => {
  expect(isSendKey({ ...ENTER, isComposing: true })).toBe(false);
  // Safari ends the composition before the key goes down.
  expect(isSendKey({ ...ENTER, keyCode: 229 })).toBe(false);
});
