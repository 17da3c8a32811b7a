import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { ChatPanel } from './page/chat-panel.ts';

const CONTACT = 'mailto:help@kittiwake.example';

/** Opens the site under a policy that forbids sockets, like some companies'; other calls of the widget stay allowed. */
async function openWithoutSockets(page: Page, url: string): Promise<void> {
  await page.route(url, async (route) => {
    const response = await route.fetch();
    const policy = response.headers()['content-security-policy'] ?? '';
    expect(policy).toMatch(/ ws:/);
    const headers = {
      ...response.headers(),
      'content-security-policy': policy.replace(/ ws:\/\/[^ ;]+/, ''),
    };
    const html = await response.text();
    const body = html.replace(' data-agent-name', ` data-contact-url="${CONTACT}" data-agent-name`);
    await route.fulfill({ response, headers, body });
  });
  await page.goto(url);
}

/** Records the paths of the page's calls for a conversation in turns. */
function watchTurns(page: Page): readonly string[] {
  const turns: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === 'POST' && pathname.startsWith('/v1/chat/')) turns.push(pathname);
  });
  return turns;
}

test.describe('where a policy forbids sockets', () => {
  // A page that a test has rewritten has no address, and needs permission for calls to this machine.
  test.use({ permissions: ['local-network-access'] });

  test('holds the conversation in turns if a policy forbids sockets', async ({ page, stack, chat }) => {
    const turns = watchTurns(page);
    await openWithoutSockets(page, stack.urls.demo);
    await chat.open();
    await chat.expectAnswer(/Ada/);
    await chat.say('Can I bring my dog?');
    await expect(chat.messages('user').locator('[data-delivery="sent"]')).toHaveCount(1);
    await expect(chat.messages('agent')).toHaveCount(2);
    await chat.expectQuiet();
    const lines = await chat.readLines();
    expect(lines.map(({ author }) => author)).toEqual(['agent', 'user', 'agent']);
    expect(lines[2]?.text).toMatch(/dog/i);
    expect(turns).toEqual(['/v1/chat/create', '/v1/chat/respond']);
  });

  test('keeps a conversation in turns through a reload and in other tabs, and says what it cannot do', async ({
    page,
    context,
    stack,
    chat,
  }) => {
    const first = await context.newPage();
    const panel = new ChatPanel(first);
    const turns = watchTurns(first);
    await openWithoutSockets(first, stack.urls.demo);
    await panel.open();
    await panel.expectAnswer(/Ada/);
    await expect(panel.dialog.getByText(/live agents aren’t available/i)).toBeVisible();
    await panel.ask('Can I bring my dog?');
    const before = await panel.readLines();
    const cookies = (await context.cookies()).filter(({ name }) => name.startsWith('natter-'));
    expect(cookies.map(({ httpOnly }) => httpOnly)).toEqual([true, true]);

    await first.reload();
    await panel.open();
    await panel.expectLines(before);
    await panel.ask('Do you have wifi on board?');
    await expect(panel.messages('agent').last()).toContainText(/wi-?fi/i);

    const turnsHere = watchTurns(page);
    await openWithoutSockets(page, stack.urls.demo);
    await chat.open();
    await chat.expectLines(await panel.readLines());
    await first.close();
    await chat.say('How long is the crossing?');
    await expect(chat.messages('user').locator('[data-delivery="sent"]')).toHaveCount(3);
    await expect(chat.messages('agent')).toHaveCount(4);
    await chat.expectQuiet();
    expect((await chat.readLines()).slice(0, 3)).toEqual(before);
    expect(turns).toEqual(['/v1/chat/create', '/v1/chat/respond', '/v1/chat/respond']);
    expect(turnsHere).toEqual(['/v1/chat/respond']);
  });

  test('offers the contact in turns when a human agent cannot be reached', async ({ page, stack, chat }) => {
    await openWithoutSockets(page, stack.urls.demo);
    await chat.open();
    await chat.expectAnswer(/Ada/);
    await chat.say('I want to talk to a person');
    await expect(chat.dialog.getByText(/please contact our team/i)).toBeVisible();
    await expect(chat.dialog.getByRole('button', { name: /start a new chat/i })).toBeVisible();
  });

  test('says that nothing works when turns fail as well, and offers the contact', async ({
    page,
    stack,
    chat,
  }) => {
    await page.route('**/v1/chat/*', (route) => route.abort());
    await openWithoutSockets(page, stack.urls.demo);
    await chat.open();
    const contact = chat.dialog.getByRole('link', { name: /contact us/i });
    await expect(contact).toBeVisible();
    await expect(contact).toHaveAttribute('href', CONTACT);
    await expect(chat.dialog.getByRole('button', { name: /try (now|again)/i })).toBeVisible();
  });
});
