import { spawn } from 'node:child_process';
import { findFreePort } from './free-port.ts';
import { type RemoteBrowser, waitFor } from './remote-browser.ts';

/** Starts WebKitGTK's own small browser, driven by WebDriver; on a screen of its own where there is none. */
export async function launchWebKit(driver: string): Promise<RemoteBrowser> {
  const port = await findFreePort();
  const command = [driver, `--port=${port}`];
  const [executable = '', ...args] = process.env['DISPLAY'] ? command : ['xvfb-run', '-a', ...command];
  // A group, so that the screen goes with the driver.
  const running = spawn(executable, args, { stdio: 'ignore', detached: true });
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`${path}: ${value.error} ${value.message}`);
    return value;
  };
  await waitFor('WebKitWebDriver', () => call('GET', '/status').catch(() => null));
  const { sessionId, capabilities } = await call('POST', '/session', { capabilities: {} });
  const send = (path: string, body: object = {}) => call('POST', `/session/${sessionId}${path}`, body);
  const inTab = async (handle: string, path: string, body?: object) => {
    await send('/window', { handle });
    return send(path, body);
  };
  return {
    version: `WebKitGTK ${capabilities.browserVersion}`,
    async openTab(url) {
      // A window, because tabs of this browser open behind the others.
      const { handle } = await send('/window/new', { type: 'window' });
      await inTab(handle, '/url', { url });
      return handle;
    },
    bringToFront: (handle) => send('/window', { handle }),
    reload: (handle) => inTab(handle, '/refresh'),
    evaluate: async (handle, expression) =>
      JSON.parse(
        (await inTab(handle, '/execute/sync', {
          script: `return JSON.stringify(${expression})`,
          args: [],
        })) ?? 'null',
      ),
    perform: (handle, actions) => inTab(handle, '/actions', { actions }),
    async close() {
      await call('DELETE', `/session/${sessionId}`);
      if (running.pid) process.kill(-running.pid);
    },
  };
}
