import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import type { EventLog } from '../db/index.ts';
import { EMBEDDED_ENGINE } from '../db/testing/engines.ts';
import { startTestPlatform, type TestPlatform } from './testing/test-platform.ts';

const MOST_HOPS = 12;

/** The functions that ARCHITECTURE.md lists for the way of a message, as `file function`. */
function readSteps(): readonly string[] {
  const text = readFileSync(new URL('../../../ARCHITECTURE.md', import.meta.url), 'utf8');
  const section = text.split('### The way of a message')[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^\| \d+ \| `([^`]+)` \| `([^`]+)` \|/gm)].map(
    ([, file, name]) => `${file} ${name}`,
  );
}

/** The named functions of this package in a stack trace, the outermost first. Callbacks without a name are no steps. */
function functionsOf(stack: string): readonly string[] {
  return stack
    .split('\n')
    .flatMap((line) => {
      const [, name, file] =
        /at (?:async )?(?:Object\.)?([\w#.]+) \(.*\/server-platform\/src\/([^:]+\.ts):/.exec(line) ?? [];
      return name === undefined || file === undefined || file.endsWith('.test.ts') ? [] : `${file} ${name}`;
    })
    .reverse();
}

let platform: TestPlatform;
/** The stack traces of the message that is stored and of its echo. */
let stacks: string[];
const { stackTraceLimit } = Error;

beforeEach(async () => {
  stacks = [];
  platform = await startTestPlatform(EMBEDDED_ENGINE, {
    wrapLog: (log: EventLog): EventLog => ({
      ...log,
      get queuedRows() {
        return log.queuedRows;
      },
      append(request) {
        if (request.events.some(({ type }) => type === 'EVENT_TYPE_USER_MESSAGE'))
          stacks.push(`${new Error().stack}`, 'at append (/server-platform/src/db/event-log.ts:1)');
        return log.append(request);
      },
    }),
  });
  Error.stackTraceLimit = 100;
});
afterEach(async () => {
  Error.stackTraceLimit = stackTraceLimit;
  vi.restoreAllMocks();
  await platform.stop();
});

it('takes a message from its frame to its echo in the steps that ARCHITECTURE.md lists, at most twelve', async () => {
  const { socket } = await platform.converse();
  const { now } = platform.clock;
  // The command is not yet in the queue, whose tasks begin with a stack of their own.
  vi.spyOn(platform.clock, 'now').mockImplementation(() => {
    const stack = `${new Error().stack}`;
    if (stack.includes('Session.dispatch') && stack.includes('#onMessage')) stacks.push(stack);
    return now();
  });
  const { send } = WebSocket.prototype;
  vi.spyOn(WebSocket.prototype, 'send').mockImplementation(function (this: WebSocket, data, ...rest) {
    const isEcho = /"sequence".*EVENT_TYPE_USER_MESSAGE|EVENT_TYPE_USER_MESSAGE.*"sequence"/.test(
      String(data),
    );
    if (isEcho) stacks.push(`${new Error().stack}`);
    Reflect.apply(send, this, [data, ...rest]);
  });
  socket.send('USER_MESSAGE', { text: 'hi' });
  await socket.next('USER_MESSAGE');
  const steps = [...new Set(stacks.flatMap(functionsOf))];
  expect(steps).toEqual(readSteps());
  expect(steps.length).toBeLessThanOrEqual(MOST_HOPS);
  // A trace that broke off somewhere would be short.
  expect(steps[0]).toContain('#onMessage');
  expect(steps.at(-1)).toContain('#send');
});
