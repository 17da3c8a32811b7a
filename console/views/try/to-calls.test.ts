import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { toEventCalls, toNumberCalls, toVoiceCalls } from './to-calls.ts';

const scope = { origin: 'https://chat.example.com', accountId: 'ACCOUNT-1', project: 'shop' };

/** The arguments that a shell makes of a command. */
const argumentsOf = (command: string): readonly string[] =>
  execFileSync('sh', ['-c', command.replace('curl', 'printf "%s\\0"')], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1);

describe('the calls that do what the page has done', () => {
  it('the calls keep quotes and dollars unchanged in a shell', () => {
    const attributes = { note: `it's $HOME "here"` };
    const words = argumentsOf(toNumberCalls(scope, attributes).curl);
    expect(words).toContain('https://chat.example.com/v1/conversations/dni-reservation');
    expect(words).toContain('X-Api-Key: YOUR_KEY');
    expect(JSON.parse(words.at(-1) ?? '')).toEqual({ attributes });
  });

  it('the calls name the event, the account and the project in the address', () => {
    const { curl, sdk } = toEventCalls(scope, 'evt_1&2', { paid: true });
    const url = new URL(argumentsOf(curl)[2] ?? '');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      ...{ event_id_location: 'querystring', event_id_path: 'event', event: 'evt_1&2' },
      ...{ account_id: 'ACCOUNT-1', project_id: 'shop' },
    });
    expect(sdk).toContain('"event_id": "evt_1&2"');
  });

  it('the calls of the page hold no key', () => {
    const speech = { text: 'Hello', language: 'en', config: {} };
    for (const call of Object.values(toVoiceCalls(scope, speech))) {
      expect(call).toContain('YOUR_KEY');
      expect(call).not.toContain('nak_');
    }
  });
});
