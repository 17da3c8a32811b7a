import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { messageTurn } from '../../../test/agents/agent-turn.ts';
import {
  calls,
  chunk,
  event,
  open,
  refuses,
  type Script,
  says,
  startScriptedEndpoint,
  write,
} from '../../../test/agents/llm/scripted-endpoint.ts';
import { type AgentClock, systemAgentClock } from '../agent-clock.ts';
import { type AgentError, isAgentError } from '../agent-error.ts';
import { createLlmAgent } from './llm-agent.ts';
import { LLM_AGENT_DEFAULTS, type LlmAgentConfig } from './llm-agent-config.ts';

const KEY = 'sk-very-secret-key';

const configFor = (url: string, overrides: Partial<LlmAgentConfig> = {}): LlmAgentConfig => ({
  ...LLM_AGENT_DEFAULTS,
  name: 'Ada',
  greeting: 'Hello.',
  url,
  apiKey: KEY,
  model: 'test-model',
  systemPrompt: 'You help travellers.',
  // Long enough for a slow machine: only the limit under test may strike.
  timeouts: { firstByteMs: 20_000, idleMs: 20_000, totalMs: 20_000, firstWordMs: 20_000 },
  ...overrides,
});

interface Outcome {
  readonly text: string;
  readonly error: unknown;
  readonly pausesMs: readonly number[];
  readonly requests: number;
}

/** Runs a turn against the scripts. Pauses between tries pass at once and are noted. */
async function run(scripts: readonly Script[], overrides: Partial<LlmAgentConfig> = {}): Promise<Outcome> {
  await using endpoint = await startScriptedEndpoint(...scripts);
  const pausesMs: number[] = [];
  const clock: AgentClock = {
    now: systemAgentClock.now,
    setTimer(callback, delayMs) {
      // Limits are either far above or far below every pause, but for the wait for a late usage.
      if (delayMs > 10_000 || delayMs <= SHORT_MS || delayMs === USAGE_MS)
        return systemAgentClock.setTimer(callback, delayMs);
      pausesMs.push(delayMs);
      return systemAgentClock.setTimer(callback, 0);
    },
  };
  const agent = createLlmAgent(configFor(endpoint.url, overrides), null, { clock, random: () => 0.5 });
  let text = '';
  let error: unknown = null;
  try {
    for await (const action of agent.run(messageTurn('Hello?')))
      if (action.type === 'text') text += action.text;
  } catch (caught) {
    error = caught;
  }
  return { text, error, pausesMs, requests: endpoint.requests.length };
}

const SHORT_MS = 30;
const USAGE_MS = 2_000;

const never: Script = () => {};

const failsWith = (code: AgentError['code'], retryable: boolean): unknown =>
  expect.objectContaining({ name: 'AgentError', code, retryable });

const stream =
  (...parts: readonly string[]): Script =>
  async (response) => {
    open(response);
    for (const part of parts) await write(response, part);
    response.end();
  };

const cut =
  (...parts: readonly string[]): Script =>
  async (response) => {
    open(response);
    for (const part of parts) await write(response, part);
    response.socket?.resetAndDestroy();
  };

