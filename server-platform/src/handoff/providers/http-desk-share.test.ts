import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { createSkippingClock } from '../../../test/realtime/skipping-clock.ts';
import { createOutboundClient } from '../../kit/http/outbound/index.ts';
import type { HandoffRequest, HandoffSession } from '../session/index.ts';
import { HttpDesk } from './http-desk.ts';
import { OpenHandoffs } from './open-handoffs.ts';

it("limits requests to a hanging desk to a project's share, and drops typing above it", async () => {
  const received: string[] = [];
  const server = createServer((request) => {
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part.toString();
    });
    request.on('end', () => {
      const { type, project_id: project = 'of one' } = JSON.parse(body);
      received.push(`${type} ${project}`);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const clock = createSkippingClock();
  const failures: string[] = [];
  const desk = new HttpDesk({
    config: {
      kind: 'http',
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      secret: 'a-secret-of-the-tests-that-is-long-enough',
      timeoutMs: 60_000,
    },
    open: new OpenHandoffs(),
    clock,
    headerStyle: 'neutral',
    client: createOutboundClient({ allowsPrivateAddresses: true, clock }),
    onFailure: (what) => failures.push(what),
  });
  const ask = (projectId: string) =>
    desk.open({ sessionId: 'session', projectId } as HandoffRequest, {} as HandoffSession).catch(String);
  const link = await desk.resume(
    { sessionId: 'session', isLive: true, reference: { handoffId: 'ho', projectId: 'one' } },
    {} as HandoffSession,
  );
  for (let nr = 0; nr < 30; nr += 1) link?.sendTyping('TYPING_STATE_STARTED');
  for (let nr = 0; nr < 150; nr += 1) void ask('one');
  void ask('other');
  await expect.poll(() => received.filter((each) => each === 'handoff.requested other').length).toBe(1);
  const count = (what: string): number => received.filter((each) => each === what).length;
  await expect.poll(() => count('handoff.requested one')).toBe(100);
  expect([count('typing.changed of one'), failures.length]).toEqual([10, 20]);
  server.closeAllConnections();
  server.close();
});
