import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { hastyClock, withServer } from '../../testing/scripted-server.test.ts';
import { createNatter, isNatterError, NatterError } from '../index.ts';

const caught = async (promise: Promise<unknown>): Promise<NatterError> => {
  const thrown: unknown = await promise.then(
    () => new Error('it resolved'),
    (error: unknown) => error,
  );
  if (isNatterError(thrown)) return thrown;
  throw thrown;
};

const ok = { status: 200, body: { data: [] } };
const overloaded = {
  status: 429,
  headers: { 'Retry-After': '7' },
  body: { error_code: 'RATE_LIMITED', error_message: 'Rate limit exceeded' },
};
const failed = { status: 503, body: {} };
const limit = (retries: number) => ({ retries, timeoutMs: 100_000 });

describe('repeating calls', () => {
  it('repeats a read after 429 with the delay of Retry-After', async () => {
    const { clock, waits } = hastyClock();
    await withServer(
      [overloaded, ok],
      async (natter, { seen }) => {
        expect(await natter.alerts.list()).toEqual([]);
        expect(seen).toHaveLength(2);
        expect(waits).toEqual([7000]);
      },
      { clock, ...limit(2) },
    );
  });

  it('keeps the correlation id across all attempts', async () => {
    const { clock } = hastyClock();
    await withServer(
      [failed, failed, ok],
      async (natter, { seen }) => {
        await natter.alerts.list();
        const ids = seen.map(({ headers }) => headers['x-correlation-id']);
        expect(ids).toHaveLength(3);
        expect(new Set(ids).size).toBe(1);
      },
      { clock, ...limit(2) },
    );
  });

  it('gives up after the allowed retries, with growing delays', async () => {
    const { clock, waits } = hastyClock();
    await withServer(
      [failed, failed, failed, failed, failed],
      async (natter, { seen }) => {
        const error = await caught(natter.alerts.list());
        expect(error).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE', retryable: true });
        expect(seen).toHaveLength(4);
        expect(waits).toEqual([375, 750, 1500]);
      },
      { clock, ...limit(3) },
    );
  });

  it('leaves a long Retry-After to the caller', async () => {
    const { clock, waits } = hastyClock();
    const later = { ...overloaded, headers: { 'Retry-After': '3600' } };
    await withServer(
      [later],
      async (natter, { seen }) => {
        expect(await caught(natter.alerts.list())).toMatchObject({
          retryAfterMs: 3_600_000,
          retryable: true,
        });
        expect(seen).toHaveLength(1);
        expect(waits).toEqual([]);
      },
      { clock, ...limit(2) },
    );
  });

  it('does not repeat a message after 503, which may have been accepted', async () => {
    const { clock } = hastyClock();
    await withServer(
      [failed, { status: 200, body: { conversation_id: 'c', response: '' } }],
      async (natter, { seen }) => {
        expect((await caught(natter.chat.create())).status).toBe(503);
        expect(seen).toHaveLength(1);
      },
      { clock, ...limit(2) },
    );
  });

  it('repeats a message after 429, which was refused before it began', async () => {
    const { clock } = hastyClock();
    await withServer(
      [overloaded, { status: 200, body: { conversation_id: 'c', response: 'Hi' } }],
      async (natter, { seen }) => {
        expect(await natter.chat.create()).toEqual({ conversation_id: 'c', response: 'Hi' });
        expect(seen).toHaveLength(2);
      },
      { clock, ...limit(2) },
    );
  });

  it('repeats the creation of a rule when the platform reports that nothing was stored', async () => {
    const { clock } = hastyClock();
    const unsynced = {
      status: 502,
      body: { error_code: 'MONITORING_SYNC_FAILED', message: 'Monitoring backend sync failed' },
    };
    await withServer(
      [unsynced, { status: 409, body: { error_code: 'RESOURCE_LIMIT_EXCEEDED', message: 'Maximum' } }],
      async (natter, { seen }) => {
        const rule = {
          name: 'a',
          metric: 'call_volume',
          operator: '<',
          threshold_value: 1,
          window_duration: '5m',
        } as const;
        expect((await caught(natter.alertRules.create(rule))).code).toBe('RESOURCE_LIMIT_EXCEEDED');
        expect(seen).toHaveLength(2);
      },
      { clock, ...limit(2) },
    );
  });

  it('accepts a 404 for a repeated DELETE, but not for the first one', async () => {
    const { clock } = hastyClock();
    const gone = { status: 404, body: { error_code: 'NOT_FOUND', message: 'Resource not found' } };
    await withServer([failed, gone], async (natter) => natter.alertRules.delete('ar_1'), {
      clock,
      ...limit(2),
    });
    await withServer(
      [gone],
      async (natter) => expect((await caught(natter.alertRules.delete('ar_1'))).status).toBe(404),
      { clock, ...limit(2) },
    );
    await withServer(
      [overloaded, gone],
      async (natter) => expect((await caught(natter.alertRules.delete('ar_1'))).status).toBe(404),
      { clock, ...limit(2) },
    );
  });

  it("overrides the client's retries for one call", async () => {
    const { clock } = hastyClock();
    await withServer(
      [failed],
      async (natter, { seen }) => {
        await caught(natter.alerts.list({}, { retries: 0 }));
        expect(seen).toHaveLength(1);
      },
      { clock, ...limit(2) },
    );
  });

  it.each([99, -1, 1.5, Number.NaN])(
    'refuses a call with %d retries before anything is sent',
    async (retries) => {
      await withServer([failed], async (natter, { seen }) => {
        expect(await caught(natter.chat.create({}, { retries }))).toMatchObject({
          code: 'INVALID_ARGUMENT',
          fieldErrors: [{ field: 'retries' }],
        });
        expect(seen).toEqual([]);
      });
    },
  );

  it('refuses a body without a JSON form with a separate error', async () => {
    await withServer([], async (natter) => {
      const body = { conversation_id: 'c', metadata: { total: 1n } };
      expect(await caught(natter.chat.respond(body))).toMatchObject({
        code: 'INVALID_ARGUMENT',
        message: expect.stringContaining('Request body must have a JSON form'),
      });
    });
  });
});

