import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nkeys } from '@nats-io/transport-node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createSelfSignedCertificate } from '../../../test/api/webhooks/self-signed-certificate.ts';
import { createNatsCredentials, seedOf } from '../../../test/realtime/bus/nats-credentials.ts';
import {
  HAS_NATS_SERVER,
  startNatsServer,
  type TestNatsServer,
} from '../../../test/realtime/bus/nats-server.ts';
import { systemClock } from '../../kit/clock.ts';
import type { BusMessage } from './bus.ts';
import { type BusFiles, openBus } from './open-bus.ts';
import type { SharedBus } from './shared-bus.ts';

const MESSAGE: BusMessage = { kind: 'close', code: 1000, reason: 'for the test' };

describe.skipIf(!HAS_NATS_SERVER)('a bus over NATS (skipped without the program nats-server)', () => {
  let folder: string;
  const servers: TestNatsServer[] = [];
  const open: SharedBus[] = [];
  const failures: unknown[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'natter-bus-'));
  });
  afterEach(async () => {
    for (const { bus } of open.splice(0)) await bus.close();
    for (const server of servers.splice(0)) await server.stop();
    failures.length = 0;
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const serve = async (config: string, port = 0): Promise<TestNatsServer> => {
    const server = await startNatsServer(config, port);
    servers.push(server);
    return server;
  };
  const write = async (name: string, text: string): Promise<string> => {
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  };
  const joinBus = async (node: string, url: string, files: BusFiles = {}): Promise<SharedBus> => {
    const onFailure = (_what: string, error: unknown): number => failures.push(error);
    const opened = await openBus({ url, files, space: 'test', node, clock: systemClock, onFailure });
    open.push(opened);
    return opened;
  };

  /** Two nodes exchange an event and a request. */
  async function exchange(url: string, files: BusFiles = {}): Promise<void> {
    const one = await joinBus('one', url, files);
    const two = await joinBus('two', url, files);
    await expect.poll(() => [one.peers.names, two.peers.names, failures]).toEqual([['two'], ['one'], []]);
    two.peers.answer('double', async (body) => Number(body) * 2);
    expect(await one.peers.call('two', 'double', 21, 10_000)).toBe(42);
    const received: BusMessage[] = [];
    two.bus.subscribe('session', (message) => received.push(message));
    // The subscription is active once a call sent after it has been answered.
    one.peers.answer('ready', async () => true);
    await two.peers.call('one', 'ready', null, 10_000);
    one.bus.publish('session', MESSAGE);
    await expect.poll(() => received).toEqual([MESSAGE]);
  }

  it('signs in with user and password, over TLS whose authority is a file', async () => {
    const { certificate, key } = createSelfSignedCertificate();
    const caFile = await write('ca.pem', certificate);
    const keyFile = await write('key.pem', key);
    const { port } = await serve(
      `tls { cert_file: "${caFile}", key_file: "${keyFile}" }\nauthorization { user: natter, password: "p@ss:/" }`,
    );
    const secret = encodeURIComponent('p@ss:/');
    await exchange(`tls://natter:${secret}@localhost:${port}`, { caFile });
  });

  it('presents a client certificate to servers that require one', async () => {
    const { certificate, key } = createSelfSignedCertificate();
    const certificateFile = await write('client.pem', certificate);
    const keyFile = await write('client-key.pem', key);
    const { port } = await serve(
      `tls { cert_file: "${certificateFile}", key_file: "${keyFile}", ca_file: "${certificateFile}", verify: true }`,
    );
    await exchange(`tls://localhost:${port}`, { caFile: certificateFile, certificateFile, keyFile });
  });

  it('signs in with a token', async () => {
    const { port } = await serve('authorization { token: "a-token" }');
    await exchange(`nats://a-token@127.0.0.1:${port}`);
  });

  it('signs in with the seed of an nkey', async () => {
    const user = nkeys.createUser();
    const { port } = await serve(`authorization { users: [ { nkey: ${user.getPublicKey()} } ] }`);
    await exchange(`nats://127.0.0.1:${port}`, { credentialsFile: await write('user.nk', seedOf(user)) });
  });

  it('signs in with a credentials file', async () => {
    const { config, credentials } = createNatsCredentials();
    const { port } = await serve(config);
    await exchange(`nats://127.0.0.1:${port}`, { credentialsFile: await write('user.creds', credentials) });
  });

  it('needs permission for its own subjects only', async () => {
    const { port } = await serve(
      'authorization { users: [ { user: natter, password: secret, permissions: { publish: "natter.>", subscribe: "natter.>" } } ] }',
    );
    await exchange(`nats://natter:secret@127.0.0.1:${port}`);
  });

  it('starts despite a server that refuses it, and logs that without the password', async () => {
    const { port } = await serve('authorization { user: natter, password: right }');
    const refused = await joinBus('one', `nats://natter:wrong@127.0.0.1:${port}`);
    expect(refused.peers.isUp).toBe(false);
    expect(failures.length).toBe(1);
    expect(String(failures[0])).not.toContain('wrong');
  });

  it('switches to the next server when one ends', async () => {
    const first = await serve('cluster { name: natter, listen: "127.0.0.1:-1" }');
    const second = await serve('');
    const urls = [first.port, second.port].map((port) => `nats://127.0.0.1:${port}`).join(',');
    const one = await joinBus('one', urls);
    const two = await joinBus('two', urls);
    await first.stop();
    await expect.poll(() => [one.peers.isUp, two.peers.isUp]).toEqual([true, true]);
    await expect.poll(() => [one.peers.names, two.peers.names]).toEqual([['two'], ['one']]);
    two.peers.answer('double', async (body) => Number(body) * 2);
    expect(await one.peers.call('two', 'double', 4, 20_000)).toBe(8);
  });
});
