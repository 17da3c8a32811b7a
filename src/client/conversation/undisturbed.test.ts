import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  decodeServerFrame,
  encodeBatches,
  encodeServerEvent,
  type OutgoingEvent,
} from '../../protocol/index.ts';
import {
  type Command,
  type Conversation,
  type ConversationAction,
  NEW_CONVERSATION,
} from './conversation-state.ts';
import { selectLanguage } from './transcript/select-language.ts';
import { conversationDeadlineMs, reduceConversation } from './transition.ts';

const DROPPED: ConversationAction = {
  type: 'connection',
  connection: { status: 'connecting', offline: false },
};

/** A conversation in its pure core, with a monotonic clock. */
class Model {
  conversation: Conversation = NEW_CONVERSATION;
  commands: Command[] = [];
  nowMs = 0;

  input(input: ConversationAction): void {
    const step = reduceConversation(this.conversation, input, this.nowMs);
    this.conversation = step.conversation;
    this.commands.push(...step.commands);
  }

  text(text: string): void {
    this.input({ type: 'frame', frame: decodeServerFrame(text) });
  }

  live(event: OutgoingEvent): void {
    this.text(encodeServerEvent(event, 'neutral'));
  }

  /** Opens a socket and reads the history from the cursor, or from the start for a server that ignores it. */
  connect(log: readonly OutgoingEvent[], readsCursor: boolean, maxEvents: number): void {
    const from = readsCursor ? this.conversation.transcript.cursor : 0;
    this.input({ type: 'connection', connection: { status: 'open' } });
    const events = log.filter(({ sequence }) => sequence === 1 || (sequence ?? 0) > from);
    const options = {
      vocabulary: 'neutral',
      maxBytes: 100_000,
      nowMs: 0,
      createId: () => 'b',
      lastSequence: log.length,
    } as const;
    for (const frame of encodeBatches(events, { ...options, maxEvents })) this.text(frame);
  }

  /** Lets every deadline pass. */
  rest(): void {
    for (
      let due = conversationDeadlineMs(this.conversation, this.nowMs);
      due !== null && due < this.nowMs + 60_000;
    ) {
      this.nowMs = Math.max(due, this.nowMs + 1);
      this.input({ type: 'tick' });
      due = conversationDeadlineMs(this.conversation, this.nowMs);
    }
  }

  /** The final view. */
  picture(): unknown {
    const { transcript, outcome, outbox } = this.conversation;
    return {
      entries: transcript.entries.map(({ item, suggestions }) => ({ ...item, suggestions })),
      cursor: transcript.cursor,
      presence: transcript.presence,
      language: selectLanguage(transcript),
      ended: outcome,
      drafts: outbox.map(({ localId, delivery }) => [localId, delivery.status]),
    };
  }
}

type Line =
  | { kind: 'whole' | 'user' | 'notice' | 'live'; text: string }
  | { kind: 'stream'; parts: string[] }
  | { kind: 'language'; text: string };

const text = fc.string({ minLength: 1, maxLength: 6 });
const line: fc.Arbitrary<Line> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('whole' as const, 'user' as const, 'notice' as const, 'live' as const),
    text,
  }),
  fc.record({ kind: fc.constant('stream' as const), parts: fc.array(text, { minLength: 1, maxLength: 5 }) }),
  fc.record({ kind: fc.constant('language' as const), text: fc.constantFrom('en', 'de', 'fr') }),
);

function toLog(lines: readonly Line[], endsWith: boolean): OutgoingEvent[] {
  const log: OutgoingEvent[] = [];
  const add = (type: OutgoingEvent['type'], payload: Record<string, unknown>): void => {
    const sequence = log.length + 1;
    log.push({ id: `e${sequence}`, sequence, timestampMs: 1_000 * sequence, type, payload, custom: null });
  };
  add('EVENT_TYPE_SESSION_START', { capabilities: {} });
  add('EVENT_TYPE_AGENT_JOINED', { agent_name: 'Ada' });
  for (const [index, entry] of lines.entries()) {
    const message_id = `m${index}`;
    switch (entry.kind) {
      case 'whole':
        add('EVENT_TYPE_AGENT_MESSAGE', { message_id, text: entry.text });
        break;
      case 'live':
        add('EVENT_TYPE_LIVE_AGENT_JOINED', { agent: { id: `op${index}`, name: entry.text } });
        add('EVENT_TYPE_LIVE_AGENT_MESSAGE', { message_id, text: entry.text, agent_id: `op${index}` });
        break;
      case 'user':
        add('EVENT_TYPE_USER_MESSAGE', { message_id, text: entry.text });
        break;
      case 'notice':
        add('EVENT_TYPE_SYSTEM_MESSAGE', { level: 'SYSTEM_MESSAGE_LEVEL_INFO', message: entry.text });
        break;
      case 'language':
        add('EVENT_TYPE_LANGUAGE_CHANGED', { language_code: entry.text });
        break;
      case 'stream':
        for (const [part, piece] of entry.parts.entries()) {
          add('EVENT_TYPE_AGENT_MESSAGE_CHUNK', {
            message_id,
            text: piece,
            chunk_index: part + 1,
            is_complete: part === entry.parts.length - 1,
          });
        }
    }
  }
  if (endsWith) add('EVENT_TYPE_SESSION_END', { reason: 'REASON_NATURAL_END' });
  return log;
}

function undisturbed(log: readonly OutgoingEvent[]): unknown {
  const model = new Model();
  model.connect(log.slice(0, 1), true, 200);
  for (const event of log.slice(1)) model.live(event);
  model.rest();
  return model.picture();
}

