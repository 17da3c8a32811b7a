import { signal } from '@preact/signals-core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeChat } from '../../../test/widget/fake-chat.ts';
import { createFakeLoader } from '../../../test/widget/fake-conversation.ts';
import type { ConnectionStatus } from '../../client/index.ts';
import { createWidget } from '../create-widget.ts';
import { type DiagnosticsTarget, type DoctorFinding, diagnose } from './doctor.ts';
import { judgeSocket } from './judge-socket.ts';

const ENDPOINT = 'https://chat.example';
const WELL = { status: 'ok', version: '1.0.0' };
const refusal = (code: string) => ({ error: 'x', code, retryable: false });

let answer: () => Promise<Response>;
const viewport = document.createElement('meta');
beforeEach(() => {
  answer = async () => Response.json(WELL, { headers: { Date: new Date().toUTCString() } });
  vi.stubGlobal('fetch', () => answer());
  viewport.name = 'viewport';
  viewport.content = 'width=device-width';
  document.head.prepend(viewport);
});
afterEach(() => {
  vi.unstubAllGlobals();
  viewport.remove();
  document.body.replaceChildren();
});

function patient(
  more: Partial<DiagnosticsTarget> = {},
  connection: ConnectionStatus = { status: 'open' },
): DiagnosticsTarget {
  const chat = createFakeChat();
  chat.connection.value = connection;
  return { options: { endpoint: ENDPOINT }, chat, ...more };
}

async function find(check: DoctorFinding['check'], given: DiagnosticsTarget = patient()): Promise<string> {
  const { findings } = await diagnose(given);
  const { status, message } = findings.find((finding) => finding.check === check) ?? {};
  return `${status}: ${message}`;
}

