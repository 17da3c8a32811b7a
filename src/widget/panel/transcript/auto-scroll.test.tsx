import { afterEach, describe, expect, it, vi } from 'vitest';
import { ADA, createFakeChat } from '../../../../test/widget/fake-chat.ts';
import { type MountedPanel, mountPanel } from '../../../../test/widget/mount-panel.ts';
import type { TranscriptItem } from '../../../client/index.ts';

let view: MountedPanel;
afterEach(() => view.destroy());

const viewport = () => view.find('.viewport');
const questionTop = () => {
  const question = view.all('.visitor').at(-1);
  return (question?.getBoundingClientRect().top ?? 0) - viewport().getBoundingClientRect().top;
};
/** Waits until the view has settled at the end of the conversation. */
const atEnd = () =>
  vi.waitFor(() => {
    const { scrollHeight, clientHeight, scrollTop } = viewport();
    expect(scrollTop).toBeGreaterThan(0);
    expect(scrollHeight - clientHeight - scrollTop).toBeLessThan(2);
    expect(view.all('.below')).toHaveLength(0);
  });
/** Position in the view. Not by getBoundingClientRect(), because panel and messages are still being animated. */
const placeOf = (one: HTMLElement | undefined) => (one?.offsetTop ?? Number.NaN) - viewport().scrollTop;
const grow = (answer: ReturnType<MountedPanel['chat']['says']>, paragraphs: number) => {
  answer.value = {
    ...answer.value,
    text: 'A line of the answer.\n\n'.repeat(paragraphs),
  } as typeof answer.value;
};

it('keeps the question in view while a long answer grows, and offers to scroll down without a count', async () => {
  view = mountPanel();
  view.panel.open(false);
  view.chat.says('Hello.\n\n'.repeat(6));
  view.chat.asks('How?');
  const answer = view.chat.says('', { isStreaming: true });
  grow(answer, 40);
  await vi.waitFor(() => expect(questionTop()).toBeCloseTo(12, 0));
  await vi.waitFor(() => expect(view.find('.below').textContent).toBe(''));
  grow(answer, 80);
  await vi.waitFor(() => expect(view.all('.rich').at(-1)?.childElementCount).toBe(80));
  expect(questionTop()).toBeCloseTo(12, 0);
});

it('stops following when the reader scrolls up, and scrolls down on request', async () => {
  view = mountPanel();
  view.panel.open(false);
  view.chat.asks('How?');
  const answer = view.chat.says('', { isStreaming: true });
  grow(answer, 40);
  await vi.waitFor(() => expect(view.all('.rich').at(-1)?.childElementCount).toBe(40));
  await vi.waitFor(() => expect(questionTop()).toBeCloseTo(12, 0));
  await vi.waitFor(() => expect(view.find('.below')).toBeTruthy());
  // Waits until scrolling to the question has ended, so that the next scroll is the one to the end.
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  // A step within the last frame of scrolling would look like a shorter scroll.
  const isAtRest = new Promise((resolve) => {
    viewport().addEventListener('scrollend', resolve, { once: true });
  });
  view.button('Go to the latest message').click();
  await isAtRest;
  const end = () => viewport().scrollHeight - viewport().clientHeight - viewport().scrollTop;
  expect(end()).toBeLessThan(2);
  viewport().scrollTop -= 30;
  await vi.waitFor(() => expect(view.find('.below')).toBeTruthy());
  const top = viewport().scrollTop;
  grow(answer, 60);
  await vi.waitFor(() => expect(view.all('.rich').at(-1)?.childElementCount).toBe(60));
  expect(viewport().scrollTop).toBe(top);
});

it('does not mistake the removal of the typing dots for scrolling up', async () => {
  view = mountPanel();
  view.panel.open(false);
  view.chat.says('Hello.\n\n'.repeat(40));
  view.chat.asks('How?');
  view.chat.typing.value = { speaker: ADA };
  await vi.waitFor(() => expect(view.find('.typing')).toBeTruthy());
  await atEnd();
  const { scrollTop } = viewport();
  view.chat.typing.value = null;
  await Promise.resolve();
  // The layout happens before the message and the resize event after it, as in WebKit.
  expect(viewport().scrollTop).toBeLessThan(scrollTop);
  view.chat.says('Like this.\n\n'.repeat(4));
  await Promise.resolve();
  expect(viewport().textContent).toContain('Like this.');
  viewport().dispatchEvent(new Event('scroll'));
  await atEnd();
});