describe('giving up', () => {
  const silent = (): void => undefined;

  it('aborts an attempt without an answer after timeoutMs', async () => {
    await withServer([silent], async (natter) => {
      const error = await caught(natter.alerts.list({}, { timeoutMs: 20, retries: 0 }));
      expect(error).toMatchObject({ code: 'TIMEOUT', status: null, retryable: true });
      expect(error.message).toBe('No answer within 20 ms. Try again, or allow more with timeoutMs.');
    });
  });

  it('warns that a message may have been accepted when its answer timed out', async () => {
    await withServer([silent], async (natter) => {
      const error = await caught(
        natter.chat.respond({ conversation_id: 'c', message: 'hi' }, { timeoutMs: 20 }),
      );
      expect(error.message).toContain('may have been carried out');
    });
  });

  it('times out when a body never ends', async () => {
    await withServer([(response) => void response.writeHead(200).write('{"data": [')], async (natter) => {
      const error = await caught(natter.alerts.list({}, { timeoutMs: 30, retries: 0 }));
      expect(error.code).toBe('TIMEOUT');
    });
  });

  it('rejects with ABORTED when the signal is aborted, before and during the call', async () => {
    await withServer([silent], async (natter, { seen }) => {
      expect((await caught(natter.alerts.list({}, { signal: AbortSignal.abort() }))).code).toBe('ABORTED');
      expect(seen).toHaveLength(0);
    });
    const controller = new AbortController();
    await withServer([() => controller.abort(new Error('enough'))], async (natter) => {
      const error = await caught(natter.alerts.list({}, { signal: controller.signal }));
      expect(error).toMatchObject({ code: 'ABORTED', retryable: false });
      expect(error.cause).toMatchObject({ message: 'enough' });
    });
  });

  it('stops waiting for the next attempt when the signal is aborted', async () => {
    const controller = new AbortController();
    const clock = {
      now: () => 0,
      random: () => 0,
      startTimer: (delayMs: number) => {
        if (delayMs === 7000) controller.abort();
        return () => undefined;
      },
    };
    await withServer(
      [overloaded, ok],
      async (natter, { seen }) => {
        expect((await caught(natter.alerts.list({}, { signal: controller.signal }))).code).toBe('ABORTED');
        expect(seen).toHaveLength(1);
      },
      { clock },
    );
  });

  it('reports a connection that cannot be opened or breaks', async () => {
    await withServer([(response) => void response.destroy()], async (natter, { close }) => {
      const broken = await caught(natter.alerts.list({}, { retries: 0 }));
      expect(broken).toMatchObject({ code: 'NETWORK_ERROR', status: null, retryable: true });
      await close();
      const refused = await caught(natter.alerts.list({}, { retries: 0 }));
      expect(refused.message).toContain('ECONNREFUSED');
      expect(refused.message).toContain('Nothing listens there: check host and port');
      const { cause } = refused as { readonly cause?: unknown };
      expect(cause).toMatchObject({
        code: 'ECONNREFUSED',
        host: expect.stringMatching(/^(?:127\.0\.0\.1|localhost):\d+$/),
      });
      expect(refused.message).toContain(String((cause as { readonly host: string }).host));
    });
  });

  it('does not follow a redirect, which would carry the key to another host', async () => {
    await withServer([{ status: 307, headers: { Location: '/elsewhere' } }, ok], async (natter, { seen }) => {
      expect(await caught(natter.alerts.list())).toMatchObject({ code: 'REDIRECTED', status: 307 });
      expect(seen).toHaveLength(1);
    });
  });

  it('names the field of a response that it cannot read', async () => {
    await withServer(
      [
        { status: 200, body: '<html>' },
        { status: 200, body: { data: [{ name: 'x' }] } },
      ],
      async (natter) => {
        expect((await caught(natter.alerts.list())).message).toContain('The answer is not JSON');
        expect(await caught(natter.alerts.list())).toMatchObject({
          code: 'INVALID_RESPONSE',
          message: expect.stringContaining('data.0.alert_rule_id is required'),
        });
      },
    );
  });
});

