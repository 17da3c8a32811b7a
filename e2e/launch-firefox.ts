import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { RemoteBrowser } from './remote-browser.ts';

/** Starts Firefox without a window, driven by WebDriver BiDi. */
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
  // biome-ignore lint/suspicious/noExplicitAny: answers of the browser under test, each read by the one line that asked
  const calls = new Map<number, (answer: any) => void>();
  socket.onmessage = ({ data }) => {
    const answer = JSON.parse(String(data));
    calls.get(answer.id)?.(answer);
  };
  const send = async (method: string, params: object) => {
    const id = calls.size;
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const answer = new Promise<any>((resolve) => calls.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { error, message, result } = await answer;
    if (error) throw new Error(`${method}: ${error} ${message}`);
    return result;
  };
  const { capabilities } = await send('session.new', { capabilities: {} });
  const wait = 'complete';
  return {
    version: `Firefox ${capabilities.browserVersion}`,
    async openTab(url) {
      const { context } = await send('browsingContext.create', { type: 'tab' });
      await send('browsingContext.navigate', { context, url, wait });
      return context;
    },
    bringToFront: (context) => send('browsingContext.activate', { context }),
    reload: (context) => send('browsingContext.reload', { context, wait }),
    async evaluate(context, expression) {
      const { result, exceptionDetails } = await send('script.evaluate', {
        expression: `JSON.stringify(${expression})`,
        target: { context },
        awaitPromise: true,
      });
      if (exceptionDetails) throw new Error(exceptionDetails.text);
      return JSON.parse(result.value ?? 'null');
    },
    perform: (context, actions) => send('input.performActions', { context, actions }),
    async close() {
      await send('browser.close', {});
      await exited;
      rmSync(profile, { recursive: true, force: true });
    },
  };
}