describe('before the first token', () => {
  it('waits as long as Retry-After asks before the first token, then answers', async () => {
    const outcome = await run([refuses(429, {}, { 'retry-after': '3' }), says('Here I am.')]);
    expect(outcome).toEqual({ text: 'Here I am.', error: null, pausesMs: [3000], requests: 2 });
  });

  it('backs off as without Retry-After when it cannot be read: a date needs a weekday', async () => {
    const [without] = (await run([refuses(429), says('Here I am.')])).pausesMs;
    const outcome = await run([refuses(429, {}, { 'retry-after': '-1' }), says('Here I am.')]);
    expect(without).toBeGreaterThan(0);
    expect(outcome).toMatchObject({ text: 'Here I am.', pausesMs: [without] });
  });

  it('gives up at once when Retry-After asks for more than a visitor would wait', async () => {
    const outcome = await run([
      refuses(429, { code: 'rate_limit_exceeded' }, { 'retry-after': '60' }),
      says('Late.'),
    ]);
    expect(outcome).toMatchObject({ text: '', error: failsWith('overloaded', true), requests: 1 });
  });

  it('backs off twice as long each time and stops at the configured number of tries', async () => {
    const outcome = await run([refuses(500), refuses(502), refuses(503), says('Too late.')]);
    expect(outcome).toMatchObject({
      error: failsWith('unavailable', true),
      pausesMs: [500, 1000],
      requests: 3,
    });
  });

  it('tries again when the connection is cut before anything was said', async () => {
    const outcome = await run([
      cut(),
      cut(chunk({ role: 'assistant', content: '' })),
      says('Third time lucky.'),
    ]);
    expect(outcome).toMatchObject({ text: 'Third time lucky.', error: null, requests: 3 });
  });

  it('tries again after an overload reported inside the stream', async () => {
    const outcome = await run([
      stream(event({ error: { type: 'overloaded_error', message: 'busy' } })),
      says('Hello.'),
    ]);
    expect(outcome).toMatchObject({ text: 'Hello.', requests: 2 });
  });

  it.each([400, 401, 403, 404, 422])('does not repeat a request that was refused with %i', async (status) => {
    const outcome = await run([
      refuses(status, { code: 'invalid_api_key', message: `bad key ${KEY}` }),
      says('Never.'),
    ]);
    expect(outcome).toMatchObject({ text: '', error: failsWith('unavailable', false), requests: 1 });
  });

  it('reports an endpoint that cannot be reached', async () => {
    const gone = await startScriptedEndpoint();
    await gone[Symbol.asyncDispose]();
    const outcome = await run([], { url: gone.url });
    expect(outcome).toMatchObject({ error: failsWith('unavailable', true), pausesMs: [500, 1000] });
    expect(String(outcome.error)).toContain('ECONNREFUSED');
  });

  it('does not follow a redirect', async () => {
    const outcome = await run(
      [(response) => void response.writeHead(307, { location: 'https://other.example.com/v1' }).end()],
      { retries: { ...LLM_AGENT_DEFAULTS.retries, maxAttempts: 1 } },
    );
    expect(outcome).toMatchObject({ error: failsWith('unavailable', false), requests: 1 });
    expect(String(outcome.error)).toContain('Redirects are not followed');
  });

  it.each([
    ['no headers', never],
    ['headers but no body', (response) => open(response)],
    ['an error that never ends', (response) => void response.writeHead(500).write('{')],
  ] satisfies [string, Script][])('times out on %s', async (_, script) => {
    const timeouts = { firstByteMs: SHORT_MS, idleMs: SHORT_MS, totalMs: 20_000, firstWordMs: 20_000 };
    expect((await run([script], { timeouts })).error).toEqual(failsWith('timeout', true));
  });

  it.each([
    [
      'a page instead of a stream',
      ((response) =>
        void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hi')) satisfies Script,
    ],
    ['an event that is no JSON', stream('data: {"choices": [\n\n')],
    ['an event of another shape', stream(event({ choices: 'none' }))],
    ['an event without end', stream(`data: ${'x'.repeat(1_100_000)}`)],
  ])('does not repeat %s', async (_, script) => {
    expect(await run([script, says('Never.')])).toMatchObject({
      error: failsWith('unavailable', false),
      requests: 1,
    });
  });

  it('treats an answer without any text as a failure', async () => {
    expect((await run([says()])).error).toEqual(failsWith('unavailable', true));
    expect((await run([stream(event('[DONE]')), stream(), stream()])).error).toEqual(
      failsWith('broken_stream', true),
    );
  });
});

describe('after the first token', () => {
  it.each([
    ['cut inside an event', cut(chunk({ content: 'Dogs are ' }), 'data: {"choices":[{"index":0,"del')],
    ['ended inside an event', stream(chunk({ content: 'Dogs are ' }), 'data: {"choices":[{"index":0,"del')],
    ['ended without a finish reason', stream(chunk({ content: 'Dogs are ' }))],
    ['malformed', stream(chunk({ content: 'Dogs are ' }), 'data: {oops}\n\n', chunk({ content: 'welcome' }))],
    [
      'broken by an error event',
      stream(chunk({ content: 'Dogs are ' }), event({ error: { code: 500, message: 'x' } })),
    ],
    ['broken by an overload', stream(chunk({ content: 'Dogs are ' }), event({ error: { code: 429 } }))],
  ])('a stream that is %s fails without being repeated', async (_, script) => {
    const outcome = await run([script, says('Never.')]);
    expect(outcome).toMatchObject({
      text: 'Dogs are',
      error: failsWith('broken_stream', true),
      requests: 1,
    });
  });

  it('a stream that goes silent after the first token times out', async () => {
    const silent: Script = async (response) => {
      open(response);
      await write(response, chunk({ content: 'Dogs are ' }));
    };
    const timeouts = { firstByteMs: 20_000, idleMs: SHORT_MS, totalMs: 20_000, firstWordMs: 20_000 };
    expect(await run([silent], { timeouts })).toMatchObject({
      text: 'Dogs are',
      error: failsWith('timeout', true),
    });
  });

  it('a stream that only keeps the connection alive runs into the limit of the turn', async () => {
    const babbling: Script = async (response) => {
      open(response);
      while (!response.destroyed)
        await write(response, ': still here\n\n').then(
          () => new Promise(setImmediate),
          () => {},
        );
    };
    const timeouts = { firstByteMs: 20_000, idleMs: 20_000, totalMs: SHORT_MS, firstWordMs: 20_000 };
    expect((await run([babbling], { timeouts })).error).toEqual(failsWith('timeout', true));
  });

  it('a stream that only thinks is given up before its first word', async () => {
    const thinking: Script = async (response) => {
      open(response);
      while (!response.destroyed)
        await write(response, chunk({ reasoning_content: 'hm' })).then(
          () => new Promise(setImmediate),
          () => {},
        );
    };
    const timeouts = { firstByteMs: 20_000, idleMs: 20_000, totalMs: 20_000, firstWordMs: SHORT_MS };
    const outcome = await run([thinking, says('Never.')], { timeouts });
    expect(outcome).toMatchObject({ text: '', error: failsWith('timeout', true) });
    // None, where a busy machine took as long to connect.
    expect(outcome.requests).toBeLessThan(2);
  });

  it('a later request of the same turn may still be repeated', async () => {
    const outcome = await run([
      calls({ name: 'unknown', arguments: '{}' }),
      refuses(503, {}, { 'retry-after': '1' }),
      says('Dogs are welcome.'),
    ]);
    expect(outcome).toEqual({ text: 'Dogs are welcome.', error: null, pausesMs: [1000], requests: 3 });
  });
});

describe('a turn that is taken away', () => {
  it('a cancelled turn closes the connection and throws the reason, not an agent error', async () => {
    await using endpoint = await startScriptedEndpoint(async (response) => {
      open(response);
      await write(response, chunk({ content: 'Dogs are ' }));
    });
    const controller = new AbortController();
    const reason = new Error('session ended');
    const agent = createLlmAgent(configFor(endpoint.url), null);
    const turn = messageTurn('Dogs?', { signal: controller.signal });
    const reading = (async () => {
      for await (const action of agent.run(turn)) if (action.type === 'text') controller.abort(reason);
    })();
    await expect(reading).rejects.toBe(reason);
    await endpoint.abandoned;
  });

  it('closes the connection when the reader stops early', async () => {
    await using endpoint = await startScriptedEndpoint(async (response) => {
      open(response);
      await write(response, chunk({ content: 'Dogs are ' }));
    });
    for await (const action of createLlmAgent(configFor(endpoint.url), null).run(messageTurn('Dogs?'))) {
      if (action.type === 'text') break;
    }
    await endpoint.abandoned;
  });

  it('a cancelled turn does not wait for the next try', async () => {
    await using endpoint = await startScriptedEndpoint(refuses(429, {}, { 'retry-after': '5' }));
    const controller = new AbortController();
    const clock: AgentClock = {
      now: systemAgentClock.now,
      setTimer(callback, delayMs) {
        if (delayMs === 5000) controller.abort(new Error('gone'));
        return systemAgentClock.setTimer(callback, delayMs);
      },
    };
    const agent = createLlmAgent(configFor(endpoint.url), null, { clock });
    const turn = messageTurn('Hello?', { signal: controller.signal });
    await expect(agent.run(turn)[Symbol.asyncIterator]().next()).rejects.toThrow('gone');
  });
});

describe('the key', () => {
  it.each([
    ['a refusal that quotes it', refuses(401, { code: KEY, type: KEY, message: `wrong key ${KEY}` })],
    ['an error event that quotes it', stream(event({ error: { message: KEY, code: `bad ${KEY}` } }))],
    ['a page that quotes it', ((response) => void response.writeHead(200).end(KEY)) satisfies Script],
    ['a cut connection', cut()],
  ])('the key is not in the error after %s', async (_, script) => {
    const { error } = await run([script, script, script]);
    expect(isAgentError(error)).toBe(true);
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(KEY);
  });

  it('the key is not shown when the agent is logged', () => {
    const agent = createLlmAgent(configFor('http://127.0.0.1:1'), null);
    expect(inspect(agent, { depth: 10, showHidden: true })).not.toContain(KEY);
    expect(JSON.stringify(agent)).not.toContain(KEY);
  });
});
