import { base64url, EncryptJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { makeAccessToken } from '../../test/fake-upstream.ts';
import { createJumpingClock, type JumpingClock, PAGE_ORIGIN } from '../../test/proxy-fixture.ts';
import { createResumeTickets, type ResumeTickets, type TicketContents } from './resume-ticket.ts';
import { createTicketKey } from './ticket-key.ts';

const KEY = createTicketKey();

function openOffice(keys: readonly string[] = [KEY]): {
  office: ResumeTickets;
  clock: JumpingClock;
  contents: TicketContents;
} {
  const clock = createJumpingClock();
  const contents: TicketContents = {
    sessionId: 'session-1',
    accessToken: makeAccessToken({ exp: clock.now() / 1_000 + 3_600 }),
    expiresAtMs: clock.now() + 3_600_000,
    websocketUrl: 'wss://messaging.example.com/ws',
    connector: 'default',
    storesContact: true,
  };
  return { office: createResumeTickets({ keys, lifetimeSeconds: 600, nowMs: clock.now }), clock, contents };
}

describe('resume ticket', () => {
  it('opens a ticket for the page it was issued for', async () => {
    const { office, contents } = openOffice();
    const ticket = await office.seal(contents, PAGE_ORIGIN);
    expect(await office.open(ticket, PAGE_ORIGIN)).toEqual(contents);
  });

  it("reveals nothing of a ticket's contents", async () => {
    const { office, contents } = openOffice();
    const parts = (await office.seal(contents, PAGE_ORIGIN)).split('.');
    const readable = parts.map((part) => new TextDecoder().decode(base64url.decode(part))).join('\n');
    expect(parts).toHaveLength(5);
    for (const secret of ['session-1', contents.accessToken, 'messaging.example.com', KEY]) {
      expect(readable).not.toContain(secret);
    }
  });

  it('refuses a ticket at another page, and without a page', async () => {
    const { office, contents } = openOffice();
    const ticket = await office.seal(contents, PAGE_ORIGIN);
    expect(await office.open(ticket, 'https://other.example')).toBeNull();
    expect(await office.open(ticket, null)).toBeNull();
  });

  it('refuses an expired ticket', async () => {
    const { office, clock, contents } = openOffice();
    const ticket = await office.seal(contents, PAGE_ORIGIN);
    clock.advance(599_000);
    expect(await office.open(ticket, PAGE_ORIGIN)).not.toBeNull();
    clock.advance(1_000);
    expect(await office.open(ticket, PAGE_ORIGIN)).toBeNull();
  });

  it('refuses a ticket with a single changed character', async () => {
    const { office, contents } = openOffice();
    const ticket = await office.seal(contents, PAGE_ORIGIN);
    for (let at = 0; at < ticket.length - 1; at += 17) {
      const changed = ticket[at] === 'A' ? 'B' : 'A';
      expect(
        await office.open(`${ticket.slice(0, at)}${changed}${ticket.slice(at + 1)}`, PAGE_ORIGIN),
      ).toBeNull();
    }
  });

  it.each(['', 'a', '....', 'a.b.c.d.e', 'eyJhbGciOiJub25lIn0.e30.', 'x'.repeat(5_000)])(
    'refuses texts that are not tickets (%#)',
    async (text) => {
      expect(await openOffice().office.open(text, PAGE_ORIGIN)).toBeNull();
    },
  );

  it('decrypts tickets of an older key and encrypts with the first', async () => {
    const older = createTicketKey();
    const { office: before, contents } = openOffice([older]);
    const { office: after } = openOffice([KEY, older]);
    const { office: later } = openOffice([KEY]);
    expect(await after.open(await before.seal(contents, null), null)).toEqual(contents);
    expect(await later.open(await after.seal(contents, null), null)).toEqual(contents);
    expect(await later.open(await before.seal(contents, null), null)).toBeNull();
  });

  it('refuses a ticket with an expired access token, by either expiry', async () => {
    const { office, clock, contents } = openOffice();
    const spent = { ...contents, accessToken: makeAccessToken({ exp: clock.now() / 1_000 - 5 }) };
    const overdue = { ...contents, expiresAtMs: clock.now() - 5_000 };
    const shapeless = { ...contents, accessToken: 'no-token' };
    for (const wrong of [spent, overdue, shapeless]) {
      expect(await office.open(await office.seal(wrong, null), null)).toBeNull();
    }
  });

  it('refuses a ticket encrypted with the right key for another issuer, audience or algorithm, or without expiry', async () => {
    const { office, clock, contents } = openOffice();
    const genuine = await office.seal(contents, null);
    const kid: unknown = JSON.parse(
      new TextDecoder().decode(base64url.decode(genuine.split('.')[0] ?? '')),
    ).kid;
    if (typeof kid !== 'string') throw new Error('a ticket names its key');
    const issuedAt = Math.floor(clock.now() / 1_000);
    const forge = (issuer: string, audience: string, enc: string, end: number | null): Promise<string> => {
      const jwt = new EncryptJWT({
        session_id: contents.sessionId,
        access_token: contents.accessToken,
        expires_at: contents.expiresAtMs,
        websocket_url: contents.websocketUrl,
        connector: contents.connector,
        origin: null,
      })
        .setProtectedHeader({ alg: 'dir', enc, kid })
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(issuedAt);
      return (end === null ? jwt : jwt.setExpirationTime(end)).encrypt(base64url.decode(KEY));
    };
    const [iss, aud, enc, end] = ['natter-token-proxy', 'natter-resume', 'A256GCM', issuedAt + 60] as const;
    expect(await office.open(await forge(iss, aud, enc, end), null)).toEqual({
      ...contents,
      storesContact: false,
    });
    expect(await office.open(await forge('someone', aud, enc, end), null)).toBeNull();
    expect(await office.open(await forge(iss, 'something', enc, end), null)).toBeNull();
    expect(await office.open(await forge(iss, aud, 'A128CBC-HS256', end), null)).toBeNull();
    expect(await office.open(await forge(iss, aud, enc, null), null)).toBeNull();
  });
});
