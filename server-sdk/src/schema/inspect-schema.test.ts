import * as v from 'valibot';
import { expect, it } from 'vitest';
import { conversationSchema, fieldDescriptions } from '../index.ts';
import { flag, orNull, text } from './fields.ts';
import { objectOf } from './object-of.ts';
import { orElse } from './reader-of.ts';

it('describes each field of a schema in one line, however the field is wrapped', () => {
  const schema = objectOf('Thing', 'A thing.', {
    id: text('Its id.'),
    note: v.optional(orNull(text('A note.'))),
    isOn: orElse(false, flag('Whether it is on.')),
  });
  expect(fieldDescriptions(schema)).toEqual({ id: 'Its id.', note: 'A note.', isOn: 'Whether it is on.' });
});

it('describes every field of a conversation for the documentation (4.1)', () => {
  const lines = Object.entries(fieldDescriptions(conversationSchema));
  expect(lines).toHaveLength(22);
  expect(lines.filter(([, line]) => !/^[A-Z].*\.$/.test(line))).toEqual([]);
});
