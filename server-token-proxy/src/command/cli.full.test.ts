import { spawn } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createProxyFixture, PAGE_HEADERS, type ProxyFixture } from '../../test/proxy-fixture.ts';
import { isTicketKey } from '../sessions/ticket-key.ts';

let fixture: ProxyFixture;
beforeEach(async () => {
  fixture = await createProxyFixture();
});
afterEach(() => fixture.upstream.close());

const ask = (port: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}/v1/session`, { method: 'POST', headers: PAGE_HEADERS, body: '{}' });

describe('the command', () => {
  interface Finished {
    readonly code: number | null;
    readonly out: string;
    readonly err: string;
  }
  const program = fileURLToPath(new URL('../cli.ts', import.meta.url));

  function run(
    words: readonly string[],
    environment: Record<string, string>,
    onOut?: (out: string, stop: () => void) => void,
    start: readonly string[] = [program],
  ): Promise<Finished> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, ['--conditions=@natter/source', ...start, ...words], {
        env: { PATH: process.env['PATH'] ?? '', ...environment },
      });
      let out = '';
      let err = '';
      child.stdout.on('data', (data) => {
        out += data;
        onOut?.(out, () => child.kill('SIGTERM'));
      });
      child.stderr.on('data', (data) => {
        err += data;
      });
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, out, err }));
    });
  }

  it('natter-token-proxy runs as well where a process manager imports it', async () => {
    const manager = ['--eval', `import(${JSON.stringify(pathToFileURL(program))})`, '--', 'manager'];
    const { code, out } = await run(['key'], {}, undefined, manager);
    expect(code).toBe(0);
    expect(isTicketKey(out.trim())).toBe(true);
  });

  it('natter-token-proxy runs until it is asked to stop, writing JSON lines without secrets', async () => {
    const environment = {
      NATTER_UPSTREAM_URL: fixture.upstream.url,
      NATTER_CONNECTOR_TOKEN: 'token-of-the-command',
      NATTER_CONNECTOR_HOST: 'www.kittiwake.example',
      NATTER_TICKET_KEYS: fixture.ticketKey,
      NATTER_ALLOWED_ORIGINS: PAGE_HEADERS['Origin'] ?? '',
      PORT: '0',
    };
    const statuses: number[] = [];
    let hasAsked = false;
    const { code, out, err } = await run([], environment, (text, stop) => {
      const port = /"port":(\d+)/.exec(text)?.[1];
      if (port === undefined || hasAsked) return;
      hasAsked = true;
      ask(port)
        .then((response) => statuses.push(response.status))
        .finally(stop);
    });
    expect([code, statuses]).toEqual([0, [200]]);
    const lines: unknown[] = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      // This test's platform has no sockets, which the log reports at some point.
      .filter((line) => !('fault' in line));
    expect(lines).toEqual([
      // The page is public, but this test's platform is not.
      expect.objectContaining({
        level: 40,
        websocketUrl: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+\/ws$/),
        origin: PAGE_HEADERS['Origin'],
        setting: expect.stringContaining('NATTER_UPSTREAM_URL'),
      }),
      expect.objectContaining({ msg: 'the token proxy is ready' }),
      expect.objectContaining({ msg: 'answered', route: 'session', status: 200 }),
    ]);
    const address = /^The token proxy listens on (http:\/\/127\.0\.0\.1:\d+)$/m.exec(err)?.[1];
    expect(err).toContain(address ?? 'no address');
    expect(err).toMatch(/^ {2}<script src="[^"]*\/natter\.js".* defer><\/script>$/m);
    for (const secret of ['token-of-the-command', fixture.ticketKey, fixture.accessToken])
      expect(out + err).not.toContain(secret);
  });
});
