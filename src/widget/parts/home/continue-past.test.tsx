import { expect, it } from 'vitest';
import { ADA, MAREN } from '../../../../test/widget/fake-chat.ts';
import type { Speaker, TranscriptItem } from '../../../client/index.ts';
import { writeEarlier } from './continue-past.ts';

const asked = (text: string): TranscriptItem => ({
  ...{ kind: 'user', key: text, text, atMs: 0 },
  ...{ delivery: { status: 'sent' }, localId: null },
});
const said = (text: string, speaker: Speaker): TranscriptItem => ({
  ...{ kind: 'agent', key: text, text, speaker, messageId: 'm', atMs: 0 },
  ...{ isStreaming: false, attachments: [], callActions: [] },
});

it('the end of a conversation says who said what, a line each, without empty messages', () => {
  const items = [asked('Is it\n open?'), said('Yes.', ADA), said('', ADA), said('I am Maren.', MAREN)];
  expect(writeEarlier(items)).toBe('Visitor: Is it open?\nAgent: Yes.\nPerson: I am Maren.');
});

it.each(['🐕', 'dog ', 'كلب '])(
  'the end of a long conversation in %s fits into a value of metadata',
  (word) => {
    const items = Array.from({ length: 9 }, (_, index) => said(`${index} ${word.repeat(500)}`, ADA));
    const written = writeEarlier(items);
    expect(new TextEncoder().encode(written).length).toBeLessThanOrEqual(1_024);
    expect(written).toMatch(/^Agent: \d .*…$/s);
    expect(written.split('\n').at(-1)).toMatch(/^Agent: 8 /);
  },
);
