import { signal } from '@preact/signals-core';
import fc from 'fast-check';
import { render } from 'preact';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ATTACKS } from '../../../../test/widget/attacks.ts';
import { createFakeChat, type FakeChat, MAREN } from '../../../../test/widget/fake-chat.ts';
import { type MountedPanel, mountPanel } from '../../../../test/widget/mount-panel.ts';
import { strings } from '../../locales/en.ts';
import * as markdown from '../../markdown/index.ts';
import { selectNoticeText } from '../notices/index.ts';
import { renderPage } from './render-page.tsx';
import { createSnapshot, type SavedConversation } from './saved-conversation.ts';
import { writeHtml } from './write-html.tsx';
import { writeJson } from './write-json.ts';
import { writeText } from './write-text.ts';

// Loads the lazy parts up front, because their loading is not tested here.
import '../../../../test/widget/all-parts.ts';
import './index.ts';

const AT_MS = Date.UTC(2026, 10, 21, 13, 30, 5);

/** Creates a conversation with every kind of entry. */
function talk(): FakeChat {
  const chat = createFakeChat(AT_MS);
  chat.says('Hello, I’m **Ada**.');
  chat.asks('Is 3 < 4 & "4" > 3?');
  chat.notes({ code: 'live_agent_joined', name: 'Maren Voss' });
  chat.says('| Fare | Price |\n|---|---|\n| Saver | €64 |', {
    speaker: MAREN,
    attachments: [
      {
        kind: 'url',
        contentUrl: 'https://example.com/fares?a=1&b=2',
        title: 'All fares',
        previewImageUrl: null,
        callToActionText: null,
      },
    ],
    callActions: [{ title: 'Call us', phoneNumber: '+4555501420' }],
  });
  chat.asks('Thanks', { status: 'failed', reason: 'no_answer', isRetryable: true }, AT_MS + 86_400_000);
  return chat;
}

function read(chat: FakeChat, direction: 'ltr' | 'rtl' = 'ltr', locale = 'en-GB'): SavedConversation {
  return createSnapshot(
    {
      chat,
      entries: chat.messages,
      options: signal({ endpoint: 'https://chat.example', title: 'Kittiwake Ferries' }),
      strings: signal(strings),
      partTexts: (_, all) => all.en,
      locale: signal(locale),
      direction: signal(direction),
      textDirection: signal(direction),
      nameOf: (speaker) => speaker?.name ?? 'Ada',
    },
    AT_MS + 90_000_000,
    markdown,
    selectNoticeText,
  );
}

const parse = (html: string) => new DOMParser().parseFromString(html, 'text/html');
const texts = (page: Document, selector: string) =>
  [...page.querySelectorAll(selector)].map(({ textContent }) => textContent?.trim());

describe('a conversation as text', () => {
  it('saves each entry as text with time, zone and speaker, who may be a person', () => {
    const lines = writeText(read(talk()), strings);
    const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });
    expect(lines.split('\n\n')).toEqual([
      `[${exact.format(AT_MS + 1_000)}] Ada (Automated): Hello, I’m Ada.`,
      `[${exact.format(AT_MS + 2_000)}] You: Is 3 < 4 & "4" > 3?`,
      `[${exact.format(AT_MS + 3_000)}] Maren Voss joined the chat`,
      `[${exact.format(AT_MS + 4_000)}] Maren Voss (Person): Fare\tPrice\nSaver\t€64\nAll fares: https://example.com/fares?a=1&b=2\nCall us +4555501420`,
      `[${exact.format(AT_MS + 86_400_000)}] You: Thanks\nNot sent.\n`,
    ]);
  });
});

describe('an answer that the visitor stopped', () => {
  it('marks a stopped answer in every format', () => {
    const chat = createFakeChat(AT_MS);
    chat.says('Once upon a', { isStopped: true });
    const saved = read(chat);
    expect(writeText(saved, strings)).toContain('Once upon a\nStopped');
    expect(JSON.parse(writeJson(saved))).toMatchObject({ entries: [{ isStopped: true }] });
    expect(texts(parse(writeHtml(saved, strings)), '.notice')).toEqual(['Stopped']);
  });

  it('saves a stopped answer without marks of unfinished Markdown', () => {
    const chat = createFakeChat(AT_MS);
    chat.says('Leave at **nine or', { isStopped: true });
    const saved = read(chat);
    expect(writeText(saved, strings)).toContain('Leave at nine or\nStopped');
    expect(texts(parse(writeHtml(saved, strings)), '.text strong')).toEqual(['nine or']);
  });
});