describe('a long conversation', () => {
  const MOST = 150;
  const drawn = () => view.all('.message');
  const message = (number: number) => drawn().find((one) => one.textContent?.includes(`number ${number}.`));
  const topOf = (number: number) => placeOf(message(number));
  /** The first message that is in view. */
  const inView = () => {
    const first = drawn().find((one) => placeOf(one) + one.offsetHeight > 0);
    return Number(/number (\d+)\./.exec(first?.textContent ?? '')?.[1]);
  };
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const fill = (count: number) => {
    const chat = createFakeChat();
    const texts = Array.from({ length: count }, (_, index) => `Message number ${index + 1}.`);
    const items = texts.map((text, index) => {
      const asks = index % 2 === 0;
      return asks ? chat.asks(text) : chat.says(text);
    });
    chat.messages.value = items;
    view = mountPanel({}, chat);
    view.panel.open(false);
    return chat;
  };
  /** Waits until the view is at the end, and the code for navigation has loaded. */
  const ready = async () => {
    await atEnd();
    await import('../../parts/history/index.ts');
    await frame();
  };
  const press = (key: string) =>
    viewport().dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));

  it('draws only the end of a long conversation', async () => {
    fill(1_000);
    await ready();
    expect(drawn().length).toBeLessThan(MOST / 2 + 1);
    expect(view.all('.below')).toHaveLength(0);
  });

  it('draws earlier messages when the reader scrolls up, and keeps the text being read in place', async () => {
    fill(1_000);
    await ready();
    for (let turn = 0; turn < 12; turn += 1) {
      const before = inView();
      const top = topOf(before);
      viewport().scrollTop -= 500;
      await frame();
      // Unless the reader has moved past it, it has moved by exactly the scrolled distance.
      // Lines are 22.5 px high, and positions are rounded to whole ones.
      expect(Math.abs(topOf(before) - top - 500)).toBeLessThanOrEqual(1);
      expect(drawn().length).toBeLessThanOrEqual(MOST);
    }
    expect(inView()).toBeLessThan(930);
    expect(viewport().scrollTop).toBeGreaterThan(0);
    expect(view.find('.below')).toBeTruthy();
  });

  it('draws later messages when the reader scrolls down, to the end', async () => {
    fill(220);
    await ready();
    press('Home');
    await vi.waitFor(() => expect(inView()).toBe(1));
    expect(viewport().scrollTop).toBe(0);
    for (let turn = 0; turn < 200 && !message(220); turn += 1) {
      viewport().scrollTop += 500;
      await frame();
      expect(drawn().length).toBeLessThanOrEqual(MOST);
    }
    viewport().scrollTop = viewport().scrollHeight;
    await vi.waitFor(() => expect(view.all('.below')).toHaveLength(0));
  });

  it('goes through a long conversation with Home and End', async () => {
    fill(1_000);
    await ready();
    press('Home');
    await vi.waitFor(() => expect(inView()).toBe(1));
    press('End');
    await vi.waitFor(() => expect(view.all('.below')).toHaveLength(0));
    expect(message(1_000)).toBeTruthy();
  });

  it('shows that there are new messages below, although they are not drawn', async () => {
    const chat = fill(1_000);
    await ready();
    press('Home');
    await vi.waitFor(() => expect(view.find('.below').textContent).toBe(''));
    chat.says('Message number 1001.');
    await vi.waitFor(() => expect(view.find('.below').textContent).toBe('1'));
    expect(inView()).toBe(1);
    view.button('1 new message. Go to the latest message').click();
    await vi.waitFor(() => expect(message(1_001)).toBeTruthy());
  });

  it('scrolls to the question that is sent from the middle of a long conversation', async () => {
    fill(1_000);
    await ready();
    press('Home');
    await vi.waitFor(() => expect(inView()).toBe(1));
    view.panel.send('Message number 1001.');
    await vi.waitFor(() => {
      const { bottom } = viewport().getBoundingClientRect();
      expect(message(1_001)?.getBoundingClientRect().bottom).toBeLessThan(bottom);
    });
  });

  it('follows new messages, and removes those far above', async () => {
    const chat = fill(10);
    for (let number = 11; number <= 200; number += 1) {
      chat.asks(`Message number ${number}.`);
      if (number % 10 === 0) await frame();
      expect(drawn().length).toBeLessThanOrEqual(MOST);
    }
    await vi.waitFor(() => expect(message(200)).toBeTruthy());
    await vi.waitFor(() => expect(view.all('.below')).toHaveLength(0));
  });

  it('keeps the focus in the transcript when the focused message is no longer drawn', async () => {
    const chat = fill(1_000);
    chat.says('[A link](https://ferry.example/) in message number 1001.');
    await ready();
    await vi.waitFor(() => view.find('.rich a').focus());
    press('Home');
    await vi.waitFor(() => expect(inView()).toBe(1));
    expect(view.root.activeElement).toBe(view.all('.message')[0]);
  });

  it('prints a long conversation as a whole', async () => {
    fill(400);
    await ready();
    dispatchEvent(new Event('beforeprint'));
    await Promise.resolve();
    expect(drawn()).toHaveLength(400);
    dispatchEvent(new Event('afterprint'));
    await Promise.resolve();
    expect(drawn().length).toBeLessThanOrEqual(MOST);
  });
});

