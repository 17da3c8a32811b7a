import * as v from 'valibot';
import { expect, it } from 'vitest';
import { deskEventSchema } from './desk-event.ts';

const message = { type: 'message', agent: { id: 'a', name: 'Ana' }, text: 'Hello' };

it.each(['attachments', 'response_suggestions'])('names the first wrong entry of %s and no more', (field) => {
  const read = v.safeParse(deskEventSchema, { ...message, [field]: Array.from({ length: 1_000 }, () => 1) });
  expect(read.issues?.map(({ message }) => message)).toEqual(['must be an object of strings']);
});

it('refuses an empty desk message, and accepts one with only attachments', () => {
  const read = (fields: object): unknown =>
    v
      .safeParse(deskEventSchema, { ...message, ...fields })
      .issues?.map((issue) => [v.getDotPath(issue), issue.message]);
  expect(read({ text: ' ' })).toEqual([['text', 'must not be empty in a message without attachments']]);
  expect(read({ text: '', attachments: [] })).toBeDefined();
  expect(read({ text: '', attachments: [{ content_url: 'https://example.com/a.png' }] })).toBeUndefined();
});
