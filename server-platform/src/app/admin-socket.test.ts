import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AdminAnswer, askAdminSocket, startAdminSocket } from './admin-socket.ts';
import { type Platform, startPlatform } from './start-platform.ts';

const CLI = fileURLToPath(new URL('../cli.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'natter-admin-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Sends bytes and resolves with what comes back until the other end closes. */
const send = (path: string, text: string): Promise<string> =>
  new Promise((resolve) => {
    let answer = '';
    const socket = connect(path, () => socket.write(text));
    socket.on('data', (chunk) => {
      answer += String(chunk);
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });

describe('commands while the platform serves', () => {
  const dataDir = join(folder, 'platform');
  let platform: Platform;
  beforeAll(async () => {
    platform = await startPlatform({ dataDir, port: 0, logger: pino({ level: 'silent' }) });
  });
  afterAll(() => platform.close());

  const ask = (command: string, words: readonly string[], values = {}): Promise<AdminAnswer | null> =>
    askAdminSocket(dataDir, { command, words, values });

  it('runs a command inside the serving platform, with the usual output', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...['--conditions=@natter/source', CLI, 'account', 'add', 'harbour', '--name', 'The Harbour'],
      ...['--data', dataDir],
    ]);
    expect(stdout).toMatch(/^Added account harbour \([\w-]+\)\.\n$/);
    const listed = await ask('account list', [], { json: true });
    expect(listed).toMatchObject({ status: 'done', lines: [expect.stringContaining('The Harbour')] });
  });

  it('keeps the exit codes of commands that the serving platform runs', async () => {
    expect(await ask('project add', ['nowhere', 'web'])).toEqual({
      status: 'refused',
      message: expect.stringContaining('no account "nowhere"'),
      exitCode: 1,
    });
    expect(await ask('project add', ['kittiwake', 'web', 'more'])).toMatchObject({ exitCode: 2 });
    expect(await ask('project add', ['kittiwake', 'x'], { agent: 'nobody' })).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('There is no agent "nobody"; there are'),
    });
    expect(await ask('fly away', [])).toMatchObject({ status: 'refused', exitCode: 2 });
  });

  it('accepts commands only from the owner of the folder', () => {
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(statSync(join(dataDir, 'admin.sock')).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['is not JSON', 'hello\n'],
    ['is not an object', 'null\n'],
    ['names no command', '{"words":[]}\n'],
    ['has no words', '{"command":"account list"}\n'],
    ['does not end', 'x'.repeat(70_000)],
  ])('keeps serving after input that %s', async (_, text) => {
    expect(await send(join(dataDir, 'admin.sock'), text)).not.toContain('"done"');
    expect(await ask('account list', [])).toMatchObject({ status: 'done' });
  });
});

describe('the socket of a data folder', () => {
  const run = async (): Promise<AdminAnswer> => ({ status: 'done', lines: [] });

  it('replaces the admin socket of a dead process', async () => {
    writeFileSync(join(folder, 'admin.sock'), '');
    const socket = await startAdminSocket(folder, run);
    expect(await askAdminSocket(folder, { command: '', words: [], values: {} })).toEqual({
      status: 'done',
      lines: [],
    });
    await socket?.close();
    expect(await askAdminSocket(folder, { command: '', words: [], values: {} })).toBeNull();
  });

  it('opens no admin socket where the path is too long for the system', async () => {
    expect(await startAdminSocket(join(folder, 'x'.repeat(100)), run)).toBeNull();
  });

  it('closes the admin socket after the response to a peer that keeps sending', async () => {
    const socket = await startAdminSocket(folder, run);
    const peer = connect({ path: join(folder, 'admin.sock'), allowHalfOpen: true });
    const closed = new Promise<void>((resolve) => peer.once('close', () => resolve()));
    peer.on('error', () => {});
    peer.write('{"command":"","words":[],"values":{}}\n');
    const more = 'x'.repeat(65_536);
    const send = (): void => void peer.write(more, (error) => error ?? send());
    send();
    await closed;
    await socket?.close();
  });

  it('fails a command whose platform stops meanwhile', async () => {
    let tellCome = (): void => {};
    const hasCome = new Promise<void>((resolve) => {
      tellCome = resolve;
    });
    const socket = await startAdminSocket(folder, () => {
      tellCome();
      return new Promise(() => {});
    });
    const asked = askAdminSocket(folder, { command: '', words: [], values: {} });
    const failed = expect(asked).rejects.toThrow('stopped before it responded');
    await hasCome;
    await socket?.close();
    await failed;
  });
});
