import { readFileSync } from 'node:fs';
import type { ToolCallContext } from '@natter/platform';
import { describe, expect, it } from 'vitest';
import { FARES, faresTool } from './fares-tool.ts';
import { readParty } from './read-party.ts';

const CONTEXT: ToolCallContext = {
  ...{ text: null, language: 'en', earlier: '', isFollowUp: false, remembered: null, entities: {}, page: {} },
  ...{ nowMs: 0, timeZone: 'UTC', signal: new AbortController().signal },
};

const ask = async (text: string): Promise<string | null> =>
  (await faresTool.run({}, { ...CONTEXT, text }))?.text ?? null;

describe('who travels', () => {
  it.each([
    ['2 adults and a car', { adult: 2, car: 1 }, []],
    ['2 adults, 2 kids (3 and 7) and a dog', { adult: 2, infant: 1, child: 1, pet: 1 }, []],
    ['two adults, a 10 year old and a baby', { adult: 2, child: 1, infant: 1 }, []],
    ['a 17 year old and a pensioner', { adult: 1, senior: 1 }, []],
    ['my wife and our bikes', { adult: 1, bicycle: 1 }, []],
    ['3 children aged 4, 6 and 16', { infant: 1, child: 1, adult: 1 }, []],
    ['for two of us', { adult: 2 }, []],
    ['2 adults with a caravan', { adult: 2 }, ['caravan']],
    ['a family of four with a car', { car: 1 }, ['family of four']],
  ])('reads the party in "%s"', (text, party, unpriced) => {
    expect(readParty(text)).toEqual({ party, unpriced });
  });
});

describe('a sum', () => {
  it.each([
    ['2 adults and a car to tarrow', '**£34.00**'],
    ['2 adults and 1 child to mewsay and back', '**£63.00**'],
    ['2 adults, 2 kids (3 and 7) and a dog to farholm', '**£115.00**'],
  ])('adds up the fares of "%s"', async (text, total) => {
    expect(await ask(text)).toContain(total);
  });

  it.each([
    ['2 adults and a caravan to mewsay', 'caravan'],
    ['a family of four with a car to tarrow', 'family of four'],
    ['two adults and a car to lunnet', 'a car up to 5 m'],
  ])('gives no total for "%s", but names the items without a fare', async (text, left) => {
    const answer = await ask(text);
    expect(answer).toContain(`Not included: ${left}`);
    expect(answer).not.toContain('**');
  });

  it.each(['2 residents to tarrow', 'a cabin for 2 adults to farholm', '40 children to mewsay'])(
    'of another kind of fare is left to the articles: %s',
    async (text) => {
      expect(await ask(text)).toBeNull();
    },
  );

  it('gives a model the total for a party in numbers', async () => {
    const answer = await faresTool.run({ to: 'Mewsay', adult: 2, car: 1, is_return: true }, CONTEXT);
    expect(answer?.data).toMatchObject({ total: '£118.80', left_out: [] });
  });
});

describe('the articles', () => {
  const read = (slug: string): string =>
    readFileSync(new URL(`../../../server-platform/knowledge/kittiwake/${slug}.md`, import.meta.url), 'utf8');
  const pounds = (pence: number): string => `£${(pence / 100).toFixed(2)}`;

  it.each(Object.entries(FARES))('the articles name the fares to %s', (_, fares) => {
    for (const [kind, slug] of [
      ['adult', 'passenger-fares'],
      ['child', 'passenger-fares'],
      ['student', 'students-and-seniors'],
      ['car', 'car-fares'],
      ['motorcycle', 'motorcycles'],
      ['bicycle', 'bicycles'],
    ] as const) {
      const fare = fares[kind];
      if (fare !== undefined && fare > 0) expect(read(slug), kind).toContain(pounds(fare));
    }
  });
});
