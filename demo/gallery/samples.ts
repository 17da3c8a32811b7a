import type { Attachment } from '../../src/client/index.ts';

/** A long answer with every construct in it. */
export const LONG_ANSWER = `## Refunds in short

You get your money back **in full** when we cancel, and *in part* when you do, depending on the fare. See [the conditions](https://example.com/conditions) or write to <mailto:refunds@example.com>.

### What you need

1. Your booking number, for example \`KF-48213\`
2. The card that you paid with
   - a receipt helps
   - vouchers go back to the account
3. A reason, if the sailing was missed

| Fare | Until 24 h before | After that |
|:-----|:-----------------:|-----------:|
| Saver | 50 % | – |
| Standard | 100 % | 50 % |
| Flexible | 100 % | 100 % |

Our API says the same:

\`\`\`json
{
  "booking": "KF-48213",
  "refund": { "amount": 64.00, "currency": "EUR", "to": "the card ending in 4242" }
}
\`\`\`

It takes **three to five** working days.
If it takes longer, tell me and I will look it up.`;

export const ARABIC_ANSWER = `تغادر العبارة التالية إلى سكارو الساعة **14:30** من الرصيف الشمالي.

- يُغلق تسجيل الوصول قبل 30 دقيقة
- رقم الحجز: \`KF-48213\`

راجع [جدول الرحلات](https://example.com/timetable).`;

/** The address of a picture that needs no network. */
export function picture(): string {
  return new URL('/picture.svg', location.href).href;
}

/** A picture in a message; without a title when it is null. */
export function image(contentUrl: string, title: string | null): Attachment {
  return { kind: 'image', contentUrl, title, previewImageUrl: null, callToActionText: null };
}

/** A link card. Without `more`, it has no preview picture and the standard label. */
export function card(contentUrl: string, title: string, more: Partial<Attachment> = {}): Attachment {
  return { kind: 'url', contentUrl, title, previewImageUrl: null, callToActionText: null, ...more };
}

export const LISTS_AND_QUOTES = `Before you leave
---

> **Foot passengers** board at gate 4.
>
> - Have your ticket at hand
> - ~~Gate 3~~ is closed
>
>> Cars wait in lane 2, see [the map][map].

Your list:

- [x] Book the crossing
- [x] Pay ~~€78~~ €64
- [ ] Check in online, which closes two hours before departure, so that there is time to change the car
  - [ ] with a passport
  - [x] with a booking number
- [ ] Be at the terminal

***

1. A loose item

2. Another one

       npm run ferry

![The terminal](https://example.com/terminal.png) or write to help@example.com.

[map]: https://example.com/map
`;
