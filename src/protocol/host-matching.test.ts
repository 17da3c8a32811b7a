import { describe, expect, it } from 'vitest';
import { loadVectors } from '../../test/load-vectors.ts';
import { isRegistrableHost, matchesOrigin, matchesRegisteredHost, type RegisteredHost } from './index.ts';

interface MatchCase {
  readonly registered: readonly RegisteredHost[];
  readonly x_host?: string;
  readonly x_host_build?: { readonly prefix: string; readonly repeat: string; readonly count: number };
  readonly expect: boolean;
}

const vectors = loadVectors<{
  readonly match: readonly (MatchCase & { readonly name: string })[];
  readonly origin: readonly {
    readonly name: string;
    readonly registered: readonly RegisteredHost[];
    readonly enforce_origin: boolean;
    readonly x_host: string;
    readonly origin: string | null;
    readonly expect: boolean;
  }[];
  readonly registration: readonly {
    readonly name: string;
    readonly kind: 'domain' | 'app';
    readonly value: string;
    readonly expect: 'accepted' | 'refused';
  }[];
}>('host-matching');

const presentedBy = ({ x_host, x_host_build: build }: MatchCase): string =>
  x_host ?? (build ? build.prefix + build.repeat.repeat(build.count) : '');

describe('host matching follows its vectors', () => {
  it.each(vectors.match)('matches hosts as the vector "$name"', (vector) => {
    expect(matchesRegisteredHost(vector.registered, presentedBy(vector))).toBe(vector.expect);
  });

  it.each(vectors.origin)('checks the origin: $name', (vector) => {
    const isAccepted =
      matchesRegisteredHost(vector.registered, vector.x_host) &&
      matchesOrigin(vector.registered, vector.origin, vector.enforce_origin);
    expect(isAccepted).toBe(vector.expect);
  });

  it.each(vectors.registration)(
    'registers hosts as the vector "$name"',
    ({ kind, value, expect: expected }) => {
      expect(isRegistrableHost({ kind, value })).toBe(expected === 'accepted');
    },
  );
});
