import { afterEach, describe, expect, it, vi } from 'vitest';
import { ADA, createFakeChat, MAREN } from '../../../test/widget/fake-chat.ts';
import { type MountedPanel, mountPanel, mountWithMarkdown } from '../../../test/widget/mount-panel.ts';

let view: MountedPanel;
afterEach(() => view.destroy());

const texts = (selector: string) => view.all(selector).map((element) => element.textContent?.trim());
const field = () => view.find<HTMLTextAreaElement>('textarea');
const active = () => view.root.activeElement;

async function write(text: string): Promise<void> {
  field().value = text;
  field().dispatchEvent(new InputEvent('input', { bubbles: true }));
  await vi.waitFor(() => expect(field().value).toBe(text));
}

function press(key: string, init: KeyboardEventInit = {}, target: HTMLElement = field()): KeyboardEvent {
  const event = new KeyboardEvent('keydown', {
    key,
    bubbles: true,
    cancelable: true,
    composed: true,
    ...init,
  });
  target.dispatchEvent(event);
  return event;
}

it('has no landmarks, because they would mix with the landmarks of the page', () => {
  view = mountPanel();
  view.panel.open(false);
  expect(view.all('header, footer, main, nav, aside, [role=region]')).toEqual([]);
});

it('fills the window although the page has properties of the same names', () => {
  view = mountPanel({ renderMode: 'fullscreen' });
  for (const name of ['--_top', '--_height']) view.host.style.setProperty(name, '50px');
  const { top, height } = view.find('.frame').getBoundingClientRect();
  expect([top, height]).toEqual([0, innerHeight]);
});

it('marks each message as read once it is seen, also one that came while the page was closed', async () => {
  view = mountPanel();
  const { chat, panel } = view;
  panel.open(false);
  expect(chat.reads.value).toBe(0);
  panel.close(false);
  chat.says('Hello!', { speaker: MAREN });
  panel.open(false);
  await vi.waitFor(() => expect(chat.reads.value).toBe(1));
  panel.close(false);
  panel.open(false);
  chat.says('Are you there?', { speaker: MAREN });
  await vi.waitFor(() => expect(chat.reads.value).toBe(2));
});

describe('the composer', () => {
  it('sends with Enter, empties the composer and keeps the focus', async () => {
    view = mountPanel();
    view.panel.open(true);
    await write('Hello');
    press('Enter');
    expect(view.chat.commands).toContain('send Hello');
    await vi.waitFor(() => expect(field().value).toBe(''));
    expect(active()).toBe(field());
    expect(view.events).toContainEqual({ name: 'send', detail: { text: 'Hello' } });
  });

  it('starts a new line in the composer with Shift+Enter', async () => {
    view = mountPanel();
    await write('Hello');
    expect(press('Enter', { shiftKey: true }).defaultPrevented).toBe(false);
    expect(view.chat.commands.filter((command) => command.startsWith('send'))).toEqual([]);
  });

  it.each([
    ['while a word is being composed', { isComposing: true }],
    ['on the key code 229 that Safari gives the last Enter of a composition', { keyCode: 229 }],
  ])('does not send %s', async (_, init) => {
    view = mountPanel();
    await write('にほん');
    press('Enter', init);
    expect(view.chat.commands.filter((command) => command.startsWith('send'))).toEqual([]);
  });

  it('does not send white space', async () => {
    view = mountPanel();
    await write('  \n ');
    press('Enter');
    expect(view.chat.commands.filter((command) => command.startsWith('send'))).toEqual([]);
    expect(view.button('Send message').getAttribute('aria-disabled')).toBe('true');
  });

  it('makes the composer as high as its text, up to six lines, and scrolls longer texts', async () => {
    view = mountPanel();
    view.panel.open(false);
    const one = field().clientHeight;
    await write('a\nb\nc');
    await vi.waitFor(() => expect(field().clientHeight).toBe(one + 2 * 23));
    await write('a\n'.repeat(20));
    await vi.waitFor(() => expect(field().clientHeight).toBe(one + 5 * 23));
    expect(getComputedStyle(field()).overflowY).toBe('auto');
    await write('');
    await vi.waitFor(() => expect(field().clientHeight).toBe(one));
  });

  it('makes the composer as high as its text in browsers without field-sizing', async () => {
    vi.spyOn(CSS, 'supports').mockReturnValue(false);
    view = mountPanel();
    view.panel.open(false);
    view.find('.field').style.setProperty('field-sizing', 'fixed');
    const one = field().clientHeight;
    await write('a\nb\nc');
    await vi.waitFor(() => expect(field().clientHeight).toBe(one + 2 * 23));
    expect(field().style.overflowY).toBe('hidden');
    await write('a\n'.repeat(20));
    await vi.waitFor(() => expect(field().clientHeight).toBe(one + 5 * 23));
    expect(field().style.overflowY).toBe('auto');
    view.chat.unsent.value = '';
    await vi.waitFor(() => expect(field().clientHeight).toBe(one));
    view.chat.unsent.value = 'a\nb';
    await vi.waitFor(() => expect(field().clientHeight).toBe(one + 23));
    vi.restoreAllMocks();
  });

  it('has a composer of one line if it was drawn before it could be measured', async () => {
    view = mountPanel();
    view.host.style.display = 'none';
    await Promise.resolve();
    view.host.style.display = '';
    expect(field().offsetHeight).toBeGreaterThanOrEqual(44);
  });

  it('keeps a draft when the panel closes and opens again', async () => {
    view = mountPanel();
    view.panel.open(true);
    await write('Half a thought');
    view.panel.close(false);
    view.panel.open(true);
    expect(field().value).toBe('Half a thought');
  });
});

