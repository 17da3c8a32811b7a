import { describe, expect, it } from 'vitest';
import type { EventDraft } from '../conversation/event-draft.ts';
import { AnswerStream } from './answer-stream.ts';

/** A log whose commits complete on request. */
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
  agentAvatarUrl: string | null = null,
): AnswerStream {
  return new AnswerStream({
    messageId: 'msg_1',
    isStreaming,
    agentName: 'Ada',
    agentAvatarUrl,
    append,
  });
}

const texts = (drafts: readonly EventDraft[]): unknown[] => drafts.map(({ payload }) => payload['text']);
const indexes = (drafts: readonly EventDraft[]): unknown[] =>
  drafts.map(({ payload }) => payload['chunk_index']);

describe('a streamed answer', () => {
  it('sends an answer that is generated at once as one complete chunk', async () => {
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

  it("keeps the agent's pace while commits are faster", async () => {
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

  it('buffers text during a commit, and loses nothing', async () => {
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

  it('splits long texts, but no surrogate pairs', async () => {
    const stored: EventDraft[] = [];
    const writer = createWriter(async (drafts) => {
      stored.push(...drafts);
    });
    const text = `${'x'.repeat(16_383)}😀${'y'.repeat(40_000)}`;
    await writer.write(text);
    const all = [...stored, ...(await writer.finish({ endsConversation: false }))];
    expect(texts(all).join('')).toBe(text);
    expect(all.length).toBeGreaterThan(3);
    // Throws for a lone surrogate.
    for (const each of texts(all)) encodeURIComponent(String(each));
    expect(indexes(all)).toEqual(all.map((_, index) => index + 1));
  });

  it('puts an event between two pieces of text where the agent put it', async () => {
    const stored: EventDraft[] = [];
    const writer = createWriter(async (drafts) => {
      stored.push(...drafts);
    });
    await writer.write('Hello. ');
    await writer.insertEvents([{ type: 'EVENT_TYPE_LANGUAGE_CHANGED', payload: { language_code: 'fr' } }]);
    await writer.write('Bonjour.');
    stored.push(...(await writer.finish({ endsConversation: false })));
    expect(stored.map(({ type, payload }) => payload['text'] ?? type)).toEqual([
      'Hello. ',
      'EVENT_TYPE_LANGUAGE_CHANGED',
      'Bonjour.',
    ]);
  });

  it('pauses the agent only above 65,536 characters that are not yet stored', async () => {
    const log = createHeldLog();
    const writer = createWriter(log.append);
    const isPaused = (written: Promise<void>): Promise<boolean> =>
      Promise.race([written.then(() => false), nextTick().then(() => true)]);
    expect(await isPaused(writer.write('x'.repeat(65_536)))).toBe(false);
    await nextTick();
    // One chunk of it is in flight.
    expect(await isPaused(writer.write('y'.repeat(16_384)))).toBe(false);
    const held = writer.write('z');
    expect(await isPaused(held)).toBe(true);
    for (let release = log.waiting.shift(); release; release = log.waiting.shift()) {
      release();
      await nextTick();
    }
    await held;
    expect(texts(log.stored).join('')).toBe(`${'x'.repeat(65_536)}${'y'.repeat(16_384)}z`);
  });

  it('holds half a surrogate pair until the other half arrives, and sends no empty chunk', async () => {
    for (const character of ['\u{10000}', '\u{10ffff}']) {
      const stored: EventDraft[] = [];
      const writer = createWriter(async (drafts) => {
        stored.push(...drafts);
      });
      for (const piece of ['', 'a', character.slice(0, 1), character.slice(1), `b${character.slice(0, 1)}`]) {
        await writer.write(piece);
        await nextTick();
      }
      expect(texts(stored)).toEqual(['a', character, 'b']);
      await writer.write(character.slice(1));
      expect(texts(await writer.finish({ endsConversation: false }))).toEqual([character]);
    }
  });

  it('does not split a surrogate pair for an event between its halves', async () => {
    const stored: EventDraft[] = [];
    const writer = createWriter(async (drafts) => {
      stored.push(...drafts);
    });
    await writer.write('a\ud83d');
    await writer.insertEvents([{ type: 'EVENT_TYPE_LANGUAGE_CHANGED', payload: { text: 'the event' } }]);
    await writer.write('\ude00');
    stored.push(...(await writer.finish({ endsConversation: false })));
    expect(texts(stored)).toEqual(['a', 'the event', '\u{1f600}']);
  });

  it('sends characters next to the surrogate range at once', async () => {
    for (const character of ['\ud7ff', '\ue000']) {
      const stored: EventDraft[] = [];
      const writer = createWriter(async (drafts) => {
        stored.push(...drafts);
      });
      await writer.write(character);
      await nextTick();
      expect(texts(stored)).toEqual([character]);
    }
  });

  it('ends an answer with chunks of at most 16,384 characters, the last one marked complete', async () => {
    for (const [length, lengths] of [
      [16_384, [16_384]],
      [16_385, [16_384, 1]],
      [32_768, [16_384, 16_384]],
    ] as const) {
      const writer = createWriter(async () => {});
      // In one piece: nothing is sent before it ends.
      void writer.write('x'.repeat(length));
      const ending = await writer.finish({ endsConversation: false });
      expect(texts(ending).map((text) => String(text).length)).toEqual(lengths);
      expect(ending.map(({ payload }) => payload['is_complete'])).toEqual(
        lengths.map((_, n) => n === lengths.length - 1),
      );
    }
  });

  it('ends an answer once the append in flight is stored', async () => {
    const log = createHeldLog();
    const writer = createWriter(log.append);
    await writer.write('a');
    await nextTick();
    let hasEnded = false;
    const ending = writer.finish({ endsConversation: false }).finally(() => {
      hasEnded = true;
    });
    await nextTick();
    expect(hasEnded).toBe(false);
    log.waiting.shift()?.();
    expect(indexes(await ending)).toEqual([2]);
  });

  it('stores an event after the append in flight, one commit at a time', async () => {
    const log = createHeldLog();
    const writer = createWriter(log.append);
    await writer.write('a');
    await nextTick();
    await writer.write('b');
    const interjected = writer.insertEvents([
      { type: 'EVENT_TYPE_LANGUAGE_CHANGED', payload: { text: 'the event' } },
    ]);
    for (const expected of [['a'], ['a', 'b'], ['a', 'b', 'the event']]) {
      await nextTick();
      expect(log.waiting).toHaveLength(1);
      log.waiting.shift()?.();
      await nextTick();
      expect(texts(log.stored)).toEqual(expected);
    }
    await interjected;
  });

  it('sends attachments and other parts once, with the chunk that follows them', async () => {
    const stored: EventDraft[] = [];
    const writer = createWriter(async (drafts) => {
      stored.push(...drafts);
    });
    writer.suggest([{ message_text: 'Yes', payload: null }]);
    writer.attach({
      content_type: 'ATTACHMENT_CONTENT_TYPE_URL',
      content_url: 'https://example.com',
      title: null,
      preview_image_url: null,
      call_to_action_text: null,
    });
    await writer.write('a');
    await nextTick();
    await nextTick();
    stored.push(...(await writer.finish({ endsConversation: false })));
    const countsOf = (key: string): unknown[] =>
      stored.map(({ payload }) => (payload[key] as unknown[]).length);
    expect([countsOf('response_suggestions'), countsOf('attachments')]).toEqual([
      [1, 0],
      [1, 0],
    ]);
  });

  it('produces nothing for an empty answer', async () => {
    const writer = createWriter(async () => {});
    expect(await writer.finish({ endsConversation: false })).toEqual([]);
  });

  it('produces a message without text for attachments and other parts', async () => {
    const things: ((writer: AnswerStream) => void)[] = [
      (writer) => writer.suggest([{ message_text: 'Yes', payload: null }]),
      (writer) => writer.offerCall({ title: 'Call us', contact_number: '+44 1234' }),
      (writer) =>
        writer.attach({
          content_type: 'ATTACHMENT_CONTENT_TYPE_URL',
          content_url: 'https://example.com',
          title: null,
          preview_image_url: null,
          call_to_action_text: null,
        }),
    ];
    for (const first of things) {
      for (const second of things) {
        const writer = createWriter(async () => {});
        first(writer);
        second(writer);
        expect(await writer.finish({ endsConversation: false })).toHaveLength(1);
      }
    }
  });

  it('stores no event after a failed append', async () => {
    const refusal = new Error('stale owner');
    let appends = 0;
    const writer = createWriter(() => {
      appends += 1;
      return appends === 1 ? Promise.reject(refusal) : Promise.resolve();
    });
    await writer.write('a');
    await nextTick();
    await expect(
      writer.insertEvents([{ type: 'EVENT_TYPE_LANGUAGE_CHANGED', payload: { language_code: 'fr' } }]),
    ).rejects.toBe(refusal);
    expect(appends).toBe(1);
  });

  it('stops after a failed append, and rejects the next write', async () => {
    const refusal = new Error('stale owner');
    const writer = createWriter(() => Promise.reject(refusal));
    await writer.write('a');
    await nextTick();
    await expect(writer.write('b')).rejects.toBe(refusal);
    await expect(writer.finish({ endsConversation: false })).rejects.toBe(refusal);
  });

  it('sends nothing more of an aborted answer', async () => {
    const log = createHeldLog();
    const writer = createWriter(log.append);
    await writer.write('a');
    await nextTick();
    await writer.write('b');
    let isOver = false;
    const abandoned = writer.abort().finally(() => {
      isOver = true;
    });
    await nextTick();
    expect(isOver).toBe(false);
    log.waiting.shift()?.();
    await abandoned;
    await nextTick();
    expect(log.waiting).toHaveLength(0);
    expect(texts(log.stored)).toEqual(['a']);
    expect(writer.hasStarted).toBe(true);
  });
});

describe('a whole answer', () => {
  it('sends a whole answer of any length as one message', async () => {
    const writer = createWriter(() => Promise.reject(new Error('nothing is sent before the end')), false);
    const text = 'word '.repeat(10_000);
    await writer.write(text);
    expect(texts(await writer.finish({ endsConversation: false }))).toEqual([text]);
  });

  it('includes the agent’s picture if it has one (7.5)', async () => {
    const url = 'https://example.com/ada.png';
    const writer = createWriter(async () => {}, false, url);
    await writer.write('Hello.');
    const [message] = await writer.finish({ endsConversation: false });
    expect(message?.payload).toMatchObject({ agent_name: 'Ada', avatar_url: url });
  });

  it('sends a whole answer with all its parts as one message', async () => {
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
