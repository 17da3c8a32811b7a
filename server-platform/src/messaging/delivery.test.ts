import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Bus, BusMessage } from '../bus/index.ts';
import { EMBEDDED_ENGINE } from '../db/testing/engines.ts';
import { isEndOfMessage, startTestPlatform, type TestPlatform } from './testing/test-platform.ts';

describe('a socket on a bus that loses and reorders messages', () => {
  let platform: TestPlatform;
  let disturb: (message: BusMessage, publish: (message: BusMessage) => void) => void;

  beforeAll(async () => {
    disturb = (message, publish) => publish(message);
    platform = await startTestPlatform(EMBEDDED_ENGINE, {
      wrapBus: (bus: Bus): Bus => ({
        ...bus,
        publish: (sessionId, message) => disturb(message, (each) => bus.publish(sessionId, each)),
      }),
    });
  });
  afterAll(() => platform.stop());

  const sequencesOf = (events: readonly { readonly sequence: number | null }[]): number[] =>
    events.flatMap(({ sequence }) => (sequence === null ? [] : [sequence]));

  it('reads the log where something is missing', async () => {
    const { socket } = await platform.converse({ streaming_enabled: false });
    let count = 0;
    disturb = (message, publish) => {
      count += 1;
      if (message.kind !== 'events' || count % 3 !== 0) publish(message);
    };
    for (let n = 0; n < 10; n++) socket.send('USER_MESSAGE', { text: `m${n}` });
    await expect.poll(() => Math.max(...sequencesOf(socket.events))).toBeGreaterThan(20);
    disturb = (message, publish) => publish(message);
    socket.send('USER_MESSAGE', { text: 'last' });
    await socket.next((frame) => frame.payload['text'] === 'You said: last');
    expect(sequencesOf(socket.events)).toEqual(Array.from({ length: 26 }, (_, index) => index + 1));
    await socket.close();
  });

  it('sends nothing twice and nothing out of order', async () => {
    const { socket } = await platform.converse({ streaming_enabled: false });
    const late: (() => void)[] = [];
    disturb = (message, publish) => {
      publish(message);
      late.push(() => publish(message));
      if (late.length > 3) late.shift()?.();
    };
    for (let n = 0; n < 10; n++) {
      socket.send('USER_MESSAGE', { text: `m${n}` });
      await socket.next(isEndOfMessage);
    }
    for (const publish of late) publish();
    disturb = (message, publish) => publish(message);
    socket.send('HEARTBEAT');
    await socket.next('HEARTBEAT');
    expect(sequencesOf(socket.events)).toEqual(Array.from({ length: 24 }, (_, index) => index + 1));
    await socket.close();
  });
});