describe('what stands in the composer', () => {
  it('shows the draft that the client keeps for this tab, also one from before the panel', async () => {
    view = mountPanel();
    view.panel.open(false);
    view.chat.unsent.value = 'Half a thought';
    await vi.waitFor(() => expect(field().value).toBe('Half a thought'));
    expect(view.button('Send message').getAttribute('aria-disabled')).toBe('false');
    view.button('Send message').click();
    expect(view.chat.commands).toContain('send Half a thought');
    expect(view.chat.unsent.value).toBe('');
    await vi.waitFor(() => expect(field().value).toBe(''));
  });

  it('keeps draft and focus when the panel is drawn again', async () => {
    view = mountPanel();
    view.panel.open(true);
    await write('Mine');
    field().setSelectionRange(2, 2);
    view.chat.session.value = { status: 'ended', by: 'user' };
    view.chat.session.value = { status: 'active' };
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect([field().value, field().selectionStart]).toEqual(['Mine', 2]);
  });

  it('removes the draft with its visitor, also from a focused composer', async () => {
    view = mountPanel();
    view.panel.open(true);
    await write('Mine');
    view.chat.unsent.value = '';
    await vi.waitFor(() => expect(field().value).toBe(''));
    expect(active()).toBe(field());
    await write('Mine as well');
    expect(field().value).toBe('Mine as well');
  });

  it('makes the composer as high as a restored draft', async () => {
    view = mountPanel();
    view.panel.open(false);
    const one = field().clientHeight;
    view.chat.unsent.value = 'a\nb\nc';
    await vi.waitFor(() => expect(field().clientHeight).toBe(one + 2 * 23));
  });
});

describe('focus', () => {
  it('moves the focus to the composer if the visitor opens the panel, but not if the page does', () => {
    view = mountPanel();
    const outside = document.createElement('input');
    document.body.append(outside);
    outside.focus();
    view.panel.open(false);
    expect(document.activeElement).toBe(outside);
    view.panel.open(true);
    expect(active()).toBe(field());
    outside.remove();
  });

  it('moves the focus to the launcher with Escape', () => {
    view = mountPanel();
    view.panel.open(true);
    press('Escape');
    expect(view.panel.isOpen.value).toBe(false);
    expect(active()).toBe(view.launcher);
  });

  it('keeps the focus in the chat if Escape only closes the menu', async () => {
    view = mountPanel();
    view.panel.open(true);
    view.button('More').click();
    await vi.waitFor(() => expect(active()?.getAttribute('role')).toMatch(/^menuitem/));
    press('Escape', {}, active() as HTMLElement);
    await vi.waitFor(() => expect(view.all('[role=menu]')).toEqual([]));
    expect(view.panel.isOpen.value).toBe(true);
    expect(active()).toBe(view.button('More'));
  });

  it('moves the focus to the composer when the question about the end is dismissed', async () => {
    view = mountPanel();
    view.panel.open(true);
    for (const putAway of [
      () => view.button('Keep chatting').click(),
      () => press('Escape', {}, view.find('.choice')),
    ]) {
      view.button('More').click();
      await vi.waitFor(() => view.button('End chat').click());
      await vi.waitFor(() => expect(active()).toBe(view.button('Keep chatting')));
      putAway();
      await vi.waitFor(() => expect(active()).toBe(field()));
    }
  });

  it('keeps the focus in the chat when the focused element is removed', async () => {
    view = mountPanel();
    view.panel.open(true);
    view.chat.suggestions.value = [{ text: 'Yes' }];
    await vi.waitFor(() => view.button('Yes').focus());
    view.chat.suggestions.value = [];
    await vi.waitFor(() => expect(active()).toBe(view.find('.footer')));
    field().focus();
    view.chat.session.value = { status: 'ended', by: 'agent' };
    await vi.waitFor(() => expect(view.find('.ended')).toBeTruthy());
    expect(active()).toBe(field());
    press('Escape', {}, view.find('.panel'));
    expect(view.panel.isOpen.value).toBe(false);
  });

  it('does not move the focus when a message arrives', async () => {
    view = mountPanel();
    view.panel.open(true);
    const outside = document.createElement('input');
    document.body.append(outside);
    outside.focus();
    view.chat.says('Hello');
    await vi.waitFor(() => expect(texts('.rich')).toEqual(['Hello']));
    expect(document.activeElement).toBe(outside);
    outside.remove();
  });
});

