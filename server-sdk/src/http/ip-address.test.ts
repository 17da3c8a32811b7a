import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findClientAddress, isLoopbackHost, isPublicAddress, toAddressKey } from './ip-address.ts';

describe('client address', () => {
  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:51234', '203.0.113.9'],
    [' 203.0.113.9 ', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::FFFF:cb00:7109', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::1', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]:443', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['256.1.1.1', null],
    ['unknown', null],
    ['_hidden', null],
    ['', null],
    ['1:2', null],
    [']/@evil', null],
  ])('groups the address %j under %j', (address, expected) => {
    expect(toAddressKey(address)).toBe(expected);
  });

  it('groups all addresses of a /64 as one client', () => {
    const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
    fc.assert(
      fc.property(
        fc.array(group, { minLength: 4, maxLength: 4 }),
        fc.array(group, { minLength: 4, maxLength: 4 }),
        (a, b) => {
          const prefix = '2001:db8:7:8';
          expect(toAddressKey(`${prefix}:${a.join(':')}`)).toBe(toAddressKey(`${prefix}:${b.join(':')}`));
        },
      ),
    );
  });

  it('ignores X-Forwarded-For unless the number of trusted proxies is set', () => {
    expect(findClientAddress('198.51.100.1', '203.0.113.9', 0)).toBe('198.51.100.1');
  });

  it('reads the entry of the outermost trusted proxy, ignoring what the caller wrote before it', () => {
    expect(findClientAddress('10.0.0.1', '6.6.6.6, 203.0.113.9', 1)).toBe('203.0.113.9');
    expect(findClientAddress('10.0.0.1', '6.6.6.6, 203.0.113.9, 10.0.0.2', 2)).toBe('203.0.113.9');
  });

  it("falls back to the connection's address when the header is short, missing or not an address", () => {
    expect(findClientAddress('198.51.100.1', '203.0.113.9', 2)).toBe('198.51.100.1');
    expect(findClientAddress('198.51.100.1', null, 1)).toBe('198.51.100.1');
    expect(findClientAddress('198.51.100.1', 'unknown', 1)).toBe('198.51.100.1');
    expect(findClientAddress(undefined, null, 1)).toBeNull();
  });

  it('returns the complete address without brackets or port', () => {
    expect(findClientAddress('::ffff:203.0.113.9', null, 0)).toBe('::ffff:203.0.113.9');
    expect(findClientAddress(undefined, '[2001:db8::1]:443', 1)).toBe('2001:db8::1');
    expect(findClientAddress('fe80::1%eth0', null, 0)).toBe('fe80::1');
  });
});

describe('an address for the public', () => {
  it.each([
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'ff02::1',
    '2001:db8::1',
    '64:ff9b::a00:1',
    '2002:a00:1::1',
    '::7f00:1',
    '::ffff:0:10.0.0.1',
    '64:ff9b:1::a00:1',
    '64:ff9b::8.8.8.8',
    '2001:0:a00:1::1',
    '3fff::1',
    '5f00::1',
    '100::1',
    'fec0::1',
    'fe80::1%eth0',
    '192.0.0.8',
    '192.88.99.1',
    '198.51.100.1',
    '203.0.113.1',
    '127.1',
    '0x7f.0.0.1',
    '0177.0.0.1',
    '2130706433',
    'example.com',
    '',
  ])('calls %s not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each(['1.1.1.1', '8.8.8.8', '100.128.0.1', '172.32.0.1', '2606:4700::1111', '::ffff:8.8.8.8'])(
    'calls %s public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );
});

describe('a host of this machine', () => {
  it.each([
    ['localhost', true],
    ['a.localhost', true],
    ['localhost.', true],
    ['127.8.8.8', true],
    ['[::1]', true],
    ['10.0.0.1', false],
    ['localhost.example.com', false],
    ['[::]', false],
  ])('recognises %s as a host of this machine: %s', (host, expected) =>
    expect(isLoopbackHost(new URL(`http://${host}/`).hostname)).toBe(expected),
  );
});