it('keeps the text being read in place when content above it grows', async () => {
  view = mountPanel();
  view.panel.open(false);
  const above = view.chat.says('Short.');
  for (let number = 0; number < 40; number += 1) view.chat.asks(`Question ${number}`);
  const last = () => view.all('.visitor').at(-10);
  await atEnd();
  viewport().scrollTop -= 100;
  await vi.waitFor(() => expect(view.find('.below')).toBeTruthy());
  const top = placeOf(last());
  grow(above, 30);
  await vi.waitFor(() => expect(view.all('.rich')[0]?.childElementCount).toBe(30));
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  expect(placeOf(last())).toBeCloseTo(top, 0);
});

describe('cards, which come after the words', () => {
  const card = (number: number) => ({
    kind: 'url' as const,
    contentUrl: `https://ferry.example/${number}`,
    title: `Page ${number}`,
    previewImageUrl: `https://ferry.example/${number}.png`,
    callToActionText: null,
  });
  const calls = Array.from({ length: 12 }, (_, number) => ({
    title: `Quay ${number}`,
    phoneNumber: `+4555${number}`,
  }));
  const cardsHaveCome = () =>
    vi.waitFor(() => {
      expect(view.all('.link-card')).toHaveLength(2);
      expect(view.all('.call')).toHaveLength(12);
      // Pictures without a host are removed with their boxes.
      expect(view.all('.card-image')).toHaveLength(0);
    });
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const settled = async () => {
    await cardsHaveCome();
    for (let count = 0; count < 3; count += 1) await frame();
  };

  it('keeps a reader at the end when cards load below', async () => {
    const chat = createFakeChat();
    for (let number = 0; number < 30; number += 1) chat.says(`Answer ${number}.`);
    chat.asks('Where do I find the terminal?');
    const answer = chat.says('At the north quay.');
    view = mountPanel({ imageHosts: 'ferry.example' }, chat);
    view.panel.open(false);
    await atEnd();
    // Without the delay, the code for cards may load before the view has settled.
    answer.value = { ...answer.value, attachments: [card(1), card(2)], callActions: calls } as TranscriptItem;
    await settled();
    await atEnd();
    expect(questionTop(), 'the question has gone up with the rest').toBeLessThan(0);
    // Only until the reader scrolls away.
    viewport().scrollTop -= 30;
    await vi.waitFor(() => expect(view.find('.below').textContent).toBe(''));
  });

  it('keeps a reader at the end when cards load before the scroll event', async () => {
    const chat = createFakeChat();
    for (let number = 0; number < 30; number += 1) chat.says(`Answer ${number}.`);
    chat.asks('Where do I find the terminal?');
    const answer = chat.says('At the north quay.');
    view = mountPanel({}, chat);
    view.panel.open(false);
    await atEnd();
    grow(answer, 40);
    await Promise.resolve();
    expect(view.all('.rich').at(-1)?.childElementCount).toBe(40);
    // Under load the content grows between the scrolling and the frame that reports it.
    viewport().dispatchEvent(new Event('scroll'));
    await atEnd();
  });

  describe('are no news below an answer that is longer than the view', () => {
    const mount = () => {
      const chat = createFakeChat();
      chat.asks('Where do I find the terminal?');
      chat.says('At the north quay.\n\n'.repeat(40), { attachments: [card(1), card(2)], callActions: calls });
      view = mountPanel({ imageHosts: 'ferry.example' }, chat);
      view.panel.open(false);
    };

    it('does not count late cards below a long answer as new messages', async () => {
      mount();
      await settled();
      expect(questionTop()).toBeCloseTo(12, 0);
      expect(view.find('.below').textContent).toBe('');
    });

    it('does not count cards as new messages if a slow browser draws nothing before they have loaded', async () => {
      const looks: (() => void)[] = [];
      class LateObserver extends ResizeObserver {
        constructor(look: ResizeObserverCallback) {
          super((entries, observer) => void looks.push(() => look(entries, observer)));
        }
      }
      vi.stubGlobal('ResizeObserver', LateObserver);
      mount();
      await settled();
      vi.unstubAllGlobals();
      for (const look of looks) look();
      await vi.waitFor(() => expect(view.find('.below').textContent).toBe(''));
    });
  });

  it('does not scroll the beginning of a first answer out of view for cards', async () => {
    view = mountPanel({ imageHosts: 'ferry.example' });
    view.panel.open(false);
    view.chat.says('Hello.\n\n'.repeat(6));
    view.chat.asks('Where do I find the terminal?');
    const answer = view.chat.says('', {
      isStreaming: true,
      attachments: [card(1), card(2)],
      callActions: calls,
    });
    await settled();
    grow(answer, 40);
    await vi.waitFor(() => expect(view.find('.below').textContent).toBe(''));
    expect(questionTop()).toBeCloseTo(12, 0);
  });
});

