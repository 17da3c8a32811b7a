import type { ConversationTurn } from '@natter/sdk';
import { expect, it } from 'vitest';
import type { Line } from '../desk/read-transcript.ts';
import { mergeStory, type StoryItem } from './merge-story.ts';

const at = (second: number): string => new Date(second * 1_000).toISOString();
const turnOf = (user_input: string, user_input_datetime: string): ConversationTurn => ({
  ...{ user_input, user_input_datetime, agent_response: '', intents: [], entities: {} },
  ...{ is_ood: false, is_silence: false, barge_in: false },
  ...({} as ConversationTurn),
});
const lineOf = (text: string, second: number): Line => ({
  ...{ key: text, author: 'person', name: 'Grace', text, attachments: [] },
  at: at(second),
});
const read = (items: readonly StoryItem[]): readonly string[] =>
  items.map((item) =>
    item.kind === 'turn' ? item.turn.user_input : item.kind === 'line' ? item.line.text : item.note.text,
  );

const TURNS = [turnOf('', ''), turnOf('a person', at(10)), turnOf('back again', at(50))];
const LINES = [lineOf('Hello', 20), lineOf('Goodbye', 40), lineOf('over', 60)];
const NOTES = [{ id: 'n', person_name: 'Grace', text: 'kind', created_at: at(30) }];

it('puts what people said between the turns, and their notes where they were written', () => {
  const story = mergeStory(TURNS, LINES, NOTES, false);
  expect(read(story)).toEqual(['', 'a person', 'Hello', 'kind', 'Goodbye', 'back again', 'over']);
  expect(story.flatMap((item) => (item.kind === 'turn' ? [item.number] : []))).toEqual([1, 2, 3]);
});

it('shows nothing that follows turns which have not been loaded yet', () => {
  expect(read(mergeStory(TURNS.slice(0, 2), LINES, NOTES, true))).toEqual(['', 'a person']);
});
