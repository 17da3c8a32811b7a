import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readAnswer, readText } from '../page/read-answer.ts';
import type { RemoteBrowser } from './remote-browser.ts';

/** Starts Firefox without a window, controlled through WebDriver BiDi. */
export async function launchFirefox(executable: string): Promise<RemoteBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'natter-firefox-'));
  const firefox = spawn(executable, ['--headless', '--remote-debugging-port=0', '--profile', profile], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = new Promise((resolve) => firefox.once('exit', resolve));
  let address = '';
  for await (const line of createInterface({ input: firefox.stderr })) {
    address = /^WebDriver BiDi listening on (ws:.*)$/.exec(line)?.[1] ?? '';
    if (address) break;
  }
  firefox.stderr.resume();
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error('Firefox takes no WebDriver BiDi.'));
  });
  const calls: ((answer: unknown) => void)[] = [];
  socket.onmessage = ({ data }) => {
    const answer: unknown = JSON.parse(String(data));
    // Messages without a number are events.
    const id = readAnswer(answer, 'id');
    if (typeof id === 'number') calls[id]?.(answer);
  };
  const send = async (method: string, params: object): Promise<unknown> => {
    const answer = await new Promise<unknown>((resolve) => {
      const id = calls.push(resolve) - 1;
      socket.send(JSON.stringify({ id, method, params }));
    });
    if (readAnswer(answer, 'error'))
      throw new Error(`${method}: ${readText(answer, 'error')} ${readText(answer, 'message')}`);
    return readAnswer(answer, 'result');
  };
  const session = await send('session.new', { capabilities: {} });
  const wait = 'complete';
  return {
    version: `Firefox ${readText(session, 'capabilities', 'browserVersion')}`,
    async openTab(url) {
      const context = readText(await send('browsingContext.create', { type: 'tab' }), 'context');
      await send('browsingContext.navigate', { context, url, wait });
      return context;
    },
    async closeTab(context) {
      await send('browsingContext.close', { context });
    },
    async bringToFront(context) {
      await send('browsingContext.activate', { context });
    },
    async reload(context) {
      await send('browsingContext.reload', { context, wait });
    },
    async evaluate(context, expression) {
      const evaluated = await send('script.evaluate', {
        expression: `JSON.stringify(${expression})`,
        target: { context },
        awaitPromise: true,
      });
      if (readAnswer(evaluated, 'exceptionDetails'))
        throw new Error(readText(evaluated, 'exceptionDetails', 'text'));
      // `undefined` has no JSON form.
      return JSON.parse(String(readAnswer(evaluated, 'result', 'value') ?? 'null'));
    },
    async perform(context, actions) {
      await send('input.performActions', { context, actions });
    },
    async close() {
      await send('browser.close', {});
      await exited;
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