describe('credentials', () => {
  it('sends each service its own key, and chat its token', async () => {
    const created = { status: 200, body: { conversation_id: 'c', response: '' } };
    await withServer([ok, created], async (natter, { seen }) => {
      await natter.alerts.list();
      await natter.chat.create();
      expect(seen[0]?.headers).toMatchObject({ 'x-api-key': 'key-monitoring' });
      expect(seen[0]?.headers).not.toHaveProperty('x-token');
      expect(seen[1]?.headers).toMatchObject({ 'x-api-key': 'key-runtime', 'x-token': 'token-connector' });
    });
  });

  it('uses the key of a family if one is set', async () => {
    await withServer(
      [{ status: 200, body: { dni: '+44' } }],
      async (natter, { seen }) => {
        await natter.numbers.reserve({ attributes: {} });
        expect(seen[0]?.headers).toMatchObject({ 'x-api-key': 'key-numbers' });
      },
      { apiKeys: { numbers: 'key-numbers' } },
    );
  });

  it('never sends the key of one service to the other', async () => {
    const natter = createNatter({
      baseUrl: 'http://localhost:1',
      monitorBaseUrl: 'http://localhost:1',
      apiKey: 'key',
      projectId: 'p',
    });
    expect(await caught(natter.alerts.list())).toMatchObject({ code: 'MISSING_CREDENTIAL' });
    expect((await caught(natter.conversations.get('c'))).message).toContain('monitorApiKey');
    expect((await caught(natter.chat.create({}, { accountId: 'a' }))).message).toContain('connectorToken');
  });

  it('keeps keys out of everything that can be printed', async () => {
    const quoting = {
      status: 401,
      body: {
        error_code: 'AUTH_INVALID_API_KEY',
        error_message: 'no such key: key-monitoring',
        errors: [{ field: 'x-api-key', message: 'key-monitoring is unknown' }],
      },
    };
    await withServer([quoting], async (natter) => {
      const error = await caught(natter.alerts.list());
      expect(error.message).toContain('[redacted]');
      const printed = [natter, error].map(
        (value) => `${inspect(value, { depth: 9, showHidden: true })}${JSON.stringify(value)}`,
      );
      for (const text of printed) expect(text).not.toMatch(/key-runtime|key-monitoring|token-connector/);
      expect(error.stack).not.toContain('key-monitoring');
    });
  });

  it('keeps keys out of the errors of a fetch that quotes them', async () => {
    const natter = createNatter({
      baseUrl: 'http://localhost:1',
      apiKey: 'key-runtime',
      connectorToken: 'token-connector',
      accountId: 'a',
      projectId: 'p',
      fetch: () =>
        Promise.reject(Object.assign(new Error('bad header key-runtime'), { config: 'token-connector' })),
    });
    const error = await caught(natter.chat.create());
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/key-runtime|token-connector/);
    expect(error.message).toContain('bad header [redacted]');
  });

  it('refuses a key that a header cannot carry, without quoting it', () => {
    const create = (): unknown => createNatter({ baseUrl: 'http://localhost:1', apiKey: 'secret\nkey' });
    expect(create).toThrow('apiKey must be visible ASCII');
    expect(create).not.toThrow(/secret/);
  });
});

describe('names', () => {
  it('writes neutral names by default and vendor names if enabled', async () => {
    const audio = { status: 200, body: { url: 'https://x/a.wav', text: 'Hi' } };
    const body = { text: 'Hi', language: 'en', config: {}, storeOnObjectStorage: true };
    await withServer([audio], async (natter, { seen }) => {
      await natter.voice.generateAudio(body, { correlationId: 'mine' });
      expect(seen[0]?.headers['x-correlation-id']).toBe('mine');
      expect(JSON.parse(seen[0]?.body ?? '')).toEqual(body);
    });
    await withServer(
      [audio, ok],
      async (natter, { seen }) => {
        await natter.voice.generateAudio(body, { correlationId: 'mine' });
        await natter.alerts.list();
        expect(seen[0]?.headers['x-polyai-correlation-id']).toBe('mine');
        expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
          text: 'Hi',
          language: 'en',
          config: {},
          storeOnS3: true,
        });
        expect(seen[1]?.headers).toHaveProperty('x-correlation-id');
      },
      { vendorNames: { voice: true } },
    );
  });

  it('recognises errors across copies of the package with a guard', () => {
    const error = new NatterError({ code: 'TIMEOUT', text: 'No answer' });
    expect(isNatterError(error)).toBe(true);
    expect(isNatterError(new Error('TIMEOUT'))).toBe(false);
    expect(isNatterError({ [Symbol.for('natter.sdk.error')]: true })).toBe(true);
    expect(isNatterError(null)).toBe(false);
  });
});
