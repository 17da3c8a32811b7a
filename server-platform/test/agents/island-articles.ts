import type { Article } from '../../src/agents/articles/passages/article.ts';
import { parseArticle } from '../../src/agents/articles/passages/parse-article.ts';

const SOURCES: Readonly<Record<string, string>> = {
  'pets-on-board': `---
title: Travelling with pets
category: On board
keywords: [dog, cat, puppy, animal, kennel]
questions: [Can I bring my dog?, Where do pets stay during the crossing?]
suggestions: [How much is a pet?, Do you have pet-friendly cabins?]
---
Dogs and cats are welcome on every crossing. Keep them on a lead on the outer decks.

## Pet cabins
Six cabins on the *Tern* take pets. Book them by [phone](contact-us.md).

## Assistance dogs
Assistance dogs travel free and may go everywhere.
`,
  'vehicle-fares': `---
title: What a vehicle costs
category: Fares
keywords: [car, motorhome, caravan, trailer, van, price]
questions: [How much is a car?, What does it cost to take a vehicle?]
suggestions: [How do I change my booking?]
---
A car up to 5 m costs £42 each way, driver included.

## Motorhomes and caravans
A motorhome costs £68 up to 7 m, and £9 for every further metre.

## Motorbikes
A motorbike costs £18.
`,
  'cancel-a-booking': `---
title: Cancelling a booking
category: Bookings
keywords: [refund, money back, cancellation]
questions: [How do I cancel my booking?, Do I get a refund when I cancel?]
suggestions: [How do I change my booking?]
---
Cancel in *My bookings*; up to 48 hours before departure you get everything back.
`,
  'check-in-times': `---
title: When to check in
category: Departure
keywords: [check-in, arrive, how early, latest]
questions: [When does check-in close?, How early do I have to be there?]
suggestions: [What do I need at check-in?]
---
Check-in closes 45 minutes before departure with a vehicle, and 20 minutes before on foot.
`,
  'contact-us': `---
title: How to reach us
category: Help
keywords: [phone, call, email, opening hours]
questions: [What is your phone number?]
suggestions: [Where is your office?]
---
Call us on 01632 960 210, every day from 8 to 20.
`,
};

/** A small knowledge base for tests of single rules; the evaluation uses the real one. */
export const ISLAND_ARTICLES: readonly Article[] = Object.entries(SOURCES).map(([slug, source]) => {
  const parsed = parseArticle(slug, source);
  if (parsed.kind === 'invalid') throw new Error(`${slug}: ${parsed.problem}`);
  return parsed.article;
});
