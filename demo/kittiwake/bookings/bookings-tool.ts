import { readFileSync } from 'node:fs';
import type { AgentTool, ToolAnswer } from '@natter/platform';
import * as v from 'valibot';
import { parse } from 'yaml';

const BOOKINGS = v.parse(
  v.record(
    v.string(),
    v.object({
      ...{ surname: v.string(), route: v.string(), departs: v.string() },
      ...{ day: v.string(), party: v.string(), status: v.string() },
    }),
  ),
  parse(readFileSync(new URL('./bookings.yaml', import.meta.url), 'utf8')),
);

const REFERENCE = /\b(kw(?=[a-z]*\d)[a-z\d]{4})\b/i;
const LINK = 'https://kittiwake.example/bookings';

const memorySchema = v.object({ reference: v.string() });

/** Looks a booking up. Nothing is said about one before its surname was given. */
export const bookingsTool: AgentTool = {
  name: 'bookings',
  description: 'Looks a booking up by its reference, such as KW7F2Q, and the surname it was made under.',
  input: {
    properties: {
      reference: { type: 'string', description: 'Six letters and digits.' },
      surname: { type: 'string', description: 'As given by the visitor.' },
    },
    required: ['reference'],
  },
  triggers: [
    {
      slots: { reference: REFERENCE },
      examples: [
        '{reference}',
        'my booking reference is {reference}',
        'check my booking {reference}',
        'what is the status of my booking {reference}',
        'can you find my reservation {reference} under the name',
        'when does my booking {reference} leave',
      ],
    },
  ],
  run(input, { text, remembered, isFollowUp }) {
    if (text === null) return lookUp(String(input['reference']), String(input['surname'] ?? ''));
    const last = v.safeParse(memorySchema, remembered);
    const named = REFERENCE.exec(text)?.[1];
    const reference = named ?? (last.success ? last.output.reference : undefined);
    if (reference === undefined) return null;
    const booking = BOOKINGS[reference.toUpperCase()];
    const isNamed = booking !== undefined && text.toLowerCase().includes(booking.surname.toLowerCase());
    if (isFollowUp && named === undefined && !isNamed) return null;
    return lookUp(reference, isNamed ? booking.surname : '');
  },
};

function lookUp(writtenReference: string, surname: string): ToolAnswer {
  const reference = writtenReference.toUpperCase();
  const booking = BOOKINGS[reference];
  const isKnown = booking !== undefined && booking.surname.toLowerCase() === surname.trim().toLowerCase();
  if (isKnown) {
    const { route, day, departs, party, status } = booking;
    return {
      text: `Booking **${reference}** is ${status}: ${route}, ${day} at ${departs}, ${party}. You can change it at ${LINK}`,
      data: { reference, route, day, departs, party, status, change_at: LINK },
      article: 'change-a-booking',
    };
  }
  // The same words whether the booking exists or not, so that a reference alone reveals nothing.
  const text = `To look up ${reference} I need the surname it was booked under. You can also see and change it at ${LINK}`;
  return { text, data: { reference, found: false, hint: text }, remember: { reference } };
}