const story = fc.record({ lines: fc.array(line, { maxLength: 10 }), hasEnd: fc.boolean() });

const SAME_WORDS = {
  type: 'EVENT_TYPE_USER_MESSAGE',
  payload: { text: 'same words' },
  custom: null,
} as const;

describe('however the link behaves, the transcript is that of an undisturbed run', () => {
  it('ends in the same transcript when frames are lost, repeated, and replayed in batches of any size', () => {
    const stretch = fc.record({
      /** How many further events happen while this socket is open, and how many of those arrive. */
      happens: fc.nat(8),
      arrives: fc.nat(8),
      repeats: fc.array(fc.nat(30), { maxLength: 4 }),
      readsCursor: fc.boolean(),
      maxEvents: fc.integer({ min: 1, max: 5 }),
    });
    fc.assert(
      fc.property(story, fc.array(stretch, { maxLength: 6 }), ({ lines, hasEnd }, stretches) => {
        const log = toLog(lines, hasEnd);
        const model = new Model();
        let happened = 1;
        for (const { happens, arrives, repeats, readsCursor, maxEvents } of stretches) {
          model.connect(log.slice(0, happened), readsCursor, maxEvents);
          const next = log.slice(happened, happened + happens);
          happened += next.length;
          for (const [index, event] of next.slice(0, arrives).entries()) {
            model.live(event);
            const again = log[(repeats[index % 4] ?? 0) % (happened - next.length + index + 1)];
            if (again) model.live(again);
          }
          model.input(DROPPED);
        }
        model.connect(log.slice(0, happened), true, 3);
        for (const event of log.slice(happened)) model.live(event);
        model.rest();
        expect(model.picture()).toEqual(undisturbed(log));
      }),
      { numRuns: 300 },
    );
  });

  it('ends in the same transcript when live frames arrive in any order, any number of times', () => {
    fc.assert(
      fc.property(
        story.chain(({ lines, hasEnd }) => {
          const log = toLog(lines, hasEnd);
          const rest = log.slice(1);
          const twice = [...rest, ...rest.slice(0, 6)];
          return fc.record({
            log: fc.constant(log),
            order: fc.shuffledSubarray(twice, { minLength: twice.length, maxLength: twice.length }),
          });
        }),
        ({ log, order }) => {
          const model = new Model();
          model.connect(log.slice(0, 1), true, 200);
          for (const event of order) model.live(event);
          model.rest();
          expect(model.picture()).toEqual(undisturbed(log));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('ends in the same transcript after a cold replay', () => {
    fc.assert(
      fc.property(story, fc.integer({ min: 1, max: 7 }), ({ lines, hasEnd }, maxEvents) => {
        const log = toLog(lines, hasEnd);
        const model = new Model();
        model.connect(log, true, maxEvents);
        model.rest();
        expect(model.picture()).toEqual(undisturbed(log));
      }),
    );
  });
});

describe('the outbox against a platform that recognises repeats', () => {
  type Move = 'write' | 'drop' | 'lose' | 'wait';

  it('delivers every message exactly once, however many frames are dropped', () => {
    const moves = fc.array(fc.constantFrom<Move>('write', 'drop', 'lose', 'wait'), { maxLength: 25 });
    fc.assert(
      fc.property(moves, (steps) => {
        const log = toLog([], false);
        const stored = new Map<string, OutgoingEvent>();
        const model = new Model();
        let written = 0;
        let taken = 0;
        let isUp = false;

        /** The platform reads the sent frames; with `isLost` its echoes, or the frames, are lost. */
        const exchange = (isLost: 'frames' | 'echoes' | null): void => {
          while (taken < model.commands.length) {
            const command = model.commands[taken++];
            if (command?.type !== 'EVENT_TYPE_USER_MESSAGE' || isLost === 'frames') continue;
            const { payload, custom } = command;
            const name = custom?.['local_id'] ?? '';
            const sequence = log.length + 1;
            const known = stored.get(name);
            const echo: OutgoingEvent = known ?? {
              id: `e${sequence}`,
              sequence,
              timestampMs: 0,
              type: 'EVENT_TYPE_USER_MESSAGE',
              payload: { ...payload, message_id: `u${sequence}` },
              custom,
            };
            if (!known) {
              stored.set(name, echo);
              log.push(echo);
            }
            if (isLost === null) model.live(echo);
          }
        };
        const connect = (): void => {
          model.connect(log, true, 4);
          isUp = true;
        };
        connect();
        for (const move of steps) {
          if (!isUp) connect();
          if (move === 'write') {
            written += 1;
            model.input({ type: 'written', localId: `d${written}`, event: SAME_WORDS });
            exchange(null);
          } else if (move === 'wait') {
            model.nowMs += 1_000;
            model.input({ type: 'tick' });
            exchange(null);
          } else {
            written += 1;
            model.input({ type: 'written', localId: `d${written}`, event: SAME_WORDS });
            exchange(move === 'lose' ? 'echoes' : 'frames');
            model.input(DROPPED);
            isUp = false;
          }
        }
        if (!isUp) connect();
        exchange(null);
        const { transcript, outbox } = model.conversation;
        const shown = transcript.entries.filter(({ item }) => item.kind === 'user');
        expect(stored.size).toBe(written);
        expect(shown).toHaveLength(written);
        expect(outbox.every(({ delivery }) => delivery.status === 'sent')).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
