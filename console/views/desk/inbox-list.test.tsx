import { render } from 'preact';
import { afterEach, expect, it } from 'vitest';
import { inbox } from './desk-model.ts';
import type { DeskRequest, Inbox } from './desk-types.ts';
import { InboxList } from './inbox-list.tsx';

afterEach(() => {
  render(null, document.body);
  inbox.value = null;
});

const REQUEST = {
  id: 'r1',
  conversation_id: 'c1',
  queue_name: 'Service desk',
  status: 'waiting',
  person_id: null,
  person_name: null,
  language: 'de',
  requested_at: '2026-03-02T09:15:00.000Z',
  tags: [],
  unread: 0,
  visitor: null,
} as unknown as DeskRequest;

function show(...requests: readonly DeskRequest[]): void {
  const questions = { c1: 'Wo ist mein Gepäck?' };
  const shown = { requests, questions, recent: [], people: [], queues: [], contact_requests: [] };
  inbox.value = shown as unknown as Inbox;
  render(<InboxList shown={inbox.value} />, document.body);
}

it('describes each button that takes a conversation by its question, because they have the same name', () => {
  show(REQUEST, { ...REQUEST, id: 'r2', conversation_id: 'c2' });
  const buttons = [...document.querySelectorAll('.row > button:not(.open)')];
  expect(buttons.map(({ ariaDescription }) => ariaDescription)).toEqual([
    'Wo ist mein Gepäck?',
    'Service desk',
  ]);
});

it('has the time before the queue and the language in a row, which is cut at its end', () => {
  show(REQUEST);
  const [time, ...others] = (document.querySelector('.row small')?.textContent ?? '').trim().split(' · ');
  expect(time).toMatch(/\d:15/);
  expect(others).toEqual(['Service desk', 'German']);
});
