import { readFileSync } from 'node:fs';
import type { AgentTool, ToolAnswer, ToolCallContext } from '@natter/platform';
import * as v from 'valibot';
import { parse } from 'yaml';
import { type Party, readParty } from './read-party.ts';

/** Pence by destination and kind. */
export const FARES = v.parse(
  v.record(v.string(), v.record(v.string(), v.number())),
  parse(readFileSync(new URL('./fares.yaml', import.meta.url), 'utf8')),
);

const NAMES: Readonly<Record<string, readonly [one: string, many: string]>> = {
  adult: ['adult', 'adults'],
  child: ['child aged 5 to 15', 'children aged 5 to 15'],
  infant: ['child under 5', 'children under 5'],
  student: ['student', 'students'],
  senior: ['senior', 'seniors'],
  car: ['car up to 5 m', 'cars up to 5 m'],
  motorcycle: ['motorcycle', 'motorcycles'],
  bicycle: ['bicycle', 'bicycles'],
  pet: ['pet', 'pets'],
};

// Reductions and special tickets: this tool has no price for them, the articles do.
const OTHER_FARE =
  /\b(?:resident\w*|islanders?|schools?|class|pupils?|cabins?|lounge|rooms?|berths?|parking|park|meals?|kennels?|vouchers?|rover|pass|ten|flex|bus|taxi|charter|cruise|discounts?|cheaper|refund\w*|change|cancel\w*)\b/;
const RETURN = /\b(?:return|round ?trip|both ways|there and back|and back)\b/;
const ADDS = /\b(?:with|plus|also|too|as well|add)\b/;
const MOST_OF_A_KIND = 9;

const memorySchema = v.object({
  to: v.string(),
  party: v.record(v.string(), v.number()),
  isReturn: v.boolean(),
});

/** The total fare of several persons and vehicles. */
export const faresTool: AgentTool = {
  name: 'fares',
  description:
    'Adds up the fares of passengers, bicycles, pets, cars and motorcycles. Residents, groups, vans and trailers are in the articles.',
  input: {
    properties: {
      to: { type: 'string', description: 'The other end of the route.', enum: Object.keys(FARES) },
      is_return: { type: 'boolean', description: 'True for there and back.' },
      ...Object.fromEntries(
        Object.entries(NAMES).map(([kind, [, many]]) => [
          kind,
          { type: 'integer' as const, description: `Number of ${many}.` },
        ]),
      ),
    },
    required: ['to'],
  },
  triggers: [
    {
      slots: { to: Object.fromEntries(Object.keys(FARES).map((place) => [place, []])) },
      examples: [
        'how much for two adults and a car to {to}',
        'what is the fare for 2 adults and 1 child to {to}',
        'price for 2 adults to {to}',
        'what do three grown-ups pay to {to}',
        'what does it cost for 2 adults and 2 kids to {to} return',
        'cost of a return ticket to {to} for four people with a dog',
        'how much is it for a family with a car to {to}',
        'we are two adults with a toddler and bikes, what do we pay to {to}',
        'total price to {to} for me and my 7 year old',
        'what does an adult pay to {to}',
        'me and my wife and our bikes to {to}, total price',
        'how much for 2 adults, 2 kids aged 3 and 7, a dog and a caravan to {to}',
        '2 adults, one teenager and a motorhome to {to} and back, what would that be altogether',
        'price for a family of 4 with a car to {to}',
      ],
    },
  ],
  run: (input, context) =>
    context.text === null ? fromModel(input) : fromWords(context.text, input, context),
};

const inputSchema = v.looseObject({
  to: v.picklist(Object.keys(FARES)),
  is_return: v.optional(v.boolean(), false),
});

function fromModel(input: Readonly<Record<string, unknown>>): ToolAnswer | null {
  const read = v.safeParse(inputSchema, input);
  if (!read.success) return null;
  const party = Object.fromEntries(
    Object.keys(NAMES).flatMap((kind) => {
      const count = Number(input[kind] ?? 0);
      return Number.isInteger(count) && count > 0 ? [[kind, count] as const] : [];
    }),
  );
  return addUp(read.output.to, party, [], read.output.is_return);
}

function fromWords(
  text: string,
  { to }: Readonly<Record<string, unknown>>,
  { remembered, isFollowUp }: ToolCallContext,
): ToolAnswer | null {
  const words = text.toLowerCase();
  if (OTHER_FARE.test(words)) return null;
  const parsed = v.safeParse(memorySchema, remembered);
  const last = parsed.success ? parsed.output : null;
  const said = readParty(words);
  const place = Object.keys(FARES).find((each) => words.includes(each.toLowerCase()));
  const destination = place ?? (typeof to === 'string' ? to : last?.to);
  const isReturn = RETURN.test(words) || (isFollowUp && last?.isReturn === true && !/\bsingle\b/.test(words));
  const isSaid = Object.keys(said.party).length > 0 || said.unpriced.length > 0;
  if (isFollowUp && !isSaid && place === undefined && !RETURN.test(words)) return null;
  if (destination === undefined) return null;
  const kept = isFollowUp && (ADDS.test(words) || !isSaid) ? (last?.party ?? {}) : {};
  return addUp(destination, { ...kept, ...said.party }, said.unpriced, isReturn);
}

const pounds = (pence: number): string => `£${(pence / 100).toFixed(2)}`;
const list = new Intl.ListFormat('en-GB');

/** The total if every item has a fare; otherwise the known fares and a list of the items without one. */
function addUp(to: string, party: Party, unpriced: readonly string[], isReturn: boolean): ToolAnswer | null {
  const fares = FARES[to] ?? {};
  const named = Object.entries(party);
  if (named.length === 0 || named.some(([, count]) => count > MOST_OF_A_KIND)) return null;
  const singles = named.flatMap(([kind, count]) => {
    const single = fares[kind];
    return single === undefined ? [] : [{ kind, count, fare: isReturn ? Math.round(single * 1.8) : single }];
  });
  const without = named
    .filter(([kind]) => fares[kind] === undefined)
    .map(([kind]) => `a ${NAMES[kind]?.[0]}`);
  const nameOf = (kind: string, count: number): string => `${count} ${NAMES[kind]?.[count === 1 ? 0 : 1]}`;
  const ticket = isReturn ? 'return' : 'single';
  const left = [...unpriced, ...without];
  const remember = { to, party, isReturn };
  const article = party['car'] === undefined ? 'passenger-fares' : 'car-fares';
  const data = { to, ticket, fares: singles, left_out: left };
  if (left.length > 0) {
    if (singles.length === 0) return null;
    const lines = singles.map(
      ({ kind, count, fare }) => `- ${nameOf(kind, count)}: ${count} × ${pounds(fare)}`,
    );
    const text = `I know these ${ticket} fares to ${to}:\n\n${lines.join('\n')}\n\nNot included: ${list.format(left)}. I don't give a total without ${left.length === 1 ? 'it' : 'them'}.`;
    return { text, data, article, remember };
  }
  const total = singles.reduce((sum, { count, fare }) => sum + count * fare, 0);
  const who = list.format(singles.map(({ kind, count }) => nameOf(kind, count)));
  const sum = singles.map(({ count, fare }) => `${count} × ${pounds(fare)}`).join(' + ');
  const text = `For ${who} to ${to} the ${ticket} fare is **${pounds(total)}** (${sum}).`;
  return { text, data: { ...data, total: pounds(total) }, article, remember };
}
