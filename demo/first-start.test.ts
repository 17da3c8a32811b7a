import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createNatter } from '@natter/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const START = fileURLToPath(new URL('./start.ts', import.meta.url));

describe('npm start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'natter-demo-'));
  const lines: string[] = [];
  const child = spawn(process.execPath, ['--conditions=@natter/source', START, '--data', folder], {
    // A server in the environment of the developer, which must be left alone.
    env: { PATH: process.env['PATH'], DATABASE_URL: 'postgres://127.0.0.1:9/production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const errors = text(child.stderr);
  const ended = once(child, 'exit');
  beforeAll(async () => {
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line);
      if (/^ {2}legacy /.test(line)) return;
    }
    throw new Error(`npm start ended with ${child.exitCode}:\n${lines.join('\n')}`);
  });
  afterAll(async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });

  it('prints a key for every REST family, and a newcomer sees the conversations', async () => {
    const keyOf = (name: string): string =>
      new RegExp(`^ {2}${name} \\(.+\\): (nak_\\S+)$`, 'm').exec(lines.join('\n'))?.[1] ?? '';
    const platform = /^platform: (\S+?)\/?$/m.exec(lines.join('\n'))?.[1] ?? '';
    const proxy = /^proxy: (\S+?)\/?$/m.exec(lines.join('\n'))?.[1] ?? '';
    const site = /^demo: (\S+?)\/?$/m.exec(lines.join('\n'))?.[1] ?? '';
    const clientOf = (name: string) =>
      createNatter({
        baseUrl: platform,
        monitorBaseUrl: platform,
        apiKey: keyOf(name),
        monitorApiKey: keyOf('monitoring'),
        accountId: 'kittiwake',
        projectId: 'kittiwake',
      });
    const turn = await fetch(`${proxy}/v1/chat/create`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: site },
      body: '{}',
    });
    expect(turn.status).toBe(200);
    const records: unknown[] = [];
    for await (const record of clientOf('runtime').conversations.v3.iterate()) records.push(record.id);
    expect(records).toHaveLength(1);
    expect(await clientOf('runtime').alertRules.list()).toEqual([]);
    // Each of the others opens its own family: 401 and 403 are for keys that do not.
    const post = async (path: string, key: string): Promise<number> =>
      (await fetch(`${platform}${path}`, { method: 'POST', headers: { 'X-Api-Key': key }, body: '{}' }))
        .status;
    const scope = 'account_id=kittiwake&project_id=kittiwake';
    for (const [path, name] of [
      [`/v1/external-events/webhook?event_id_location=payload&event_id_path=id&${scope}`, 'external-events'],
      [`/v1/conversations/dni-reservation?${scope}`, 'dni'],
    ] as const) {
      expect([401, 403]).toContain(await post(path, keyOf('legacy')));
      expect([401, 403]).not.toContain(await post(path, keyOf(name)));
    }
  });

  it.runIf(process.platform === 'linux')('says that the platform has crashed, and ends', async () => {
    const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
    expect(children).toMatch(/^\d+ $/);
    process.kill(Number(children), 'SIGKILL');
    expect(await ended).toEqual([1, null]);
    expect(await errors).toContain("The platform's process has ended: SIGKILL. The demo ends with it.");
  });
});
