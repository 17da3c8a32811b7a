import { expect, it } from 'vitest';
import type { DeskRequest } from './desk-types.ts';
import { type Draft, hasContent, keepDrafts, NO_DRAFT } from './drafts.ts';

const FILE = new File(['a'], 'plan.txt');
const DRAFT: Draft = { reply: 'It is', note: 'asks twice', files: [FILE], kind: 'note' };
const NOTE_ONLY: Draft = { ...NO_DRAFT, note: 'asks twice' };

const requestOf = (id: string, fields: Partial<DeskRequest>): DeskRequest => ({
  ...{ id, status: 'accepted', conversation_id: 'c', queue_id: 'q', queue_name: 'Service desk' },
  ...{ person_id: 'grace', person_name: 'Grace', reason: '', language: null, unread: 0 },
  ...{ visitor: 'here', visitor_since: null, seen_message_id: null, left_at: null, tags: [] },
  ...{ requested_at: '2026-07-13T08:00:00Z', offer_expires_at: null, accepted_at: null, ended_at: null },
  ...{ position: null, estimated_wait_seconds: null },
  ...fields,
});
const keep = (requests: readonly DeskRequest[], recent: readonly DeskRequest[], shownId: string | null) =>
  keepDrafts({ r1: DRAFT }, { requests, recent }, { personId: 'grace', shownId })['r1'];

it('keeps the reply and the note of a conversation of the person’s, shown or not', () => {
  expect(keep([requestOf('r1', {})], [], null)).toEqual(DRAFT);
  expect(keep([requestOf('r1', {})], [], 'r2')).toEqual(DRAFT);
});

it('discards the draft reply when the conversation has ended or another person has it, and keeps the note', () => {
  expect(keep([], [requestOf('r1', { status: 'ended' })], 'r1')).toEqual(NOTE_ONLY);
  expect(keep([requestOf('r1', { person_id: 'sue' })], [], null)).toEqual(NOTE_ONLY);
  expect(keep([requestOf('r1', { status: 'waiting', person_id: null })], [], null)).toEqual(NOTE_ONLY);
});

it('forgets both when the conversation has left the desk and is not shown', () => {
  expect(keep([requestOf('r2', {})], [], null)).toBeUndefined();
  expect(keep([], [], 'r1')).toEqual(NOTE_ONLY);
});

it('of files alone is one that the person would miss', () => {
  expect(hasContent({ ...NO_DRAFT, files: [FILE] })).toBe(true);
  expect(hasContent({ ...NO_DRAFT, reply: ' ' })).toBe(false);
});
