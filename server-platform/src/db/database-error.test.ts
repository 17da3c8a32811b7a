import { expect, it } from 'vitest';
import { isDatabaseError, toDatabaseError } from './database-error.ts';

const thrown = (code: string, severity = 'ERROR'): Error =>
  Object.assign(new Error('the words of the engine'), { code, severity });

it.each([
  ['23505', 'conflict'],
  ['40001', 'conflict'],
  ['40P01', 'conflict'],
  ['53100', 'overloaded'],
  ['53200', 'overloaded'],
  ['08006', 'unavailable'],
  ['57P01', 'unavailable'],
  ['58030', 'unavailable'],
  ['ECONNREFUSED', 'unavailable'],
  ['22P02', 'rejected'],
  ['42601', 'rejected'],
])('calls %s %s', (code, expected) => {
  const error = toDatabaseError(thrown(code));
  expect(error).toMatchObject({ code: expected, retryable: expected !== 'rejected' });
  expect(isDatabaseError(error)).toBe(true);
});

it('does not know what was written when the connection is gone with the statement', () => {
  expect(toDatabaseError(thrown('53100', 'FATAL')).code).toBe('unavailable');
  expect(toDatabaseError(thrown('53200', 'PANIC')).code).toBe('unavailable');
});

it('passes the words of the engine on where they cannot quote a value', () => {
  expect(toDatabaseError(thrown('42601')).message).toContain('the words of the engine');
  expect(toDatabaseError(thrown('22P02')).message).not.toContain('the words of the engine');
});

it.each(['a text', null, undefined, { code: 7 }, { code: 53_100 }])(
  'takes what is no error (%s) for a lost connection',
  (thing) => {
    expect(toDatabaseError(thing)).toMatchObject({ code: 'unavailable', sqlState: null });
  },
);
