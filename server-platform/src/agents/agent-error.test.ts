import { describe, expect, it } from 'vitest';
import { AgentError, type AgentErrorCode, isAgentError, systemTextForAgentFailure } from './agent-error.ts';

const CODES: readonly AgentErrorCode[] = ['overloaded', 'unavailable', 'broken_stream', 'timeout'];

describe('an agent error', () => {
  it('is recognised by its shape, also when it comes from another copy of the module', () => {
    expect(isAgentError(new AgentError('timeout', 'Too slow.', { retryable: true }))).toBe(true);
    const foreign = Object.assign(new Error('Too slow.'), { name: 'AgentError', code: 'timeout' });
    expect(isAgentError(foreign)).toBe(true);
  });

  it.each([
    ['another error', new Error('x')],
    ['an unknown code', Object.assign(new Error('x'), { name: 'AgentError', code: 'other' })],
    ['no error at all', { name: 'AgentError', code: 'timeout' }],
    ['nothing', null],
  ])('is not %s', (_, value) => {
    expect(isAgentError(value)).toBe(false);
  });

  it('keeps the cause of an agent error', () => {
    const cause = new Error('ECONNRESET');
    expect(new AgentError('unavailable', 'Gone.', { retryable: true, cause }).cause).toBe(cause);
  });
});

describe('the text a visitor sees', () => {
  it.each(CODES)('is the one for a failed start while joining (%s)', (code) => {
    expect(systemTextForAgentFailure(code, 'joining')).toBe(
      "Sorry, I'm unable to start a conversation right now. Please try again later.",
    );
  });

  it.each(CODES)('is the one for a broken stream once something was shown (%s)', (code) => {
    expect(systemTextForAgentFailure(code, 'streaming')).toBe(
      'Sorry, I encountered an error. Please try again.',
    );
  });

  it.each([
    ['overloaded', 'Our system is experiencing high load. Please try again in a moment.'],
    ['unavailable', "Sorry, I'm having trouble responding right now. Please try again."],
    ['timeout', "Sorry, I'm having trouble responding right now. Please try again."],
    ['broken_stream', 'Sorry, I encountered an error. Please try again.'],
  ] as const)('tells %s apart before the answer', (code, text) => {
    expect(systemTextForAgentFailure(code, 'before_answer')).toBe(text);
  });
});
