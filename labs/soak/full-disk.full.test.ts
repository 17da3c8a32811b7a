import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Lane, startLane } from './lane.ts';
import { SoakConversation, until } from './soak-conversation.ts';

let folder: string;
let lane: Lane | null = null;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'natter-full-disk-'));
  lane = await startLane({ speed: 10, fullDisk: join(folder, 'full') });
});
afterAll(async () => {
  await lane?.close();
  await rm(folder, { recursive: true, force: true });
});

it('stores and echoes nothing on a full disk, and accepts everything pending once there is room', async () => {
  if (lane === null) throw new Error('The lane has not been started.');
  const { platform } = lane;
  const conversation = new SoakConversation(lane);
  await conversation.greeted();
  await writeFile(join(folder, 'full'), '');
  const isRefused = (): boolean => platform.output.some((line) => line.includes('SQLSTATE 53100'));
  // Rows that fit on a table's last page are still stored.
  for (let count = 0; count < 20 && !isRefused(); count++) {
    await conversation.send(`${count} ${'x'.repeat(1_500)}`);
    await until(async () => {
      const { items } = await conversation.tab.view();
      return isRefused() || items.every(({ author, status }) => author === 'agent' || status === 'sent');
    }, 'the message is stored or refused');
  }
  expect(isRefused()).toBe(true);
  await conversation.send('while there is no room');
  await rm(join(folder, 'full'));
  await conversation.settled();
  await conversation.send('and now?');
  await conversation.settled();
  await until(
    async () => (await conversation.readAgentTexts()).includes('You said: and now?.'),
    'it is answered',
  );
  expect(platform.starts).toBe(1);
  await conversation.tab.close();
});
