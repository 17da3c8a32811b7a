import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type DoctorFinding, examine } from './doctor.ts';

const ENDPOINT = 'https://chat.example';

let answer: () => Promise<Response>;
beforeEach(() => {
  answer = async () => Response.json({ status: 'ok' }, { headers: { Date: new Date().toUTCString() } });
  vi.stubGlobal('fetch', () => answer());
});
afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

async function find(check: DoctorFinding['check'], connection = { status: 'open' } as const) {
  const { findings } = await examine(ENDPOINT, connection);
  const { status, message } = findings.find((finding) => finding.check === check) ?? {};
  return `${status}: ${message}`;
}

describe('the doctor', () => {
  it('finds nothing where all is well', async () => {
    const viewport = document.createElement('meta');
    viewport.name = 'viewport';
    viewport.content = 'width=device-width';
    document.head.prepend(viewport);
    const { findings, text } = await examine(ENDPOINT, { status: 'open' });
    expect(findings.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(text.split('\n')).toHaveLength(findings.length);
    viewport.remove();
  });

  it('tells a proxy that is not there from one that refuses the page and one whose platform is away', async () => {
    answer = async () => Promise.reject(new TypeError('Failed to fetch'));
    expect(await find('token proxy')).toMatch(/^fault: https:\/\/chat\.example does not answer/);
    expect(await find('origin')).toMatch(/^warning/);
    answer = async () => Response.json({ code: 'ORIGIN_NOT_ALLOWED' }, { status: 403 });
    expect(await find('token proxy')).toMatch(/^ok/);
    expect(await find('origin')).toBe(
      `fault: The proxy does not let ${location.origin} in. Add it to the proxy's allowed origins.`,
    );
    answer = async () => Response.json({ code: 'UPSTREAM_UNAVAILABLE' }, { status: 503 });
    expect(await find('origin')).toMatch(/^ok/);
    expect(await find('platform')).toMatch(/^fault/);
  });

  it('tells by how much the clock is off', async () => {
    const date = new Date(Date.now() - 600_000).toUTCString();
    answer = async () => Response.json({}, { headers: { Date: date } });
    expect(await find('clock')).toMatch(/^warning: This device's clock is (599|600|601) seconds off/);
  });

  it.each([
    [{ status: 'open', isTurnBased: true }, /^warning: No socket gets through/],
    [{ status: 'failed', reason: 'connector_rejected' }, /^fault: .*connector_rejected/],
    [{ status: 'idle' }, /^ok: Not connected/],
  ] as const)('reads the connection %o', async (connection, expected) => {
    const { findings } = await examine(ENDPOINT, connection);
    const { status, message } = findings.find(({ check }) => check === 'socket') ?? {};
    expect(`${status}: ${message}`).toMatch(expected);
  });

  it('says what is wrong with the site’s own texts', async () => {
    const { findings, text } = await examine(ENDPOINT, { status: 'open' }, ['disclaimer is cut.']);
    expect(findings.at(-1)).toEqual({ check: 'texts', status: 'warning', message: 'disclaimer is cut.' });
    expect(text).toContain('disclaimer is cut.');
  });

  it('counts widgets, and tells of storage that is blocked', async () => {
    document.body.append(document.createElement('natter-chat'), document.createElement('natter-chat'));
    expect(await find('duplicates')).toMatch(/^warning: The page has 2 widgets/);
    vi.stubGlobal('indexedDB', undefined);
    expect(await find('storage')).toMatch(/^warning: Storage is blocked/);
  });
});
