import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readPostgresAddress } from './postgres-address.ts';

const folder = mkdtempSync(join(tmpdir(), 'natter-address-'));
afterAll(() => rmSync(folder, { recursive: true }));

function targetsOf(url: string): unknown {
  const address = readPostgresAddress(url);
  return typeof address === 'string' ? address : address.targets;
}

describe('a PostgreSQL address', () => {
  it.each([
    ['postgres://u:p@db/n', [{ host: 'db' }]],
    ['postgresql://db:6432/n', [{ host: 'db', port: 6432 }]],
    ['postgres://u:p@a:1,b,c:65535/n', [{ host: 'a', port: 1 }, { host: 'b' }, { host: 'c', port: 65_535 }]],
    ['postgres://u@[::1]:5433,[fe80::1]/n', [{ host: '::1', port: 5433 }, { host: 'fe80::1' }]],
    ['postgres:///n', [{}]],
    ['postgres://%2Frun%2Fpg/n', [{ host: '/run/pg' }]],
    ['postgres:///n?host=/run/pg&port=6000', [{ host: '/run/pg', port: 6000 }]],
    [
      'postgres:///n?host=a,b&port=6000',
      [
        { host: 'a', port: 6000 },
        { host: 'b', port: 6000 },
      ],
    ],
  ])('resolves the PostgreSQL address %s to %j', (url, targets) => expect(targetsOf(url)).toEqual(targets));

  it('decodes the credentials of a PostgreSQL address', () => {
    expect(readPostgresAddress('postgres://a%40b:p%23%2F%40%3A%25%C3%BC@db/n%20m')).toMatchObject({
      config: { user: 'a@b', password: 'p#/@:%ü', database: 'n m' },
    });
    expect(readPostgresAddress('postgres://u:p@ss:word@db/n')).toMatchObject({
      config: { user: 'u', password: 'p@ss:word' },
      targets: [{ host: 'db' }],
    });
  });

  it('passes on only the parameters of a PostgreSQL address that the library accepts', () => {
    const url =
      'postgres://db/n?application_name=x&options=-c+work_mem%3D1MB&statement_timeout=5000&channel_binding=prefer&max=1000';
    expect(readPostgresAddress(url)).toMatchObject({
      config: {
        database: 'n',
        application_name: 'x',
        options: '-c work_mem=1MB',
        statement_timeout: 5_000,
      },
    });
    expect(readPostgresAddress(url)).not.toHaveProperty('config.max');
  });

  const SECRET = 'geheim';
  it.each([
    ['mysql://u:geheim@db', /must begin with postgres:/],
    ['postgres://u:geheim#1@db/n', /%23/],
    ['postgres://u:geheim/1@db/n', /%2F/],
    ['postgres://u:12/geheim@db/n', /%2F/],
    ['postgres://u:geheim?1@db/n', /%3F/],
    ['postgres://u:12?geheim@db/n', /%3F/],
    ['postgres://u:geheim%@db/n', /%25/],
    ['postgres://u:geheim@db:abc/n', /port .* 1 to 65535/],
    ['postgres://u:geheim@db:0/n', /port .* 1 to 65535/],
    ['postgres://u:geheim@db:65536/n', /port .* 1 to 65535/],
    ['postgres://u:geheim@db:5432,other:/n?port=1,2,3', /more hosts than ports/],
    ['postgres://u:geheim@::1/n', /\[::1\]/],
    ['postgres://u:geheim@db/n?sslmode=safe', /sslmode.*verify-full/],
    ['postgres://u:geheim@db/n?sslmode=verify-ca', /needs sslrootcert/],
    [
      'postgres://u:geheim@db/n?sslmode=verify-full&sslrootcert=/nowhere/ca.pem',
      /sslrootcert.*ENOENT.*\/nowhere\/ca\.pem/,
    ],
    ['postgres://u:geheim@db/n?sslcert=/nowhere/c.pem', /sslcert and sslkey together/],
    ['postgres://u:geheim@db/n?target_session_attrs=standby', /target_session_attrs/],
    ['postgres://u:geheim@db/n?statement_timeout=5s', /milliseconds/],
  ])('refuses the PostgreSQL address %s with a remedy, and without its password', (url, problem) => {
    const message = readPostgresAddress(url);
    expect(message).toMatch(problem);
    expect(message).not.toContain(SECRET);
  });

  it('refuses a certificate file without a certificate', () => {
    const path = join(folder, 'ca.pem');
    for (const text of [
      '',
      'no certificate',
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
    ]) {
      writeFileSync(path, text);
      expect(targetsOf(`postgres://db/n?sslrootcert=${path}`)).toContain('without a certificate in PEM');
    }
  });

  it.each([
    ['', [{ host: 'db' }]],
    ['sslmode=disable', [{ host: 'db', ssl: false }]],
    ['ssl=0', [{ host: 'db', ssl: false }]],
    [
      'sslmode=allow',
      [
        { host: 'db', ssl: false },
        { host: 'db', ssl: { rejectUnauthorized: false } },
      ],
    ],
    [
      'sslmode=prefer',
      [
        { host: 'db', ssl: { rejectUnauthorized: false } },
        { host: 'db', ssl: false },
      ],
    ],
    ['sslmode=require', [{ host: 'db', ssl: { rejectUnauthorized: false } }]],
    ['sslmode=no-verify', [{ host: 'db', ssl: { rejectUnauthorized: false } }]],
    ['sslmode=verify-full', [{ host: 'db', ssl: {} }]],
    ['ssl=true', [{ host: 'db', ssl: {} }]],
    ['sslmode=require&sslrootcert=system', [{ host: 'db', ssl: {} }]],
  ])('uses TLS with "%s" as libpq does', (query, targets) => {
    expect(targetsOf(`postgres://db/n?${query}`)).toEqual(targets);
  });
});
