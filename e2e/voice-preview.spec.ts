import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { findFreePort } from './free-port.ts';
import { runProcess } from './run-process.ts';

const KEY = 'nak_end-to-end-tests-only-0123456789';
const SAY = { text: 'The ferry leaves at nine.', language: 'en-GB', config: {} };

test('a voice preview plays in a browser', async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'natter-e2e-voice-'));
  const config = join(folder, 'platform.json');
  const keys = [{ name: 'monitoring', key: KEY, permissions: ['monitoring'] }];
  writeFileSync(
    config,
    JSON.stringify({ accounts: [{ slug: 'kittiwake', projects: [{ slug: 'web' }], keys }] }),
  );
  const port = await findFreePort();
  const platform = runProcess('server-platform/src/cli.ts', [
    'serve',
    ...['--config', config, '--data', join(folder, 'data'), '--port', String(port)],
  ]);
  try {
    await platform.waitForLine(/ready|Serving on/);
    const answer = await fetch(`http://127.0.0.1:${port}/v1/agents/web/generate-audio`, {
      method: 'POST',
      headers: { 'X-API-Key': KEY, 'Content-Type': 'application/json' },
      body: JSON.stringify(SAY),
    });
    expect(answer.status).toBe(200);
    const { url }: { url: string } = await answer.json();
    // A page of another origin may play it: the address is the permission.
    await page.goto(`http://localhost:${port}/healthz`);
    const seconds = await page.evaluate(async (address) => {
      const bytes = await (await fetch(address)).arrayBuffer();
      const decoded = await new OfflineAudioContext(1, 1, 44_100).decodeAudioData(bytes);
      const loudest = decoded.getChannelData(0).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
      const played = await new Promise<number>((resolve, reject) => {
        const audio = new Audio(address);
        audio.onloadedmetadata = () => resolve(audio.duration);
        audio.onerror = () => reject(new Error(audio.error?.message ?? 'the audio does not play'));
      });
      return { decoded: decoded.duration, played, loudest };
    }, url);
    expect(seconds.decoded).toBeGreaterThan(0.5);
    expect(seconds.played).toBeCloseTo(seconds.decoded, 1);
    expect(seconds.loudest).toBeGreaterThan(0.05);
  } finally {
    await platform.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
