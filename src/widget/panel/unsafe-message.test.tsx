import { signal } from '@preact/signals-core';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ADDRESSES, ATTACKS } from '../../../test/widget/attacks.ts';
import { findUnsafe, PANEL } from '../../../test/widget/find-unsafe.ts';
import { type MountedPanel, mountWithMarkdown } from '../../../test/widget/mount-panel.ts';
import type { Attachment, CallAction, Speaker } from '../../client/index.ts';
import { renderInto } from '../dom/render-into.tsx';
import { strings as en } from '../locales/en.ts';
import { createLazyPart } from './model/lazy-part.ts';
import type { PanelModel } from './model/panel-model.ts';
import { Sources } from './transcript/attachments.tsx';

// Loads the lazy parts before the tests need them.
import '../../../test/widget/all-parts.ts';
import '../parts/lightbox/open-lightbox.tsx';
import '../parts/survey/index.ts';

const OWN = new URL('/demo/gallery/public/picture.svg', location.href).href;
const { host } = location;

const address = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...ADDRESSES) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      OWN,
      // Not the page's host, although the address contains it.
      `https://${host}.invalid/a.png`,
      `https://${host}@x.invalid/a.png`,
      `https://x.invalid\\@${host}/a.png`,
      `https://x.invalid/#@${host}/a.png`,
      `https://x.invalid?${host}/a.png`,
      `//${host}/a.png`,
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(
        fc.constantFrom('', ' ', '\t', '\n', '\0', '\u00a0', '\ufeff'),
        fc.constantFrom(
          'javascript',
          'java\tscript',
          'data',
          'vbscript',
          'blob',
          'https',
          'tel',
          'mailto',
          'x',
        ),
        fc.constantFrom(':', '\t:', '&colon;', '%3a', '://', ':\\\\'),
        fc.string({ unit: 'binary', maxLength: 30 }),
      )
      .map((parts) => parts.join('')),
  },
  {
    weight: 1,
    arbitrary: fc
      .webUrl({ validSchemes: ['http', 'https', 'ftp'] })
      .map((url) => url.replace(/^(\w+:\/\/[^/?#]+)/, '$1.invalid')),
  },
);
/** A browser needs about 100 ms to lay out one of these, so a mixture contains none. */
const LONG = 'x'.repeat(50_000);
const text = fc.oneof(
  fc.constantFrom(...[...ATTACKS, ...ADDRESSES].filter(({ length }) => length < 1_000)),
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('', '{name}', '\u0000\u001b[31m\u202e', '__proto__'),
);
const textOrNull = fc.option(text, { nil: null });

const attachment: fc.Arbitrary<Attachment> = fc.record({
  kind: fc.constantFrom('url' as const, 'image' as const),
  contentUrl: fc.option(address, { nil: null }),
  previewImageUrl: fc.option(address, { nil: null }),
  title: textOrNull,
  callToActionText: textOrNull,
});
const callAction: fc.Arbitrary<CallAction> = fc.record({
  title: text,
  phoneNumber: fc.oneof(text, address, fc.constant('+441632960180')),
});
const speaker: fc.Arbitrary<Speaker> = fc.record({
  kind: fc.constantFrom('agent' as const, 'live_agent' as const),
  id: textOrNull,
  name: textOrNull,
  avatarUrl: fc.option(address, { nil: null }),
});
const message = fc.record({
  speaker,
  text: fc.oneof(fc.constant(''), fc.constantFrom(...ATTACKS)),
  isStreaming: fc.boolean(),
  attachments: fc.array(attachment, { maxLength: 4 }),
  callActions: fc.array(callAction, { maxLength: 2 }),
});

/** A failure stays in the panel and in `faults`, so that a smaller example would fail as well. */
const UNSHRUNK = { endOnFailure: true };

let view: MountedPanel;
const faults: string[] = [];
const onError = ({ message: what }: ErrorEvent): number => faults.push(what);

const nextFrame = (): Promise<unknown> => new Promise((resolve) => requestAnimationFrame(resolve));

/** Waits until every message is on the page with its attachments. */
async function settle(): Promise<void> {
  const count = view.chat.messages.peek().filter((entry) => entry.peek().kind !== 'system').length;
  await expect.poll(() => view.all('.message').length).toBe(count);
  for (let turn = 0; turn < 2; turn += 1) await nextFrame();
}

/** Returns the addresses elsewhere that the page has fetched or tried to fetch. */
const fetchedElsewhere = (): readonly string[] =>
  performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((name) => new URL(name).host !== host);

beforeAll(() => {
  window.addEventListener('error', onError);
  performance.setResourceTimingBufferSize(10_000);
});
afterAll(() => window.removeEventListener('error', onError));
beforeEach(async () => {
  faults.length = 0;
  vi.spyOn(window, 'alert').mockImplementation(() => faults.push('alert'));
  view = await mountWithMarkdown({ endpoint: location.origin, avatarUrl: OWN });
  view.panel.open(true);
});
afterEach(() => {
  view.destroy();
  vi.restoreAllMocks();
});

const expectSafe = (): void => {
  expect(findUnsafe(view.root, PANEL, [host])).toEqual([]);
  expect(fetchedElsewhere()).toEqual([]);
  expect(faults).toEqual([]);
};

/** Loads the part with cards, so that later messages are rendered at once. */
async function loadCards(): Promise<void> {
  view.chat.says('', { callActions: [{ title: 'Call', phoneNumber: '1' }] });
  await expect.poll(() => view.all('.call').length).toBe(1);
}

describe('what comes with a message', () => {
  it('draws what a safe message contains: a picture, a card, a number to call and a source', async () => {
    await loadCards();
    const link = {
      kind: 'url',
      contentUrl: 'https://x.invalid/',
      title: 'A',
      callToActionText: 'B',
    } as const;
    view.chat.says('', {
      speaker: { kind: 'live_agent', id: null, name: 'Maren', avatarUrl: OWN },
      attachments: [
        { ...link, previewImageUrl: null },
        { ...link, previewImageUrl: OWN },
        { ...link, kind: 'image', contentUrl: OWN, previewImageUrl: null },
      ],
      callActions: [{ title: 'Call', phoneNumber: '+44 1632 960180' }],
    });
    await settle();
    expect(view.all('.source')).toHaveLength(1);
    expect(view.all('.card-image')).toHaveLength(1);
    expect(view.all('.picture img')).toHaveLength(1);
    // A picture of a speaker is shown once it has been decoded.
    await expect.poll(() => view.all('.speaker img').length).toBeGreaterThan(0);
    expect(view.all('.call').at(-1)?.getAttribute('href')).toBe('tel:+441632960180');
    expectSafe();
  });

  it('links and requests only safe addresses from a message, whatever it contains', async () => {
    await loadCards();
    for (const hostile of ADDRESSES) {
      view.chat.messages.value = [];
      const both = { title: 'A', callToActionText: 'B', contentUrl: hostile, previewImageUrl: hostile };
      view.chat.says('', {
        speaker: { kind: 'live_agent', id: null, name: 'Maren', avatarUrl: hostile },
        attachments: [
          { ...both, kind: 'url' },
          { ...both, kind: 'image' },
          { ...both, kind: 'url', contentUrl: OWN },
          { ...both, kind: 'image', contentUrl: OWN },
        ],
        callActions: [{ title: '', phoneNumber: hostile }],
      });
      await settle();
      expect(view.all('.picture img')).toHaveLength(1);
      expectSafe();
    }
  });

  it('draws a message with texts of any length harmlessly', async () => {
    await loadCards();
    const person: Speaker = { kind: 'agent', id: LONG, name: LONG, avatarUrl: `https://x.invalid/${LONG}` };
    const texts = { title: LONG, callToActionText: LONG, previewImageUrl: OWN };
    view.chat.speaker.value = person;
    view.chat.typing.value = { speaker: person };
    view.chat.suggestions.value = [{ text: LONG }];
    view.chat.says(LONG, {
      speaker: person,
      attachments: [
        { ...texts, kind: 'url', contentUrl: OWN },
        { ...texts, kind: 'image', contentUrl: OWN },
        { ...texts, kind: 'url', contentUrl: `javascript:${LONG}` },
      ],
      callActions: [{ title: LONG, phoneNumber: LONG }],
    });
    await settle();
    expect(view.all('.picture img')).toHaveLength(1);
    expectSafe();
  });

  it('draws any mixture of hostile messages harmlessly', async () => {
    await loadCards();
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { minLength: 1, maxLength: 3 }),
        speaker,
        fc.array(text, { maxLength: 3 }),
        async (messages, current, suggestions) => {
          view.chat.messages.value = [];
          view.chat.speaker.value = current;
          view.chat.typing.value = { speaker: current };
          view.chat.suggestions.value = suggestions.map((suggestion) => ({ text: suggestion }));
          for (const given of messages) view.chat.says(given.text, given);
          await settle();
          expectSafe();
        },
      ),
      { numRuns: 20, ...UNSHRUNK },
    );
  });

  it('draws hostile messages harmlessly as links if the code for cards cannot be loaded', async () => {
    const cards = createLazyPart<never>(
      () => Promise.reject(new Error('no network')),
      () => {},
    );
    cards.load();
    await expect.poll(() => cards.hasFailed.value).toBe(true);
    const model = {
      parts: { cards },
      strings: signal(en),
      layout: signal('panel'),
      options: signal({ endpoint: location.origin }),
    };
    const place = document.createElement('div');
    const several = fc.tuple(fc.array(attachment, { maxLength: 4 }), fc.array(callAction, { maxLength: 2 }));
    let drawn = 0;
    fc.assert(
      fc.property(several, ([attachments, actions]) => {
        const sources = <Sources attachments={attachments} actions={actions} />;
        const stop = renderInto(sources, place, model as unknown as PanelModel);
        expect(findUnsafe(place, PANEL, [])).toEqual([]);
        drawn += place.querySelectorAll('a').length;
        stop();
      }),
      { numRuns: 200 },
    );
    expect(drawn).toBeGreaterThan(100);
  });

  it('opens hostile pictures harmlessly in the lightbox', async () => {
    await loadCards();
    for (const hostile of ATTACKS.slice(0, 30)) {
      view.chat.messages.value = [];
      view.chat.says('', {
        attachments: [
          {
            kind: 'image',
            contentUrl: 'https://x.invalid/',
            previewImageUrl: OWN,
            title: hostile,
            callToActionText: null,
          },
        ],
      });
      await settle();
      view.find('.picture a').click();
      await expect.poll(() => view.all('dialog img').length).toBe(1);
      expectSafe();
      view.find<HTMLDialogElement>('dialog').close();
      await expect.poll(() => view.all('dialog').length).toBe(0);
    }
  });
});

