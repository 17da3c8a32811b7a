import { signal } from '@preact/signals-core';
import { afterEach, expect, it, vi } from 'vitest';
import { ADA, createFakeChat, MAREN } from '../../../../test/widget/fake-chat.ts';
import { type MountedPanel, mountPanel } from '../../../../test/widget/mount-panel.ts';
import { createTerms } from '../../parts/terms/create-terms.ts';

let view: MountedPanel;
afterEach(() => view.destroy());

const texts = (selector: string) => view.all(selector).map((one) => one.textContent);

it("shows the site's greeting instead of the agent's, and keeps it", async () => {
  view = mountPanel({ welcome: 'Ahoy!' });
  view.panel.open(true);
  await vi.waitFor(() => expect(texts('.intro-title')).toEqual(['Ahoy!']));
  view.chat.says('Hello, I am Ada.');
  view.chat.suggestions.value = [{ text: 'Timetable' }];
  view.chat.asks('When?');
  view.chat.says('At 9:20');
  await vi.waitFor(() => expect(texts('.agent .rich')).toEqual(['At 9:20']));
  expect(texts('.intro-title')).toEqual(['Ahoy!']);
  await vi.waitFor(() => expect(texts('[aria-live=polite] > p').join()).toContain('At 9:20'));
  expect(texts('[aria-live=polite] > p').join()).not.toContain('I am Ada');
});

it('begins with a proactive message instead of any greeting, complete up to its own limit', async () => {
  const opening = `${'Can we help? '.repeat(12)}Yes.`;
  const options = { welcome: 'Ahoy!', localized: { en: { welcome: 'Hello!' } }, opening };
  const chat = createFakeChat();
  const terms = createTerms(chat, signal({ endpoint: 'https://chat.example', ...options }));
  view = mountPanel(options, chat, terms);
  view.panel.open(true);
  await vi.waitFor(() => expect(texts('.intro-title')).toEqual([opening]));
  expect([opening.length, terms.problems]).toEqual([160, []]);
  view.chat.says('Hello, I am Ada.');
  view.chat.asks('When?');
  view.chat.says('At 9:20');
  await vi.waitFor(() => expect(texts('.agent .rich')).toEqual(['At 9:20']));
  expect(texts('.intro-title')).toEqual([opening]);
});

it("shows the agent's first message beside the site's greeting if it has a link or is from a person", async () => {
  view = mountPanel({ welcome: 'Ahoy!' });
  view.panel.open(true);
  view.chat.says('Hello', { callActions: [{ title: 'Desk', phoneNumber: '+441632960001' }] });
  await vi.waitFor(() => expect(texts('.agent .rich')).toEqual(['Hello']));
  view.destroy();
  view = mountPanel({ welcome: 'Ahoy!' });
  view.panel.open(true);
  view.chat.says('Hello', { speaker: MAREN });
  await vi.waitFor(() => expect(texts('.agent .rich')).toEqual(['Hello']));
});

it("shows the agent's greeting if the site has none", async () => {
  view = mountPanel();
  view.panel.open(true);
  view.chat.says('Hello, I am Ada.');
  await vi.waitFor(() => expect(texts('.agent .rich')).toEqual(['Hello, I am Ada.']));
  expect(view.all('.intro-title')).toEqual([]);
});

it("shows the site's name for the agent, and a person's own name", async () => {
  view = mountPanel({ agentName: 'Kit' });
  view.panel.open(true);
  view.chat.speaker.value = ADA;
  view.chat.says('Hello');
  await vi.waitFor(() => expect(texts('.header h2')).toEqual(['Kit']));
  await vi.waitFor(() => expect(texts('.speaker bdi')).toEqual(['Kit']));
  view.chat.speaker.value = MAREN;
  await vi.waitFor(() => expect(texts('.header h2')).toEqual(['Maren Voss']));
});
