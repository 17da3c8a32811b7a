import { expect, it } from 'vitest';
import { endsConnection, isDatabaseError, toDatabaseError } from './database-error.ts';

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
  ['25006', 'unavailable'],
  ['ECONNREFUSED', 'unavailable'],
  ['22P02', 'rejected'],
  ['42601', 'rejected'],
])('classifies %s as %s', (code, expected) => {
  const error = toDatabaseError(thrown(code));
  expect(error).toMatchObject({ code: expected, retryable: expected !== 'rejected' });
  expect(isDatabaseError(error)).toBe(true);
});

it('leaves the outcome unknown when the connection breaks during the statement', () => {
  expect(toDatabaseError(thrown('53100', 'FATAL')).code).toBe('unavailable');
  expect(toDatabaseError(thrown('53200', 'PANIC')).code).toBe('unavailable');
});

it.each(['57P01', '57P02', '57P03', '53300', '25P03', '40001', '08P01'])(
  'treats %s as a lost connection when it ended the connection',
  (code) => {
    const error = toDatabaseError(thrown(code, 'FATAL'));
    expect([error.code, endsConnection(error)]).toEqual(['unavailable', true]);
  },
);

it('keeps a connection after a failed or cancelled statement', () => {
  for (const code of ['23505', '40001', '53100', '57014', '42601'])
    expect(endsConnection(toDatabaseError(thrown(code)))).toBe(false);
  for (const code of ['25006', '08006', '58030', 'ECONNRESET'])
    expect(endsConnection(toDatabaseError(thrown(code)))).toBe(true);
});

it('does not retry a password, role or database that the server refuses', () => {
  for (const code of ['28P01', '28000', '3D000', '42501'])
    expect(toDatabaseError(thrown(code, 'FATAL'))).toMatchObject({ code: 'rejected', retryable: false });
});

it("passes on the engine's message where it cannot quote a value", () => {
  expect(toDatabaseError(thrown('42601')).message).toContain('the words of the engine');
  expect(toDatabaseError(thrown('22P02')).message).not.toContain('the words of the engine');
});

it.each(['a text', null, undefined, { code: 7 }, { code: 53_100 }])(
  'treats a thrown value that is not an error (%s) as a lost connection',
  (thing) => {
    expect(toDatabaseError(thing)).toMatchObject({ code: 'unavailable', sqlState: null });
  },
);
