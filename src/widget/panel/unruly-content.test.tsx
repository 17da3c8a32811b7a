import { afterEach, describe, expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { type MountedPanel, mountPanel } from '../../../test/widget/mount-panel.ts';
import '../../../test/widget/all-parts.ts';

let view: MountedPanel;
afterEach(() => view.destroy());

/** Opens a panel 400 px wide, as beside a page. */
function open(text = '1'): void {
  view = mountPanel({ renderMode: 'inline' });
  view.host.style.cssText = `--natter-text: ${text}; contain: layout; display: block; width: 400px; height: 680px`;
  view.panel.open(false);
}

const box = (selector: string) => view.find(selector).getBoundingClientRect();
/** Returns the box of the text of an element, not of the element. */
function lettersOf(selector: string): DOMRect {
  const range = document.createRange();
  range.selectNodeContents(view.find(selector));
  return range.getBoundingClientRect();
}
const linesOf = (selector: string) =>
  Math.round(box(selector).height / Number.parseFloat(getComputedStyle(view.find(selector)).lineHeight));

const LONG =
  'I would like to know under which conditions my booking can be changed, and what that costs. '.repeat(2);

describe('a reply to choose from', () => {
  it('shows at most two lines of a suggestion, and sends all of it', async () => {
    open();
    view.chat.suggestions.value = [{ text: LONG }, { text: 'No' }];
    await vi.waitFor(() => view.find('.suggestion'));
    expect(linesOf('.suggestion > span')).toBe(2);
    expect(view.find('.suggestion').title).toBe(LONG);
    view.find('.suggestion').click();
    expect(view.chat.commands).toContain(`send ${LONG.trim()}`);
  });

  it('shows all lines of a suggestion with large text', async () => {
    open('2');
    view.chat.suggestions.value = [{ text: LONG }];
    await vi.waitFor(() => view.find('.suggestion'));
    expect(linesOf('.suggestion > span')).toBeGreaterThan(5);
  });
});

it('puts a number to call below a title that leaves it no room', async () => {
  open();
  view.chat.says('', {
    callActions: [{ title: 'Call the service centre of Kittiwake Ferries', phoneNumber: '+49 30 123456789' }],
  });
  await vi.waitFor(() => view.find('.call-number'));
  expect(box('.call-number').top).toBeGreaterThanOrEqual(box('.call-title > bdi').bottom - 1);
  expect(lettersOf('.call-title > bdi').width).toBeGreaterThan(box('.call').width * 0.5);
});

it('puts the mark of a queue beside its text, however long that is', async () => {
  open();
  view.chat.queue.value = {
    queueName: null,
    position: null,
    estimatedWaitSeconds: 30,
    message: 'Please hold the line: our colleagues are back from lunch soon and then take care of you.',
  };
  await vi.waitFor(() => view.find('.queue'));
  expect(lettersOf('.queue-position').left - box('.queue-pulse').right).toBeLessThan(24);
});

it('hides code behind the button that copies it', async () => {
  open();
  view.chat.says(`\`\`\`\n${'await client.list({ limit: 100 });'.repeat(4)}\n\`\`\``);
  await vi.waitFor(() => view.find('.code > .copy'));
  expect(box('.code > .copy').right).toBeCloseTo(box('.code').right, 0);
});

describe('a table', () => {
  const table = (columns: number) =>
    [
      Array(columns).fill('Column'),
      Array(columns).fill('---'),
      Array(columns).fill('A cell with several words'),
    ]
      .map((cells) => `|${cells.join('|')}|`)
      .join('\n');

  it('scrolls a table of many columns, and keeps them wide enough to read', async () => {
    open();
    view.chat.says(table(8));
    await vi.waitFor(() => view.find('td'));
    expect(view.find('.table').scrollWidth).toBeGreaterThan(view.find('.table').clientWidth);
    expect(box('td').height).toBeLessThan(60);
  });

  it('keeps a table of a few columns in view', async () => {
    open();
    view.chat.says(table(3));
    await vi.waitFor(() => view.find('td'));
    expect(view.find('.table').scrollWidth).toBe(view.find('.table').clientWidth);
  });
});

it('scales the numbers of a list, and their room, with the text size', async () => {
  open('2');
  view.chat.says('10. ten\n11. eleven');
  await vi.waitFor(() => view.find('.rich ol'));
  const { fontSize, paddingInlineStart } = getComputedStyle(view.find('.rich ol'));
  expect(Number.parseFloat(paddingInlineStart)).toBeGreaterThan(1.7 * Number.parseFloat(fontSize));
});

it('announces a number to call with the message that it belongs to', async () => {
  open();
  view.chat.says('', { callActions: [{ title: 'Call the terminal', phoneNumber: '+4930123456' }] });
  await vi.waitFor(() =>
    expect(view.find('[aria-live=polite]').textContent).toBe('Ada says: Call the terminal'),
  );
});

it('delays the default greeting, so that the agent’s can replace it before it is visible', () => {
  open();
  expect(
    view
      .find('.intro')
      .getAnimations()
      .map(({ effect }) => effect?.getTiming().delay),
  ).toEqual([400]);
});

/** Returns a screenshot of an element. */
const draw = (element: Element): Promise<string> => page.elementLocator(element).screenshot({ save: false });

it.each([
  ['of a visitor', '.bubble', 'asks'],
  ['of an agent', '.rich', 'says'],
] as const)('keeps stacked marks within their message, %s', async (_, selector, say) => {
  open();
  const stacked = `a${'\u0301'.repeat(60)}`;
  view.chat[say]('above');
  view.chat[say]('a');
  await vi.waitFor(() => expect(view.all(selector)).toHaveLength(2));
  await Promise.all(
    view
      .find('.content')
      .getAnimations({ subtree: true })
      .map(({ finished }) => finished),
  );
  const above = view.find(selector);
  const before = await draw(above);
  const last = view.chat.messages.value.at(-1);
  if (!last) throw new Error('There is no message.');
  last.value = { ...last.peek(), text: stacked } as typeof last.value;
  await vi.waitFor(() => expect(view.all(selector)[1]?.textContent).toBe(stacked));
  expect(await draw(above)).toBe(before);
});
