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
import { PATIENCE } from '../e2e/patience.ts';
import { PROGRAM_ENVIRONMENT } from '../server-platform/test/run-platform.ts';
import type { DemoKeys } from './demo-keys.ts';

const programOf = (file: string): readonly string[] => [
  '--conditions=@natter/source',
  fileURLToPath(new URL(file, import.meta.url)),
];

describe('npm start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'natter-demo-'));
  const lines: string[] = [];
  const child = spawn(process.execPath, [...programOf('./start.ts'), '--port-base', '0', '--data', folder], {
    // A server in the environment of the developer, which must be left alone.
    env: { ...PROGRAM_ENVIRONMENT, DATABASE_URL: 'postgres://127.0.0.1:9/production' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const errors = text(child.stderr);
  const ended = once(child, 'exit');
  beforeAll(async () => {
    for await (const line of createInterface({ input: child.stdout })) {
      lines.push(line);
      if (/^ {2}Console /.test(line)) return;
    }
    throw new Error(`npm start ended with ${child.exitCode}:\n${lines.join('\n')}`);
    // It builds widget and console where they are older than their sources.
  }, 90_000 * PATIENCE);
  afterAll(async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  });

  it('npm run keys prints a key for every REST family, and a newcomer sees the conversations', async () => {
    const asked = spawn(process.execPath, [...programOf('./keys.ts'), '--json', '--data', folder]);
    const { urls, keys, people }: DemoKeys = JSON.parse(await text(asked.stdout));
    const keyOf = (name: string): string => keys.find((key) => key.name === name)?.key ?? '';
    const [platform, proxy, site] = [urls.platform, urls.proxy, urls.demo].map((url) => new URL(url).origin);
    const clientOf = (name: string) =>
      createNatter({
        baseUrl: platform ?? '',
        monitorBaseUrl: platform ?? '',
        apiKey: keyOf(name),
        monitorApiKey: keyOf('monitoring'),
        accountId: 'kittiwake',
        projectId: 'kittiwake',
      });
    const turn = await fetch(`${proxy}/v1/chat/create`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: site ?? '' },
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
    const shown = lines.join('\n');
    for (const { key } of keys) expect(shown).not.toContain(key);
    for (const { password } of people) expect(shown).not.toContain(password);
  });

  it.runIf(process.platform === 'linux')('says that the platform has crashed, and ends', async () => {
    const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
    expect(children).toMatch(/^\d+ $/);
    process.kill(Number(children), 'SIGKILL');
    expect(await ended).toEqual([1, null]);
    expect(await errors).toContain("The platform's process has ended: SIGKILL. The demo ends with it.");
  });
});