describe('a conversation as data', () => {
  it('saves a conversation as JSON in the format of docs/transcripts.md', () => {
    const file: unknown = JSON.parse(writeJson(read(talk())));
    expect(file).toEqual({
      format: 'natter-transcript',
      version: 1,
      title: 'Kittiwake Ferries',
      language: 'en-GB',
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      savedAt: '2026-11-22T14:30:05.000Z',
      entries: [
        {
          kind: 'message',
          at: '2026-11-21T13:30:06.000Z',
          from: 'agent',
          name: 'Ada',
          text: 'Hello, I’m **Ada**.',
          isSent: true,
          links: [],
          calls: [],
        },
        {
          kind: 'message',
          at: '2026-11-21T13:30:07.000Z',
          from: 'visitor',
          name: 'You',
          text: 'Is 3 < 4 & "4" > 3?',
          isSent: true,
          links: [],
          calls: [],
        },
        {
          kind: 'notice',
          at: '2026-11-21T13:30:08.000Z',
          code: 'live_agent_joined',
          text: 'Maren Voss joined the chat',
        },
        {
          kind: 'message',
          at: '2026-11-21T13:30:09.000Z',
          from: 'person',
          name: 'Maren Voss',
          text: '| Fare | Price |\n|---|---|\n| Saver | €64 |',
          isSent: true,
          links: [{ title: 'All fares', url: 'https://example.com/fares?a=1&b=2' }],
          calls: [{ title: 'Call us', phoneNumber: '+4555501420' }],
        },
        {
          kind: 'message',
          at: '2026-11-22T13:30:05.000Z',
          from: 'visitor',
          name: 'You',
          text: 'Thanks',
          isSent: false,
          links: [],
          calls: [],
        },
      ],
    });
  });
});

