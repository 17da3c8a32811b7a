import { readFileSync } from 'node:fs';
import type { AgentTool, ToolAnswer } from '@natter/platform';
import * as v from 'valibot';
import { parse } from 'yaml';

const FREE = v.parse(
  v.record(v.string(), v.array(v.string())),
  parse(readFileSync(new URL('./free-appointments.yaml', import.meta.url), 'utf8')),
);

const DAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const DAY_MS = 86_400_000;
const SHOWN = 3;

/** Finds free appointments. */
const appointmentsTool: AgentTool = {
  name: 'free_appointments',
  description: 'Lists the next free appointments. It books nothing.',
  input: {
    properties: {
      kind: { type: 'string', enum: Object.keys(FREE), description: 'What the appointment is for.' },
      place: { type: 'string', enum: ['Linden Lane', 'Mill Road'], description: 'Leave out for both.' },
      date: { type: 'string', description: 'YYYY-MM-DD; leave out for the next ones.' },
    },
    required: ['kind'],
  },
  triggers: [
    {
      slots: {
        kind: { 'check-up': ['checkup', 'check up'], hygienist: ['cleaning'], emergency: ['urgent'] },
        place: { 'Linden Lane': ['linden'], 'Mill Road': ['mill'] },
      },
      examples: [
        'when is the next free {kind}',
        'next appointment for a {kind}',
        'do you have an appointment with the {kind} this week',
        'do you have a free {kind} on friday',
        'any free slots for a {kind} tomorrow',
        'is anything free for a {kind} on monday at {place}',
        'earliest {kind} appointment at {place}',
        'can i get a {kind} appointment tomorrow morning',
      ],
    },
  ],
  run({ kind, place, date }, { text, timeZone, nowMs }) {
    const now = new Date(nowMs).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T');
    const day = text === null ? (typeof date === 'string' ? date : null) : dayIn(text, now);
    return list(String(kind), typeof place === 'string' ? place : null, day, now);
  },
};

/** The date that a message names; null when it names none. */
function dayIn(text: string, now: string): string | null {
  const today = Date.parse(`${now.slice(0, 10)}T00:00:00Z`);
  const on = (days: number): string => new Date(today + days * DAY_MS).toISOString().slice(0, 10);
  if (/\btoday\b/i.test(text)) return on(0);
  if (/\btomorrow\b/i.test(text)) return on(1);
  const named = DAYS.findIndex((name) => text.toLowerCase().includes(name));
  return named === -1 ? null : on((named - new Date(today).getUTCDay() + 7) % 7);
}

function list(kind: string, place: string | null, day: string | null, now: string): ToolAnswer | null {
  const all = FREE[kind];
  if (all === undefined) return null;
  const free = all.filter(
    (each) => each.slice(0, 16) > now.slice(0, 16) && (place === null || each.endsWith(place)),
  );
  const wanted = day === null ? free : free.filter((each) => each.startsWith(day));
  const shown = (wanted.length > 0 ? wanted : free).slice(0, SHOWN);
  const article = 'book-appointment';
  if (shown.length === 0)
    return {
      text: `No ${kind} is free at the moment. Please call 01632 960400.`,
      data: { free: [] },
      article,
    };
  const lines = shown.map((each) => `- ${nameOf(each, now)}`);
  const opening = wanted.length > 0 ? `Free for a ${kind}:` : `Nothing is free for a ${kind} then. The next:`;
  return {
    text: `${opening}\n\n${lines.join('\n')}\n\nBook at lindendental.example/book or on 01632 960400.`,
    data: { free: shown },
    article,
  };
}

/** "Wednesday 15 July at 10:30, Mill Road" */
function nameOf(slot: string, now: string): string {
  const date = Date.parse(`${slot.slice(0, 10)}T00:00:00Z`);
  const isTomorrow = date - Date.parse(`${now.slice(0, 10)}T00:00:00Z`) === DAY_MS;
  const day = new Date(date).toLocaleDateString('en-GB', {
    ...{ weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' },
  });
  return `${day}${isTomorrow ? ' (tomorrow)' : ''} at ${slot.slice(11, 16)}, ${slot.slice(17)}`;
}

/** The tools of the practice's agent: the module that its setting `tools` names. */
export const tools: readonly AgentTool[] = [appointmentsTool];
