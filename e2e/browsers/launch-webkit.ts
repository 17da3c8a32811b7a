import { spawn } from 'node:child_process';
import { readAnswer, readText } from '../page/read-answer.ts';
import { findFreePort } from '../stack/free-port.ts';
import { type RemoteBrowser, waitFor } from './remote-browser.ts';

/** Starts WebKitGTK's small browser, controlled through WebDriver; on a virtual screen if there is none. */
export async function launchWebKit(driver: string): Promise<RemoteBrowser> {
  const port = await findFreePort();
  const command = [driver, `--port=${port}`];
  const [executable = '', ...args] = process.env['DISPLAY'] ? command : ['xvfb-run', '-a', ...command];
  // A process group, so that the screen ends with the driver.
  const running = spawn(executable, args, { stdio: 'ignore', detached: true });
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer: unknown = await response.json();
    if (!response.ok)
      throw new Error(
        `${path}: ${readText(answer, 'value', 'error')} ${readText(answer, 'value', 'message')}`,
      );
    return readAnswer(answer, 'value');
  };
  await waitFor('WebKitWebDriver', () => call('GET', '/status').catch(() => null));
  const session = await call('POST', '/session', { capabilities: {} });
  const sessionPath = `/session/${readText(session, 'sessionId')}`;
  const send = (path: string, body: object = {}) => call('POST', `${sessionPath}${path}`, body);
  const inTab = async (handle: string, path: string, body?: object) => {
    await send('/window', { handle });
    return send(path, body);
  };
  return {
    version: `WebKitGTK ${readText(session, 'capabilities', 'browserVersion')}`,
    async openTab(url) {
      // A window, because tabs of this browser open behind the others.
      const handle = readText(await send('/window/new', { type: 'window' }), 'handle');
      await inTab(handle, '/url', { url });
      return handle;
    },
    async closeTab(handle) {
      await send('/window', { handle });
      await call('DELETE', `${sessionPath}/window`);
    },
    async bringToFront(handle) {
      await send('/window', { handle });
    },
    async reload(handle) {
      await inTab(handle, '/refresh');
    },
    async evaluate(handle, expression) {
      const script = `return JSON.stringify(${expression})`;
      // `undefined` has no JSON form.
      return JSON.parse(String((await inTab(handle, '/execute/sync', { script, args: [] })) ?? 'null'));
    },
    async perform(handle, actions) {
      await inTab(handle, '/actions', { actions });
    },
    async close() {
      await call('DELETE', sessionPath);
      if (running.pid) process.kill(-running.pid);
    },
  };
}