describe('a conversation as a page', () => {
  it('saves a conversation as a page with texts, speakers and days, in its language and direction', () => {
    const page = parse(writeHtml(read(talk(), 'rtl', 'he-IL'), strings));
    expect(page.compatMode).toBe('CSS1Compat');
    expect(page.characterSet).toBeTruthy();
    expect([page.documentElement.lang, page.documentElement.dir]).toEqual(['he-IL', 'rtl']);
    expect(page.title).toBe('Kittiwake Ferries');
    expect(texts(page, 'h1')).toEqual(['Kittiwake Ferries']);
    expect(texts(page, 'h2')).toHaveLength(2);
    expect(texts(page, 'article h3 bdi')).toEqual(['Ada', 'You', 'Maren Voss', 'You']);
    expect(texts(page, '.role')).toEqual(['Automated', 'Person']);
    expect(texts(page, '.plain')).toEqual(['Is 3 < 4 & "4" > 3?', 'Thanks']);
    expect(texts(page, 'td')).toEqual(['Saver', '€64']);
    expect(texts(page, '.notice')[0]).toContain('joined the chat');
    expect(texts(page, 'article .notice')).toEqual(['Not sent.']);
    expect([...page.querySelectorAll('a')].map(({ href }) => href)).toEqual([
      'https://example.com/fares?a=1&b=2',
      'tel:+4555501420',
    ]);
    expect(page.querySelector('time')?.dateTime).toBe('2026-11-21T13:30:06.000Z');
    expect(texts(page, 'header p')[0]).toContain(Intl.DateTimeFormat().resolvedOptions().timeZone);
  });

  it('keeps every link in a saved page, also two with one address', () => {
    const chat = createFakeChat(AT_MS);
    const link = {
      kind: 'url',
      contentUrl: 'https://x.example/a',
      previewImageUrl: null,
      callToActionText: null,
    } as const;
    chat.says('Two tickets.', {
      attachments: [
        { ...link, title: 'Outward' },
        { ...link, title: 'Return' },
      ],
    });
    expect(texts(parse(writeHtml(read(chat), strings)), '.links li')).toEqual(['Outward', 'Return']);
    const page = document.createElement('div');
    render(renderPage(read(chat), strings), page);
    expect([...page.querySelectorAll('.links li')].map(({ textContent }) => textContent)).toEqual([
      'Outward',
      'Return',
    ]);
    render(null, page);
  });

  it('saves a page that needs no other file', () => {
    const html = writeHtml(read(talk()), strings);
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    const page = parse(html);
    expect(page.querySelectorAll('script, link, img, iframe, object, [src], [style]')).toHaveLength(0);
    expect(page.querySelector('style')?.textContent).toContain('@media print');
    expect(page.querySelector('style')?.textContent).not.toMatch(/url\(|@import/);
  });

  it('saves hostile texts as text and harmless elements', () => {
    const allowed = new Set(
      'HTML,HEAD,META,TITLE,STYLE,BODY,MAIN,HEADER,ARTICLE,H1,H2,H3,H4,H5,P,UL,OL,LI,A,BR,STRONG,EM,CODE,PRE,TABLE,THEAD,TBODY,TR,TH,TD,DIV,SPAN,BDI,TIME'.split(
        ',',
      ),
    );
    const part = fc.constantFrom(
      // HTML has no way to write a NUL.
      ...ATTACKS.filter((attack) => !attack.includes('\0')),
      '</style><script>',
      '</title><svg onload=alert(1)>',
      '" onclick="alert(1)',
      "' onfocus='alert(1)",
      '[x](javascript:alert(1))',
      '[x](https://x.example/"onclick="alert(1))',
      '<!--',
      '-->',
      ']]>',
      '&lt;script&gt;',
      '&#60;script&#62;',
      '<a href="https://x.example" onclick=1>',
      '`',
      '\n\n',
      '|a|\n|-|\n|<b onload=1>|\n',
    );
    const text = fc.array(part, { maxLength: 8 }).map((parts) => `x${parts.join('')}`);
    fc.assert(
      fc.property(text, text, text, (said, name, title) => {
        const chat = createFakeChat(AT_MS);
        const link = { title, previewImageUrl: null, callToActionText: null } as const;
        chat.says(said, {
          speaker: { ...MAREN, name },
          attachments: [
            { ...link, kind: 'url', contentUrl: `https://x.example/${said}` },
            { ...link, kind: 'url', contentUrl: 'javascript:alert(1)' },
          ],
          callActions: [{ title, phoneNumber: said }],
        });
        chat.asks(said);
        chat.notes({ code: 'live_agent_joined', name });
        const page = parse(writeHtml({ ...read(chat), title }, strings));
        for (const element of page.querySelectorAll('*')) {
          expect(allowed, element.outerHTML).toContain(element.tagName);
          for (const { name: attribute, value } of element.attributes) {
            expect(attribute).toMatch(
              /^(?:lang|dir|charset|http-equiv|content|name|class|href|target|rel|start|datetime|title)$/,
            );
            if (attribute === 'href') expect(value).toMatch(/^(?:https?|mailto|tel):/);
          }
        }
        expect(page.title).toBe(title.replaceAll(/\s+/g, ' ').trim());
        expect(page.querySelector('.plain')?.textContent).toBe(said);
      }),
    );
  });
});

describe('the menu', () => {
  let view: MountedPanel;
  afterEach(() => {
    view.destroy();
    vi.restoreAllMocks();
  });

  const open = async (): Promise<void> => {
    view = mountPanel({ title: 'Kittiwake Ferries' }, talk());
    view.panel.open(true);
    view.button('More').click();
    await vi.waitFor(() => view.find('[role=menu]'));
  };

  it.each([
    ['TXT', /^chat-\d{4}-\d\d-\d\d\.txt$/, 'text/plain;charset=utf-8', 'Ada (Automated): Hello, I’m Ada.'],
    ['HTML', /^chat-\d{4}-\d\d-\d\d\.html$/, 'text/html;charset=utf-8', '<strong>Ada</strong>'],
    ['JSON', /^chat-\d{4}-\d\d-\d\d\.json$/, 'application/json;charset=utf-8', '"from": "person"'],
  ])('saves from the menu as %s and returns the focus', async (label, name, type, content) => {
    const blobs: Blob[] = [];
    const names: string[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      if (blob instanceof Blob) blobs.push(blob);
      return 'blob:kept';
    });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      names.push(this.download);
    });
    await open();
    view.button('Download transcript').click();
    await vi.waitFor(() => view.button(label).click());
    await vi.waitFor(() => expect(blobs).toHaveLength(1));
    expect(names[0]).toMatch(name);
    expect(blobs[0]?.type).toBe(type);
    expect(await blobs[0]?.text()).toContain(content);
    await vi.waitFor(() => expect(view.all('[role=menu]')).toEqual([]));
    expect(view.root.activeElement).toBe(view.button('More'));
  });

  it('prints only the conversation, in its own style, and removes the frame afterwards', async () => {
    const printed: { readonly text: string; readonly sheets: number; readonly title: string }[] = [];
    const stub = (frame: HTMLIFrameElement): void => {
      const { contentWindow: inner, contentDocument: page } = frame;
      if (!inner || !page) return;
      inner.print = () => {
        printed.push({
          text: page.body.textContent ?? '',
          sheets: page.adoptedStyleSheets.length,
          title: page.title,
        });
      };
    };
    await open();
    const { appendChild } = view.root;
    vi.spyOn(view.root, 'appendChild').mockImplementation((child) => {
      const added = appendChild.call(view.root, child);
      if (added instanceof HTMLIFrameElement) stub(added);
      return child;
    });
    view.button('Print').click();
    await vi.waitFor(() => expect(printed).toHaveLength(1));
    expect(printed[0]).toMatchObject({ sheets: 1, title: 'Kittiwake Ferries' });
    expect(printed[0]?.text).toContain('Maren Voss');
    expect(printed[0]?.text).toContain('Is 3 < 4 & "4" > 3?');
    const frame = view.find<HTMLIFrameElement>('iframe');
    frame.contentWindow?.dispatchEvent(new Event('afterprint'));
    expect(view.all('iframe')).toEqual([]);
  });

  const press = (key: string) =>
    view.root.activeElement?.dispatchEvent(
      new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
    );
  const walk = async (names: readonly string[]): Promise<void> => {
    for (const name of names) {
      await vi.waitFor(() => expect(view.root.activeElement?.textContent?.trim()).toBe(name));
      press('ArrowDown');
    }
    expect(view.root.activeElement?.textContent).toBe(names[0]);
  };

  it('offers one download in the menu, whose formats are a second step with the same keys', async () => {
    await open();
    await walk(['Copy conversation', 'Download transcript', 'Print', 'Sound', 'End chat']);
    view.button('Download transcript').click();
    await walk(['TXT', 'HTML', 'JSON', 'More']);
    // The menu button has the same name and precedes it.
    view.find('.menu-back').click();
    await vi.waitFor(() => expect(view.root.activeElement).toBe(view.button('Download transcript')));
    view.button('Download transcript').click();
    await vi.waitFor(() => view.button('TXT'));
    expect(view.find('[role=menu]').ariaLabel).toBe('Download transcript');
    press('Escape');
    await vi.waitFor(() => expect(view.root.activeElement).toBe(view.button('Download transcript')));
    press('Escape');
    await vi.waitFor(() => expect(view.all('[role=menu]')).toEqual([]));
    expect(view.root.activeElement).toBe(view.button('More'));
  });

  it('saves an ended chat with the one that was begun below it', async () => {
    const blobs: Blob[] = [];
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      if (blob instanceof Blob) blobs.push(blob);
      return 'blob:kept';
    });
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
    await open();
    press('Escape');
    view.chat.session.value = { status: 'ended', by: 'agent' };
    view.panel.send('One more thing');
    await vi.waitFor(() => expect(view.chat.commands).toContain('send One more thing'));
    view.button('More').click();
    await vi.waitFor(() => view.button('Download transcript').click());
    await vi.waitFor(() => view.button('TXT').click());
    await vi.waitFor(() => expect(blobs).toHaveLength(1));
    const text = await blobs[0]?.text();
    expect(text).toContain('Hello, I’m Ada.');
    expect(text).toContain('You: One more thing');
  });
});

it('saves quotes, rules and tasks of an answer as HTML', () => {
  const chat = createFakeChat(AT_MS);
  chat.says('> Quoted\n\n---\n\n- [x] Paid\n- [ ] ~~Open~~');
  const html = writeHtml(read(chat), strings);
  expect(html).toContain('<blockquote dir="ltr"><p>Quoted</p></blockquote><hr dir="ltr"/><ul dir="ltr">');
  expect(html).toContain('<li class="task">☑ <p>Paid</p></li>');
  expect(html).toContain('<li class="task">☐ <p><del>Open</del></p></li>');
});

it('gives each block of a saved right-to-left conversation its direction, whatever name it begins with', () => {
  const chat = createFakeChat(AT_MS);
  chat.asks('iPhone לא עובד');
  chat.says('- iPhone: הורידו\n\nSee you soon');
  const html = writeHtml(read(chat, 'rtl', 'he'), strings);
  expect(html).toContain('<p class="plain" dir="rtl">iPhone');
  expect(html).toContain('<ul dir="rtl">');
  expect(html).toContain('<p dir="ltr">See you soon');
});
