import { expect, it } from 'vitest';
import { readSessionRequest } from './session-request.ts';

const read = (fields: Readonly<Record<string, unknown>>) =>
  readSessionRequest({ kind: 'object', lossyField: null, fields });

it('fills in defaults for missing fields', () => {
  const defaults = { platform: 'web', isStreaming: false, deviceType: null, variantId: null };
  expect(readSessionRequest({ kind: 'absent' })).toEqual(defaults);
  expect(read({})).toEqual(defaults);
});

it('accepts known values, and maps unknown ones to their default', () => {
  expect(
    read({ platform: 'ios-web', streaming_enabled: true, device_type: 'tablet', variant_id: 'v' }),
  ).toEqual({
    platform: 'ios-web',
    isStreaming: true,
    deviceType: 'tablet',
    variantId: 'v',
  });
  expect(read({ platform: 'a fridge', device_type: 'a door' })).toEqual({
    platform: 'custom',
    isStreaming: false,
    deviceType: null,
    variantId: null,
  });
});

it.each([{ platform: 1 }, { streaming_enabled: 'yes' }, { device_type: null }, { variant_id: 3 }])(
  'refuses a field of the wrong type: %o',
  (fields) => {
    expect(read(fields)).toBeNull();
  },
);

it('refuses a body that is not an object', () => {
  expect(readSessionRequest({ kind: 'malformed', excess: null })).toBeNull();
});
