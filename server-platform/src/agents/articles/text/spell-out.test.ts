import { expect, it } from 'vitest';
import { spellOut } from './spell-out.ts';

it('writes out abbreviations and words spelt by ear, and nothing else', () => {
  expect(spellOut('wen duz the fery leave tmrw')).toBe('when does the ferry leave tomorrow');
  expect(spellOut('the phone is in the car')).toBe('the phone is in the car');
});