describe('the transcript', () => {
  it('shows name and kind of a speaker once per group, and marks people', async () => {
    view = mountPanel();
    view.chat.says('One');
    view.chat.says('Two');
    view.chat.says('Three', { speaker: MAREN });
    await vi.waitFor(() => expect(texts('.speaker bdi')).toEqual(['Ada', 'Maren Voss']));
    expect(texts('.tag')).toEqual(['Automated', 'Person']);
    expect(view.all('.speaker .avatar.live_agent')).toHaveLength(1);
  });

  it('does not name a message or a notice without a name after the present speaker', async () => {
    view = mountPanel({ agentName: 'Ada' });
    view.panel.open(true);
    view.chat.says('Hello', { speaker: { ...ADA, name: null } });
    view.chat.notes({ code: 'agent_left', name: null });
    view.chat.speaker.value = MAREN;
    view.chat.says('Hi', { speaker: { ...MAREN, name: null } });
    await vi.waitFor(() => expect(texts('.speaker > bdi')).toEqual(['Ada', 'Person']));
    await vi.waitFor(() => expect(texts('.system')).toEqual(['Ada left the chat']));
  });

  it('changes only the message that streams', async () => {
    view = await mountWithMarkdown();
    view.chat.says('Before');
    const answer = view.chat.says('# Done\n\nStill', { isStreaming: true });
    await vi.waitFor(() => expect(view.all('.rich')).toHaveLength(2));
    const records: MutationRecord[] = [];
    const observer = new MutationObserver((list) => records.push(...list));
    observer.observe(view.find('.content'), {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
    answer.value = { ...answer.value, text: '# Done\n\nStill going' } as typeof answer.value;
    await vi.waitFor(() => expect(texts('.rich p')).toContain('Still going'));
    records.push(...observer.takeRecords());
    observer.disconnect();
    const paragraph = view.all('.rich')[1]?.querySelector('p');
    expect(records.length).toBeGreaterThan(0);
    expect(records.every(({ target }) => paragraph?.contains(target))).toBe(true);
  });

  it('shows no caret after a stream was interrupted', async () => {
    view = mountPanel();
    const answer = view.chat.says('It was go', { isStreaming: true });
    await vi.waitFor(() => expect(view.all('.rich.streaming')).toHaveLength(1));
    answer.value = { ...answer.value, isStreaming: false } as typeof answer.value;
    await vi.waitFor(() => expect(view.all('.rich.streaming')).toEqual([]));
    const carets = view.all('.rich *').map((element) => getComputedStyle(element, '::after').content);
    expect(carets).toEqual(['none']);
  });

  it('offers two suggestions with the same text as two', async () => {
    view = mountPanel();
    view.panel.open(true);
    view.chat.suggestions.value = [{ text: 'Yes' }, { text: 'Yes' }, { text: 'No' }];
    await vi.waitFor(() => expect(texts('.suggestion')).toEqual(['Yes', 'Yes', 'No']));
  });

  it('sends the chosen suggestion, and moves the focus to the composer', async () => {
    view = mountPanel();
    view.panel.open(true);
    view.chat.suggestions.value = [{ text: 'Yes' }, { text: 'No' }];
    await vi.waitFor(() => expect(texts('.suggestion')).toEqual(['Yes', 'No']));
    view.button('No').click();
    expect(view.chat.commands).toContain('send No');
    await vi.waitFor(() => expect(view.all('.suggestion')).toEqual([]));
    expect(active()).toBe(field());
  });

  it('omits attachments and numbers with unsafe addresses', async () => {
    view = mountPanel({ imageHosts: 'y.example' });
    const attachment = { kind: 'url', title: 'x', previewImageUrl: null, callToActionText: null } as const;
    view.chat.says('', {
      attachments: [
        { ...attachment, contentUrl: 'javascript:alert(1)' },
        { ...attachment, contentUrl: 'https://x.example', previewImageUrl: 'javascript:alert(1)' },
        { ...attachment, kind: 'image', contentUrl: 'data:text/html,x' },
        { ...attachment, kind: 'image', contentUrl: 'https://y.example/a.png' },
      ],
      callActions: [
        { title: 'Call', phoneNumber: '+491234' },
        { title: 'Bad', phoneNumber: 'javascript:' },
      ],
    });
    await vi.waitFor(() => expect(view.all('.call')).toHaveLength(1));
    await vi.waitFor(() => expect(view.all('.message .picture')).toHaveLength(1));
    const hrefs = view.all('.message a').map((link) => link.getAttribute('href'));
    expect(hrefs).toEqual(['https://y.example/a.png', 'tel:+491234', 'https://x.example/']);
  });

  it('offers to send a failed message again or to remove it', async () => {
    view = mountPanel();
    view.chat.asks('One', { status: 'failed', reason: 'no_answer', isRetryable: true });
    view.chat.asks('Two', { status: 'failed', reason: 'too_long', isRetryable: false });
    await vi.waitFor(() =>
      expect(texts('.delivery > span:not(.actions)')).toEqual(['Not sent.', 'Not sent: too long.']),
    );
    view.button('Try again').click();
    view.button('Remove').click();
    expect(view.chat.commands).toEqual(
      expect.arrayContaining(['retry local-item-1', 'discard local-item-2']),
    );
  });

  it('changes its direction with the language of the conversation', async () => {
    view = mountPanel();
    view.chat.language.value = 'ar';
    await vi.waitFor(() => expect(view.find('.panel').dir).toBe('rtl'));
    expect(view.find('.frame').lang).toBe('ar');
    expect(view.find('.frame').dir).toBe('ltr');
  });
});

describe('the end', () => {
  it('states the end of the chat in one sentence, with a button that clears the transcript', async () => {
    view = mountPanel();
    view.panel.open(true);
    view.chat.session.value = { status: 'ended', by: 'agent' };
    await vi.waitFor(() => expect(texts('.ended p')).toEqual(['Ada ended this chat. Start a new chat']));
    view.button('Start a new chat').click();
    await vi.waitFor(() => expect(active()).toBe(field()));
    expect(view.chat.commands).toContain('newChat');
  });

  it('names the person who ended the chat, although they have left by then', async () => {
    view = mountPanel();
    view.panel.open(true);
    view.chat.says('Goodbye!', { speaker: MAREN });
    view.chat.session.value = { status: 'ended', by: 'agent' };
    await vi.waitFor(() =>
      expect(texts('.ended p')).toEqual(['Maren Voss ended this chat. Start a new chat']),
    );
  });

  it('names the person who joined last, even if another one wrote last', async () => {
    view = mountPanel();
    view.panel.open(true);
    view.chat.says('Goodbye!', { speaker: MAREN });
    view.chat.notes({ code: 'live_agent_left', name: 'Maren Voss' });
    view.chat.notes({ code: 'live_agent_joined', name: 'Grace' });
    view.chat.notes({ code: 'live_agent_left', name: 'Grace' });
    view.chat.session.value = { status: 'ended', by: 'agent' };
    await vi.waitFor(() => expect(texts('.ended p')).toEqual(['Grace ended this chat. Start a new chat']));
  });

  it('keeps an unsent text for the next conversation', async () => {
    view = mountPanel();
    view.panel.open(true);
    await write('One more thing');
    view.chat.session.value = { status: 'expired' };
    await vi.waitFor(() => expect(texts('.ended p')[0]).toMatch(/has expired/));
    view.button('Start a new chat').click();
    await vi.waitFor(() => expect(field().value).toBe('One more thing'));
  });

  it('asks for confirmation before it ends a conversation', async () => {
    view = mountPanel();
    view.panel.open(true);
    view.button('More').click();
    await vi.waitFor(() => view.button('End chat').click());
    await vi.waitFor(() => expect(active()).toBe(view.button('Keep chatting')));
    expect(view.chat.commands).not.toContain('endChat');
    view.button('End chat').click();
    expect(view.chat.commands).toContain('endChat');
  });
});

describe('the live region', () => {
  const announced = () => texts('[aria-live=polite] > p');

  it('announces finished messages, never their chunks', async () => {
    view = mountPanel();
    view.panel.open(true);
    const answer = view.chat.says('Hel', { isStreaming: true });
    await vi.waitFor(() => expect(texts('.rich')).toEqual(['Hel']));
    expect(announced()).toEqual([]);
    answer.value = { ...answer.value, text: 'Hello **you**', isStreaming: false } as typeof answer.value;
    await vi.waitFor(() => expect(announced()).toEqual(['Ada says: Hello you']));
  });

  it('announces suggestions with the message that they belong to', async () => {
    view = mountPanel();
    view.panel.open(true);
    view.chat.suggestions.value = [{ text: 'Yes' }, { text: 'No' }];
    view.chat.says('Shall I book it?');
    await vi.waitFor(() =>
      expect(announced()).toEqual(['Ada says: Shall I book it? Suggested replies: Yes, No']),
    );
  });

  it('announces nothing of a restored conversation, and everything after it', async () => {
    view = mountPanel();
    view.panel.open(true);
    const old = createFakeChat();
    old.asks('Old question');
    old.says('Old answer');
    view.chat.messages.value = old.messages.value;
    await vi.waitFor(() => expect(texts('.rich')).toEqual(['Old answer']));
    old.notes({ code: 'live_agent_joined', name: 'Maren' });
    view.chat.messages.value = old.messages.value;
    await vi.waitFor(() => expect(announced()).toEqual(['Maren joined the chat']));
  });

  it('has one live region', () => {
    view = mountPanel();
    expect(view.all('[aria-live]:not([aria-live=off]), [role=status], [role=alert]')).toHaveLength(1);
  });
});

describe('a hostile page', () => {
  it('protects the panel from style sheets and font size of the page', () => {
    const style = new CSSStyleSheet();
    style.replaceSync(
      'html { font-size: 40px !important } * { color: red !important; box-sizing: content-box !important }',
    );
    const before = [...document.adoptedStyleSheets];
    document.adoptedStyleSheets = [...before, style];
    view = mountPanel();
    view.panel.open(false);
    expect(Number.parseFloat(getComputedStyle(view.find('.who-role')).fontSize)).toBeCloseTo(13, 2);
    expect(getComputedStyle(view.find('.panel')).color).not.toBe('rgb(255, 0, 0)');
    document.adoptedStyleSheets = before;
  });
});

describe('the header', () => {
  it('shows the speaker in the header: the agent, none, waiting, a person', async () => {
    view = mountPanel({ title: 'Kittiwake Ferries' });
    const { chat } = view;
    const words = () => view.find('.who').textContent;
    chat.speaker.value = null;
    await vi.waitFor(() => expect(words()).toBe('Kittiwake FerriesAssistant · Automated agent'));
    chat.notes({ code: 'agent_joined', name: 'Ada' });
    chat.speaker.value = ADA;
    await vi.waitFor(() => expect(words()).toBe('Kittiwake FerriesAda · Automated agent'));
    chat.notes({ code: 'agent_left', name: 'Ada' });
    chat.speaker.value = null;
    await vi.waitFor(() => expect(words()).toBe('Kittiwake Ferries'));
    chat.queue.value = { queueName: null, position: 2, estimatedWaitSeconds: null, message: null };
    await vi.waitFor(() => expect(words()).toBe('Kittiwake FerriesWaiting for our team'));
    chat.queue.value = null;
    chat.speaker.value = MAREN;
    await vi.waitFor(() => expect(words()).toBe('Maren VossA member of our team'));
  });
});

describe('destroying a panel', () => {
  it('leaves no node and no page lock behind when the panel is destroyed', () => {
    view = mountPanel();
    view.panel.open(true);
    view.panel.destroy();
    expect(view.all('*')).toEqual([view.launcher]);
    expect(document.documentElement.style.overflow).toBe('');
  });

  it('removes all its listeners from the page when the panel is destroyed', () => {
    const add = vi.spyOn(EventTarget.prototype, 'addEventListener');
    const remove = vi.spyOn(EventTarget.prototype, 'removeEventListener');
    view = mountPanel();
    view.panel.destroy();
    const ofPage = ({ calls, contexts }: typeof add.mock) =>
      calls.filter((_, index) => contexts[index] === document);
    const added = ofPage(add.mock);
    // A listener is removed by name, or by its AbortController.
    const gone = added.filter(([, , given]) => typeof given === 'object' && given.signal?.aborted);
    expect(added.length).toBeGreaterThan(0);
    expect(gone.length + ofPage(remove.mock).length).toBe(added.length);
    add.mockRestore();
    remove.mockRestore();
  });
});