describe('the doctor', () => {
  it('finds no problem on a correct page', async () => {
    const { findings, text } = await diagnose(patient());
    expect(findings.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(text.split('\n')).toHaveLength(findings.length);
  });

  it('accepts the address of a proxy that ends with a slash', async () => {
    const ask = vi.fn(async (_address: string) => answer());
    vi.stubGlobal('fetch', ask);
    await diagnose(patient({ options: { endpoint: `${ENDPOINT}/` } }));
    expect(ask.mock.calls.map(([address]) => address)).toEqual([`${ENDPOINT}/v1/health`]);
  });

  it('reports a page without https', async () => {
    vi.stubGlobal('isSecureContext', false);
    expect(await find('secure context')).toMatch(/^fault: The page is not served over https/);
  });

  it('distinguishes a missing proxy, one that rejects the page, and one whose platform is away', async () => {
    answer = async () => Promise.reject(new TypeError('Failed to fetch'));
    expect(await find('token proxy')).toMatch(/^fault: https:\/\/chat\.example does not respond/);
    expect(await find('origin')).toMatch(/^warning/);
    expect(await find('platform')).toMatch(/^warning/);
    expect(await find('clock')).toMatch(/^warning: The proxy sent no time/);
    answer = async () => Response.json(refusal('ORIGIN_NOT_ALLOWED'), { status: 403 });
    expect(await find('token proxy')).toMatch(/^ok/);
    expect(await find('platform')).toMatch(/^warning/);
    expect(await find('origin')).toBe(
      `fault: The proxy rejects ${location.origin}. Add it to the proxy's allowed origins.`,
    );
    answer = async () => Response.json(refusal('UPSTREAM_UNAVAILABLE'), { status: 503 });
    expect(await find('origin')).toMatch(/^ok/);
    expect(await find('platform')).toMatch(/^fault: The platform does not respond to the proxy/);
  });

  it.each([
    ['a page', () => new Response('<!doctype html><title>Shop</title>')],
    ['a page that is not there', () => new Response('Not found', { status: 404 })],
    ['another service', () => Response.json({ status: 'ok' })],
    ['another service’s error', () => Response.json({ code: 'NOT_FOUND' }, { status: 404 })],
    ['a list', () => Response.json([WELL])],
    ['nothing', () => new Response(null, { status: 204 })],
  ])('does not take %s for a proxy', async (_, respond) => {
    answer = async () => respond();
    expect(await find('token proxy')).toMatch(/^fault: The server at .* is not a token proxy/);
    expect(await find('origin')).toMatch(/^warning/);
    expect(await find('platform')).toMatch(/^warning/);
  });

  it('omits a user name and a password in the address', async () => {
    const options = { endpoint: 'https://ana:hunter2@chat.example/natter/' };
    answer = async () => Promise.reject(new TypeError('credentials'));
    const { text } = await diagnose(patient({ options }));
    expect(text).toContain('https://chat.example/natter does not respond');
    expect(text).not.toMatch(/ana|hunter2/);
  });

  it('reports a page without an origin, as in a sandboxed frame', async () => {
    vi.stubGlobal('origin', 'null');
    answer = async () => Promise.reject(new TypeError('Failed to fetch'));
    expect(await find('origin')).toMatch(/^fault: The page has no origin,/);
    // A proxy may be configured to allow such pages.
    answer = async () => Response.json(WELL);
    expect(await find('origin')).toBe('ok: The proxy allows null.');
  });

  it.each([
    ['service_unavailable', 'data-connector'],
    ['connector_rejected', 'registered host'],
    ['origin_not_allowed', 'See "origin"'],
    ['session_expired', 'Start a new one'],
    ['reconnect_budget_spent', 'then try again'],
  ] as const)('names the remedy after the client has stopped trying: %s', async (reason, advice) => {
    const message = await find('socket', patient({}, { status: 'failed', reason }));
    expect(message).toMatch(/^fault: The client has given up: /);
    expect(message).toContain(advice);
  });

  const URL_OF_SOCKET = 'wss://messaging.example/ws';
  const LOST = { status: 'reconnecting', attempt: 2, nextAttemptAtMs: null, offline: false } as const;
  /** A widget without a socket, and the proxy's diagnosis of it. */
  function lost(socket: object, connection: ConnectionStatus = LOST): DiagnosticsTarget {
    const given = patient({ options: { endpoint: ENDPOINT, connector: 'sales' } }, connection);
    const found = { url: URL_OF_SOCKET, handshake: '', status: 0, reason: '', fault: '', ...socket };
    return {
      ...given,
      chat: { ...given.chat, diagnose: async () => ({ missingAgent: null, socket: found }) },
    };
  }

  it('names a host that the connector lacks, even before the client has stopped trying', async () => {
    const expected = `fault: The platform rejects sockets of this page: ${location.hostname} is not a host of the connector "sales". Add it to "hosts" of that connector at the platform.`;
    const refused = { handshake: 'refused', status: 401, reason: 'origin' };
    expect(await find('host', lost(refused))).toBe(expected);
    expect(await find('socket', lost(refused))).toMatch(/^fault: .*See "host"/);
    const given = lost({}, { status: 'failed', reason: 'host_not_registered' });
    expect(await find('host', given)).toBe(expected);
    expect(await find('host', lost({ handshake: 'accepted', status: 101 }))).toMatch(/^ok/);
    expect(await find('host', lost({ handshake: 'unreachable' }))).toMatch(/^warning/);
  });

  it.each([
    [
      { handshake: 'unreachable', fault: 'ECONNREFUSED' },
      /Neither this page nor the token proxy can reach .* \(ECONNREFUSED\)/,
    ],
    [{ handshake: 'unknown' }, /Neither this page nor the token proxy can reach [^(]*\. Correct/],
    [
      { handshake: 'accepted', status: 101 },
      /accepts sockets from the token proxy but not from this browser/,
    ],
  ])('reports an unreachable socket address, with the setting: %o', async (socket, expected) => {
    const message = await find('socket', lost(socket));
    expect(message).toMatch(/^fault: /);
    expect(message).toMatch(expected);
    expect(message).toContain(URL_OF_SOCKET);
    expect(message).toContain('NATTER_WEBSOCKET_URL');
  });

  it('reports a loopback address on a public page', () => {
    const found = {
      url: 'ws://127.0.0.1:8080/ws',
      handshake: 'accepted',
      status: 101,
      reason: '',
      fault: '',
    };
    expect(judgeSocket(LOST, found, 'www.example.com')).toEqual({
      status: 'fault',
      message: expect.stringMatching(
        /^The socket address ws:\/\/127\.0\.0\.1:8080\/ws points to the visitor's own device\. Correct NATTER_WEBSOCKET_URL/,
      ),
    });
    expect(judgeSocket(LOST, found, 'localhost').message).toContain('not from this browser');
  });

  it('names an agent that the platform lacks', async () => {
    const given = patient();
    const chat = { ...given.chat, diagnose: async () => ({ missingAgent: 'nobody', socket: null }) };
    expect(await find('agent', { ...given, chat })).toMatch(
      /^fault: No answers: the project's agent "nobody" does not exist\. Correct "agent" of the project/,
    );
  });

  it('reports the skew of the clock', async () => {
    const date = new Date(Date.now() - 600_000).toUTCString();
    answer = async () => Response.json(WELL, { headers: { Date: date } });
    expect(await find('clock')).toMatch(/^warning: This device's clock is (599|60\d) seconds off/);
  });

  it.each([
    [{ status: 'open', isTurnBased: true }, /^warning: No socket gets through/],
    [{ status: 'connecting', offline: false }, /^warning: The client is connecting/],
    [{ status: 'idle' }, /^ok: Not connected/],
  ] as const)('reports the connection %o', async (connection, expected) => {
    expect(await find('socket', patient({}, connection))).toMatch(expected);
  });

  it('reports blocked storage', async () => {
    vi.stubGlobal('indexedDB', undefined);
    expect(await find('storage')).toMatch(/^warning: Storage is blocked/);
  });

  it('reports a page without a viewport for phones', async () => {
    viewport.content = 'width=1024';
    expect(await find('viewport')).toMatch(/^warning: Add <meta name="viewport"/);
    // Browsers accept both.
    viewport.name = 'Viewport';
    viewport.content = 'width = Device-Width, initial-scale=1';
    expect(await find('viewport')).toMatch(/^ok/);
  });

  it('reports handlers for unknown events', async () => {
    expect(await find('handlers', patient({ eventNames: ['message', 'open'] }))).toMatch(/^ok/);
    expect(await find('handlers', patient({ eventNames: ['message', 'mesage'] }))).toMatch(
      /^warning: The page listens to mesage, which does not exist. Events: ready,/,
    );
  });

  it('reports problems of the site’s own texts', async () => {
    const { findings, text } = await diagnose(patient({ textProblems: ['disclaimer is cut.'] }));
    expect(findings.find(({ check }) => check === 'texts')).toEqual({
      check: 'texts',
      status: 'warning',
      message: 'disclaimer is cut.',
    });
    expect(text).toContain('disclaimer is cut.');
  });
});

describe('the doctor on duplicates', () => {
  const draw = (position: 'start' | 'end'): void => {
    const host = document.createElement('natter-chat');
    document.body.append(host);
    createWidget(host, { position }, createFakeLoader(true).load, () => import('../loader/early.ts'));
  };

  it('reports a script that is embedded twice', async () => {
    for (const query of ['', '?v=2']) {
      const script = document.createElement('script');
      // Browsers do not fetch scripts of this type.
      script.type = 'text/plain';
      script.src = `https://chat.example/natter.js${query}`;
      document.body.append(script);
    }
    expect(await find('duplicates')).toMatch(/^warning: The page has 2 script tags of natter\.js/);
  });

  it('accepts two separate widgets, and reports two that overlap', async () => {
    draw('end');
    draw('start');
    expect(await find('duplicates')).toMatch(/^ok/);
    draw('end');
    expect(await find('duplicates')).toMatch(/^warning: The launchers of two widgets overlap/);
  });

  it('reports an undefined element, as with the script tag alone', async () => {
    const element = document.createElement('natter-chat');
    element.setAttribute('endpoint', 'https://chat.example.com');
    document.body.append(element);
    expect(await find('duplicates')).toMatch(
      /^warning: The page has a <natter-chat> element, but natter\.js/,
    );
    element.remove();
  });
});

describe('the doctor on the page’s policy', () => {
  const refuse = (fields: Partial<SecurityPolicyViolationEventInit>): void => {
    const init = { disposition: 'enforce', documentURI: location.href, originalPolicy: 'x', statusCode: 200 };
    const event = new SecurityPolicyViolationEvent('securitypolicyviolation', {
      ...init,
      violatedDirective: fields.effectiveDirective ?? '',
      ...fields,
    } as SecurityPolicyViolationEventInit);
    document.dispatchEvent(event);
  };
  /** Returns the finding about a violation during the diagnosis. */
  async function findAfter(
    fields: Partial<SecurityPolicyViolationEventInit>,
    connection?: ConnectionStatus,
    options: DiagnosticsTarget['options'] = { endpoint: ENDPOINT },
  ): Promise<string> {
    answer = async () => {
      refuse(fields);
      return Response.json(WELL);
    };
    return find('policy', patient({ options }, connection));
  }

  it.each([
    ['connect-src', 'https://chat.example/v1/session', 'connect-src https://chat.example'],
    ['script-src-elem', 'https://chat.example/natter/panel-x.js', 'script-src-elem https://chat.example'],
  ])('reports a policy %s that blocks the proxy', async (effectiveDirective, blockedURI, expected) => {
    expect(await findAfter({ effectiveDirective, blockedURI })).toContain(
      `fault: The page's Content-Security-Policy refused ${expected}. `,
    );
  });

  it('reports a policy violation by a script of the widget', async () => {
    const sourceFile = 'https://chat.example/natter/panel-x.js';
    const fields = {
      effectiveDirective: 'require-trusted-types-for',
      blockedURI: 'trusted-types-sink',
      sourceFile,
    };
    expect(await findAfter(fields)).toMatch(/refused require-trusted-types-for trusted-types-sink\./);
  });

  it('reports a blocked socket without its token, unless the socket is open', async () => {
    const fields = {
      effectiveDirective: 'connect-src',
      blockedURI: 'wss://p.example/ws?access_token=e30.e30.x',
    };
    const told = await findAfter(fields, { status: 'open', isTurnBased: true });
    expect(told).toMatch(/refused connect-src wss:\/\/p\.example\./);
    expect(told).not.toContain('e30');
    expect(await findAfter(fields)).toMatch(/^ok/);
  });

  it('reports blocked pictures of the widget, but not of the page', async () => {
    const options = { endpoint: ENDPOINT, imageHosts: 'cdn.example' };
    const fields = { effectiveDirective: 'img-src', blockedURI: 'https://cdn.example/a.png' };
    expect(await findAfter(fields, undefined, options)).toMatch(/refused img-src https:\/\/cdn\.example\./);
    expect(await findAfter(fields)).toMatch(/^ok/);
    expect(await findAfter({ effectiveDirective: 'img-src', blockedURI: 'data' })).toMatch(/^ok/);
  });

  it('ignores violations of report-only policies', async () => {
    const fields = { effectiveDirective: 'connect-src', blockedURI: `${ENDPOINT}/v1/session` };
    expect(await findAfter({ ...fields, disposition: 'report' })).toMatch(/^ok/);
  });

  it('reports policy violations from before it ran', async () => {
    const body = {
      disposition: 'enforce',
      effectiveDirective: 'connect-src',
      blockedURL: `${ENDPOINT}/v1/session`,
      sourceFile: null,
    };
    vi.stubGlobal(
      'ReportingObserver',
      class {
        observe() {}
        disconnect() {}
        takeRecords = () => [{ body }];
      },
    );
    expect(await find('policy')).toMatch(/^fault: .* refused connect-src https:\/\/chat\.example\./);
  });

  it('says where else to look for policy violations, because not every browser remembers them', async () => {
    vi.stubGlobal('ReportingObserver', undefined);
    expect(await find('policy')).toMatch(/^ok: No policy violations found/);
  });
});

describe('the doctor on pictures', () => {
  const sending = (contentUrl: string, imageHosts: string) => {
    const given = patient({ options: { endpoint: ENDPOINT, imageHosts } });
    const chat = createFakeChat();
    chat.says('', {
      attachments: [
        { kind: 'image', contentUrl, title: null, previewImageUrl: null, callToActionText: null },
        { kind: 'url', contentUrl, title: null, previewImageUrl: null, callToActionText: null },
      ],
    });
    return { ...given, chat: { ...chat, connection: signal({ status: 'open' as const }) } };
  };

  it('counts pictures that are not fetched, and shows no address of them', async () => {
    const told = await find('pictures', sending('https://cdn.example/a.png', 'a.example'));
    expect(told).toMatch(/^warning: 1 of the agent's pictures/);
    expect(told).not.toContain('cdn.example');
    expect(await find('pictures', sending('https://cdn.example/a.png', '*.example'))).toMatch(/^ok/);
  });

  it.each([
    ["'self'", false],
    ['cdn.*', false],
    ['müller.example', false],
    ['cdn.example;img-src', false],
    ['cdn.example:8443, *.a.example https://b.example/faces/ *', true],
  ])('reads the list of image hosts %j', async (imageHosts, isGood) => {
    expect(await find('pictures', sending('https://chat.example/a.png', imageHosts))).toMatch(
      isGood ? /^ok/ : /^warning: imageHosts has/,
    );
  });
});
