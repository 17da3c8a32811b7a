import { describe, expect, it } from 'vitest';
import { AnswerWriter, type EventDraft } from './answer-writer.ts';

/** A log whose commits are let through by the test. */
function createHeldLog(): {
  readonly stored: EventDraft[];
  readonly append: (drafts: readonly EventDraft[]) => Promise<void>;
  readonly waiting: (() => void)[];
} {
  const stored: EventDraft[] = [];
  const waiting: (() => void)[] = [];
  return {
    stored,
    waiting,
    append: (drafts) =>
      new Promise((resolve) => {
        waiting.push(() => {
          stored.push(...drafts);
          resolve();
        });
      }),
  };
}

const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function createWriter(
  append: (drafts: readonly EventDraft[]) => Promise<void>,
  isStreaming = true,
): AnswerWriter {
  return new AnswerWriter({
    messageId: 'msg_1',
    isStreaming,
    agentName: 'Ada',
    agentAvatarUrl: null,
    append,
  });
}

const texts = (drafts: readonly EventDraft[]): unknown[] => drafts.map(({ payload }) => payload['text']);
const indexes = (drafts: readonly EventDraft[]): unknown[] =>
  drafts.map(({ payload }) => payload['chunk_index']);

describe('a streamed answer', () => {
  it('made at once is one complete chunk', async () => {
    const log = createHeldLog();
    const writer = createWriter(log.append);
    await writer.write('Hello ');
    await writer.write('there.');
    const ending = await writer.finish({ endsConversation: false });
    expect(log.waiting).toHaveLength(0);
    expect(ending).toEqual([
      {
        type: 'EVENT_TYPE_AGENT_MESSAGE_CHUNK',
        payload: {
          message_id: 'msg_1',
          text: 'Hello there.',
          attachments: [],
          response_suggestions: [],
          chunk_index: 1,
          is_complete: true,
          chat_call_actions: [],
          end_conversation: false,
        },
      },
    ]);
  });

  it('keeps the pace of the agent while commits are faster', async () => {
    const stored: EventDraft[] = [];
    const writer = createWriter(async (drafts) => {
      stored.push(...drafts);
    });
    for (const piece of ['a', 'b', 'c']) {
      await writer.write(piece);
      await nextTick();
      await nextTick();
    }
    expect(texts(stored)).toEqual(['a', 'b', 'c']);
    expect(indexes(stored)).toEqual([1, 2, 3]);
    expect(indexes(await writer.finish({ endsConversation: true }))).toEqual([4]);
  });

  it('gathers what comes while a commit is in flight, and loses nothing', async () => {
    const log = createHeldLog();
    const writer = createWriter(log.append);
    await writer.write('a');
    await nextTick();
    for (const piece of ['b', 'c', 'd']) await writer.write(piece);
    expect(log.waiting).toHaveLength(1);
    log.waiting.shift()?.();
    await nextTick();
    log.waiting.shift()?.();
    await nextTick();
    expect(texts(log.stored)).toEqual(['a', 'bcd']);
    expect(texts(await writer.finish({ endsConversation: false }))).toEqual(['']);
  });

  it('never tears a character apart and cuts long texts', async () => {
    const stored: EventDraft[] = [];
    const writer = createWriter(async (drafts) => {
      stored.push(...drafts);
    });
    const text = `${'x'.repeat(16_383)}😀${'y'.repeat(40_000)}`;
    await writer.write(text);
    const all = [...stored, ...(await writer.finish({ endsConversation: false }))];
    expect(texts(all).join('')).toBe(text);
    expect(all.length).toBeGreaterThan(3);
    // Throws for half a character.
    for (const each of texts(all)) encodeURIComponent(String(each));
    expect(indexes(all)).toEqual(all.map((_, index) => index + 1));
  });

  it('puts an event between two pieces where the agent put it', async () => {
    const stored: EventDraft[] = [];
    const writer = createWriter(async (drafts) => {
      stored.push(...drafts);
    });
    await writer.write('Hello. ');
    await writer.interject([{ type: 'EVENT_TYPE_LANGUAGE_CHANGED', payload: { language_code: 'fr' } }]);
    await writer.write('Bonjour.');
    stored.push(...(await writer.finish({ endsConversation: false })));
    expect(stored.map(({ type, payload }) => payload['text'] ?? type)).toEqual([
      'Hello. ',
      'EVENT_TYPE_LANGUAGE_CHANGED',
      'Bonjour.',
    ]);
  });

  it('without a word is nothing', async () => {
    const writer = createWriter(async () => {});
    expect(await writer.finish({ endsConversation: false })).toEqual([]);
  });

  it('stops at a refused append and says so to whoever writes next', async () => {
    const refusal = new Error('stale owner');
    const writer = createWriter(() => Promise.reject(refusal));
    await writer.write('a');
    await nextTick();
    await expect(writer.write('b')).rejects.toBe(refusal);
    await expect(writer.finish({ endsConversation: false })).rejects.toBe(refusal);
  });

  it('that breaks off sends nothing more', async () => {
    const log = createHeldLog();
    const writer = createWriter(log.append);
    await writer.write('a');
    await nextTick();
    await writer.write('b');
    const abandoned = writer.abandon();
    log.waiting.shift()?.();
    await abandoned;
    expect(texts(log.stored)).toEqual(['a']);
    expect(writer.hasStarted).toBe(true);
  });
});

describe('a whole answer', () => {
  it('is one message with everything in it', async () => {
    const writer = createWriter(() => Promise.reject(new Error('nothing is sent before the end')), false);
    await writer.write('Hello ');
    await nextTick();
    writer.suggest([
      { message_text: 'Yes', payload: null },
      { message_text: 'No', payload: 'n' },
    ]);
    writer.offerCall({ title: 'Call us', contact_number: '+44 1234' });
    writer.attach({
      content_type: 'ATTACHMENT_CONTENT_TYPE_URL',
      content_url: 'https://example.com',
      title: 'Timetable',
      preview_image_url: null,
      call_to_action_text: null,
    });
    await writer.write('there.');
    expect(await writer.finish({ endsConversation: true })).toEqual([
      {
        type: 'EVENT_TYPE_AGENT_MESSAGE',
        payload: {
          message_id: 'msg_1',
          text: 'Hello there.',
          attachments: [
            {
              content_type: 'ATTACHMENT_CONTENT_TYPE_URL',
              content_url: 'https://example.com',
              title: 'Timetable',
            },
          ],
          response_suggestions: [{ message_text: 'Yes' }, { message_text: 'No', payload: 'n' }],
          chat_call_actions: [{ title: 'Call us', contact_number: '+44 1234' }],
          agent_name: 'Ada',
          end_conversation: true,
        },
      },
    ]);
  });
});
