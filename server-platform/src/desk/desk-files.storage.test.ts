import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeStorage } from '../../test/db/describe-storage.ts';
import { type DeskFixture, startDeskFixture, type TestDesk } from '../../test/desk/desk-fixture.ts';
import type { TestSocket } from '../../test/realtime/test-socket.ts';
import { eraseVisitorData } from '../records/erasure/index.ts';

type Fields = Readonly<Record<string, unknown>>;

const PICTURE = new Uint8Array([...Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), 1, 0, 255, 2]);
const TEXT = Buffer.from('Deck plan: 1 to 3');

describeStorage('files from people', (engine) => {
  let fixture: DeskFixture;
  let grace: TestDesk;
  let visitor: TestSocket;
  let id = '';
  beforeAll(async () => {
    fixture = await startDeskFixture(engine);
    grace = await fixture.sitDown('Grace');
  });
  afterAll(async () => {
    expect(fixture.platform.failures).toEqual([]);
    await fixture.stop();
  });

  const accept = async (): Promise<[TestSocket, string]> => {
    const socket = await fixture.visit();
    socket.send('USER_MESSAGE', { text: 'a person, please' });
    const find = async (): Promise<Fields | undefined> =>
      ((await grace.call('GET /inbox')).body['requests'] as readonly Fields[]).find(
        ({ status }) => status === 'offered',
      );
    await expect.poll(find).toBeDefined();
    const requestId = String((await find())?.['id']);
    await grace.call(`POST /requests/${requestId}/accept`);
    await socket.next('LIVE_AGENT_JOINED');
    return [socket, requestId];
  };
  const send = async (
    content: Uint8Array,
    { key = 'm1', name = 'Deck plan.png', by = grace, of = id } = {},
  ): Promise<{ readonly status: number; readonly body: Fields }> => {
    const answer = await fixture.fetch(
      new Request(`http://localhost/desk/api/requests/${of}/files?id=${key}`, {
        method: 'POST',
        headers: {
          'X-Natter-Desk': '1',
          'X-Natter-File-Name': encodeURIComponent(name),
          Cookie: by.cookie,
        },
        body: new Uint8Array(content),
      }),
    );
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  };
  const open = (url: string): Promise<Response> => fixture.fetch(new Request(url));
  const nextAttachment = async (): Promise<Record<string, string>> => {
    const { payload } = await visitor.next('LIVE_AGENT_MESSAGE');
    const [attachment] = payload['attachments'] as readonly Record<string, string>[];
    return { text: String(payload['text']), ...attachment };
  };

  it('sends the visitor a message with an attachment, whose address has the file', async () => {
    [visitor, id] = await accept();
    const sent = await send(PICTURE);
    expect(sent).toEqual({ status: 200, body: { message_id: expect.stringMatching(/^msg_/) } });
    const shown = await nextAttachment();
    expect(shown).toMatchObject({
      text: '',
      content_type: 'ATTACHMENT_CONTENT_TYPE_IMAGE',
      content_url: expect.stringMatching(/^http:\/\/localhost\/files\/[\w-]{32}\/Deck%20plan\.png$/),
      title: 'Deck plan.png',
    });
    const answer = await open(shown['content_url'] ?? '');
    expect([answer.status, new Uint8Array(await answer.arrayBuffer())]).toEqual([200, PICTURE]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': "inline; filename*=UTF-8''Deck%20plan.png",
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
      'cache-control': 'private, no-store',
    });
  });

  it('sends a file from the desk in pieces, so that a slow reader holds little of it', async () => {
    const large = new Uint8Array(5_242_880).map((_, index) => index % 251);
    large.set(PICTURE);
    await send(large, { key: 'large' });
    const answer = await open((await nextAttachment())['content_url'] ?? '');
    expect(answer.headers.get('content-length')).toBe('5242880');
    const pieces: Uint8Array[] = [];
    for await (const piece of answer.body ?? []) pieces.push(piece);
    expect(Math.max(...pieces.map(({ length }) => length))).toBe(262_144);
    expect(Buffer.concat(pieces).equals(large)).toBe(true);
  });

  it('ends the download of a file that is erased meanwhile', async () => {
    await send(
      new Uint8Array(600_000).fill(1).map((byte, at) => PICTURE[at] ?? byte),
      { key: 'erased' },
    );
    const url = (await nextAttachment())['content_url'] ?? '';
    const reader = (await open(url)).body?.getReader();
    expect((await reader?.read())?.value).toHaveLength(262_144);
    await fixture.platform.database.query('DELETE FROM desk_files WHERE id = $1', [
      url.split('/').at(-2) ?? '',
    ]);
    await expect(
      (async () => {
        while ((await reader?.read())?.done === false);
      })(),
    ).rejects.toThrow('erased');
  });

  it('takes a file that is sent again under the same id for one message and one file', async () => {
    const first = await send(PICTURE, { key: 'twice' });
    expect(await send(PICTURE, { key: 'twice' })).toEqual(first);
    const { content_url: url } = await nextAttachment();
    await send(TEXT, { key: 'later', name: 'plan.txt' });
    // The next message is the next file.
    const later = await nextAttachment();
    expect(later).toMatchObject({ content_type: 'ATTACHMENT_CONTENT_TYPE_URL', title: 'plan.txt' });
    expect(later['content_url']).not.toBe(url);
    const answer = await open(later['content_url'] ?? '');
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment;/);
  });

  it('refuses files that have scripts, are too large or empty, or belong to a conversation of another person', async () => {
    const page = Buffer.from('<script>alert(1)</script>');
    expect(await send(page, { name: 'page.html' })).toMatchObject({
      status: 415,
      body: { error_code: 'UNSUPPORTED_MEDIA_TYPE' },
    });
    expect(await send(page, { name: 'page.png' })).toMatchObject({ status: 415 });
    expect(await send(new Uint8Array(5_242_881))).toMatchObject({
      status: 413,
      body: { error_code: 'TOO_LARGE' },
    });
    expect(await send(new Uint8Array())).toMatchObject({ status: 400, body: { error_code: 'NO_FILE' } });
    expect(await send(TEXT, { key: '', name: 'a.txt' })).toMatchObject({ status: 400 });
    const sue = await fixture.sitDown('Sue', { role: 'supervisor', isAway: true });
    expect(await send(PICTURE, { by: sue, key: 'x' })).toMatchObject({ status: 403 });
    expect(await send(PICTURE, { of: 'ho_none', key: 'x' })).toMatchObject({ status: 404 });
  });

  it('has no file at other addresses, and no method but reading', async () => {
    for (const path of ['', '/x', `/${'A'.repeat(32)}/Deck%20plan.png`, `/${'%00'.repeat(11)}/a`])
      expect((await open(`http://localhost/files${path}`)).status, path).toBe(404);
    const answer = await fixture.fetch(
      new Request(`http://localhost/files/${'A'.repeat(32)}/a.png`, { method: 'DELETE' }),
    );
    expect(answer.status).toBe(405);
  });

  it('keeps at most twenty files of a conversation, and erases them with it', async () => {
    [visitor, id] = await accept();
    const { content_url: url } = await send(PICTURE, { key: 'f0' }).then(nextAttachment);
    for (let count = 1; count < 20; count += 1)
      expect((await send(TEXT, { key: `f${count}`, name: 'a.txt' })).status).toBe(200);
    expect(await send(TEXT, { key: 'f20', name: 'a.txt' })).toMatchObject({
      status: 409,
      body: { error_code: 'TOO_MANY_FILES' },
    });
    // Sent before, so it is stored already.
    expect((await send(PICTURE, { key: 'f0' })).status).toBe(200);
    const { database } = fixture.platform;
    const [session] = await database.query<{ id: string }>(
      'SELECT session_id AS id FROM desk_requests WHERE id = $1',
      [id],
    );
    const removed = await eraseVisitorData(database, session?.id ?? '');
    expect(removed?.counts['desk_files']).toBe(20);
    expect((await open(url ?? '')).status).toBe(404);
  });
});
