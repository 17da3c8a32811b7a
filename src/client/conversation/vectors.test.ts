import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { decodeServerFrame, writeCursor } from '../../protocol/index.ts';
import {
  type Command,
  type Conversation,
  type ConversationAction,
  NEW_CONVERSATION,
} from './conversation-state.ts';
import { textOf } from './outbox/outbox-state.ts';
import { reduceConversation } from './transition.ts';

type Step =
  | { op: 'connect' | 'replay_quiet' | 'drop' | 'new_session' }
  | { op: 'frame'; frame: unknown }
  | { op: 'send'; local_id: string; text: string };
interface Case {
  name: string;
  steps: Step[];
  expect: Record<string, unknown>;
}

const file = new URL('../../../test/vectors/replay-dedupe.json', import.meta.url);
const { cases }: { cases: Case[] } = JSON.parse(readFileSync(file, 'utf8'));

const fresh = (nowMs: number): Conversation => ({ ...NEW_CONVERSATION, lastActivityMs: nowMs });

function play(steps: Step[]): Record<string, unknown> {
  let nowMs = 1_000_000;
  let conversation = fresh(nowMs);
  let commands: Command[] = [];
  let applied: string[] = [];
  let ignored: string[] = [];
  const connectCursors: (string | null)[] = [];

  const input = (next: ConversationAction): string[] => {
    const step = reduceConversation(conversation, next, nowMs);
    conversation = step.conversation;
    commands.push(...step.commands);
    ignored.push(...step.ignored);
    return [...step.ignored];
  };
  for (const step of steps) {
    switch (step.op) {
      case 'connect':
        connectCursors.push(writeCursor(conversation.transcript.cursor));
        input({ type: 'connection', connection: { status: 'open' } });
        break;
      case 'drop':
        input({ type: 'connection', connection: { status: 'connecting', offline: false } });
        break;
      case 'replay_quiet':
        nowMs += 250;
        input({ type: 'tick' });
        break;
      case 'new_session':
        conversation = fresh(nowMs);
        commands = [];
        applied = [];
        ignored = [];
        break;
      case 'send':
        input({
          type: 'written',
          localId: step.local_id,
          event: { type: 'EVENT_TYPE_USER_MESSAGE', payload: { text: step.text }, custom: null },
        });
        break;
      case 'frame': {
        const frame = decodeServerFrame(JSON.stringify(step.frame));
        const left = input({ type: 'frame', frame });
        if (frame.kind === 'drop') break;
        for (const { id } of frame.events) {
          const at = left.indexOf(id);
          if (at < 0) applied.push(id);
          else left.splice(at, 1);
        }
      }
    }
  }
  const authors = { agent: 'agent', live_agent: 'live' } as const;
  const { transcript, outbox, outcome } = conversation;
  const shown = transcript.entries.flatMap(({ item }) => {
    if (item.kind === 'user') return [['user', item.text]];
    return item.kind === 'agent' ? [[authors[item.speaker.kind], item.text]] : [];
  });
  const waiting = outbox
    .filter(({ delivery }) => delivery.status !== 'sent')
    .map((draft) => ['user', textOf(draft)]);
  return {
    applied,
    ignored,
    cursor: transcript.cursor,
    joins_sent: commands.filter((command) => command.type === 'EVENT_TYPE_REQUEST_AGENT_JOIN').length,
    ended: outcome !== null,
    connect_cursors: connectCursors.map((cursor) => (cursor === null ? null : Number(cursor))),
    transcript: [...shown, ...waiting],
    drafts: Object.fromEntries(outbox.map(({ localId, delivery }) => [localId, delivery.status])),
  };
}

describe('replay, de-duplication, join and drafts', () => {
  it.each(cases)('reads the events of the vector "$name"', ({ steps, expect: expected }) => {
    expect(play(steps)).toEqual(expected);
  });
});

describe('the cursor parameter', () => {
  const cursorFile = new URL('../../../test/vectors/cursor.json', import.meta.url);
  const { write }: { write: { name: string; highest_sequence: number; expect_parameter: string | null }[] } =
    JSON.parse(readFileSync(cursorFile, 'utf8'));

  it.each(write)('writes the event of the vector "$name"', ({ highest_sequence, expect_parameter }) => {
    const frame = { type: 'EVENT_TYPE_UNKNOWN_ONE', id: 'x', sequence: highest_sequence, timestamp: 'now' };
    const input = { type: 'frame', frame: decodeServerFrame(JSON.stringify(frame)) } as const;
    const { conversation } = reduceConversation(fresh(0), input, 0);
    expect(writeCursor(conversation.transcript.cursor)).toBe(expect_parameter);
  });
});
