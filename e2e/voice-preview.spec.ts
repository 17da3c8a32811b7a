import { expect, test } from './fixtures.ts';
import { MONITORING_KEY } from './stack/stack.ts';

const SAY = { text: 'The ferry leaves at nine.', language: 'en-GB', config: {} };

test('a voice preview plays in a browser', async ({ page, stack }) => {
  const answer = await fetch(`${stack.urls.platform}v1/agents/kittiwake/generate-audio`, {
    method: 'POST',
    headers: { 'X-API-Key': MONITORING_KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify(SAY),
  });
  expect(answer.status).toBe(200);
  const { url }: { url: string } = await answer.json();
  // A page of another origin may play it, because the address is the permission.
  await page.goto(`${stack.urls.platform.replace('127.0.0.1', 'localhost')}healthz`);
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
});