it('does not count text that grows without a message as a new message', async () => {
  view = mountPanel();
  view.panel.open(false);
  view.chat.asks('How?');
  view.chat.says('A line of the answer.\n\n'.repeat(40));
  await vi.waitFor(() => expect(questionTop()).toBeCloseTo(12, 0));
  await vi.waitFor(() => expect(view.find('.below').textContent).toBe(''));
  viewport().scrollTop = viewport().scrollHeight;
  await vi.waitFor(() => expect(view.all('.below')).toHaveLength(0));
  viewport().scrollTop -= 100;
  await vi.waitFor(() => expect(view.find('.below').textContent).toBe(''));
  // The text grows, as when a font loads late.
  const { scrollHeight } = viewport();
  view.host.style.setProperty('--natter-text', '1.2');
  await vi.waitFor(() => expect(viewport().scrollHeight).toBeGreaterThan(scrollHeight));
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  expect(view.find('.below').textContent).toBe('');
  view.chat.says('One more thing.');
  await vi.waitFor(() => expect(view.find('.below').textContent).toBe('1'));
  view.chat.says('And another.');
  await vi.waitFor(() => expect(view.find('.below').textContent).toBe('2'));
  viewport().scrollTop = viewport().scrollHeight;
  await vi.waitFor(() => expect(view.all('.below')).toHaveLength(0));
  viewport().scrollTop -= 200;
  await vi.waitFor(() => expect(view.find('.below').textContent).toBe(''));
});

it('has the button that scrolls down beside the text, and suggestions above the composer', async () => {
  view = mountPanel();
  view.panel.open(false);
  view.chat.asks('How?');
  view.chat.says('A long line of the answer, up to the end of the column and over it. '.repeat(60));
  view.chat.suggestions.value = Array.from({ length: 6 }, (_, number) => ({
    text: `A suggested reply ${number}`,
  }));
  await vi.waitFor(() => expect(view.find('.below').textContent).toBe(''));
  const { left } = view.find('.below').getBoundingClientRect();
  for (const message of view.all('.message')) {
    const range = document.createRange();
    range.selectNodeContents(message.querySelector('.rich, .bubble') ?? message);
    expect(range.getBoundingClientRect().right).toBeLessThanOrEqual(left);
  }
  const row = view.find('.suggestions');
  const top = (element: Element) => element.getBoundingClientRect().top;
  expect(new Set(view.all('.suggestion').map(top)).size).toBe(1);
  // The opening animation of the panel may still run.
  await vi.waitFor(() =>
    expect(top(row)).toBeGreaterThanOrEqual(viewport().getBoundingClientRect().bottom - 0.5),
  );
  expect(row.scrollLeft).toBe(0);
  row.dispatchEvent(new WheelEvent('wheel', { deltaY: 80, bubbles: true, cancelable: true }));
  expect(row.scrollLeft).toBe(80);
  view.all('.suggestion').at(-1)?.focus();
  await vi.waitFor(() => {
    const last = view.all('.suggestion').at(-1)?.getBoundingClientRect();
    expect(last?.right).toBeLessThanOrEqual(row.getBoundingClientRect().right + 0.5);
  });
});