describe('what else comes from the other side', () => {
  it('draws notices, names, queues, surveys and languages of the platform as text', async () => {
    await loadCards();
    await fc.assert(
      fc.asyncProperty(text, textOrNull, fc.boolean(), async (words, name, isOver) => {
        const { chat } = view;
        chat.messages.value = [];
        chat.session.value = { status: 'active' };
        chat.language.value = name;
        // A change of language that precedes all messages is not shown.
        chat.asks(words);
        chat.notes({ code: 'platform_message', level: 'error', text: words });
        chat.notes({ code: 'agent_joined', name });
        chat.notes({ code: 'live_agent_joined', name });
        chat.notes({ code: 'live_agent_left', name });
        chat.notes({ code: 'handoff_accepted', queueName: name });
        chat.notes({ code: 'handoff_required', route: name });
        chat.notes({ code: 'language_changed', language: words });
        chat.queue.value = { queueName: name, position: 2, estimatedWaitSeconds: 90, message: words };
        if (isOver) {
          chat.survey.value = {
            id: words,
            title: words,
            question: words,
            scale: 'faces',
            canComment: true,
            status: 'open',
          };
          chat.session.value = { status: 'ended', by: 'agent' };
        }
        await settle();
        // The part that draws them loads with the first of them.
        await expect.poll(() => view.all('.system, .handoff').length).toBeGreaterThan(4);
        expectSafe();
      }),
      { numRuns: 15, ...UNSHRUNK },
    );
  });
});
