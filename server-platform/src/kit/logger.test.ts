import { describe, expect, it } from 'vitest';
import { createComponentLoggers, createLogger, parseLogLevels } from './logger.ts';

describe('log levels', () => {
  it('reads log levels for everything and for single components', () => {
    expect(parseLogLevels('debug')).toEqual({ level: 'debug', components: {} });
    expect(parseLogLevels('warn, messaging=debug ,webhooks=silent')).toEqual({
      level: 'warn',
      components: { messaging: 'debug', webhooks: 'silent' },
    });
    expect(parseLogLevels('messaging=debug')).toEqual({ level: 'info', components: { messaging: 'debug' } });
  });

  it.each([
    ['loud', 'unknown level "loud"'],
    ['', 'unknown level ""'],
    ['info,', 'unknown level ""'],
    ['info,messaging', 'unknown level "messaging"'],
    ['info,messaging=loud', 'unknown level "loud"'],
    ['info,mesaging=debug', 'unknown component "mesaging"'],
    ['info,constructor=debug', 'unknown component "constructor"'],
    ['info,debug', 'it names info and debug'],
    ['bus=info,bus=debug', 'duplicate component "bus"'],
  ])('refuses the log levels "%s" with what to correct', (text, problem) => {
    expect(parseLogLevels(text)).toEqual(expect.stringContaining(problem));
  });

  it("applies a component's log level, names the component in the line, and removes secrets", () => {
    const lines: string[] = [];
    const logger = createLogger('warn', { write: (line) => void lines.push(line) });
    const logOf = createComponentLoggers(logger, { messaging: 'debug', bus: 'silent' });
    logOf('messaging').debug({ text: 'secret', sessionId: 's-1' }, 'told');
    logOf('bus').error('not told');
    logOf('jobs').info('not told');
    logOf('jobs').warn('told as well');
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { component: 'messaging', text: '[removed]', sessionId: 's-1', msg: 'told' },
      { component: 'jobs', msg: 'told as well' },
    ]);
  });
});
