import { expect, it } from 'vitest';
import { fillReply } from './fill-reply.ts';

const fill = (text: string, page: Readonly<Record<string, unknown>>): string =>
  fillReply(text, { person: 'Grace', state: {}, page, handoff: {} });

it('a canned reply has at most 10,000 characters of values, however long a value is and however often it is named', () => {
  expect(fill('{name}'.repeat(1_000), { name: 'a'.repeat(5_000) })).toHaveLength(10_000);
  expect(fill('Hello {name|there}, I am {agent}.', { name: 'a'.repeat(10_001) })).toBe(
    'Hello there, I am Grace.',
  );
});

it('a value in a canned reply is not read for further placeholders', () => {
  expect(fill('Hello {name}', { name: '{{state.secret}} {agent}' })).toBe('Hello {{state.secret}} {agent}');
});
