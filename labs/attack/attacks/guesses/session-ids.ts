import { randomUUID } from 'node:crypto';
import type { Attack } from '../../attack.ts';
import { countPlaces } from '../../peers/count-places.ts';
import { type HostileSession, join, startSession } from '../../peers/hostile-session.ts';

/** A session id in the spellings that a UUID has, and in others. */
function spellings({ sessionId }: HostileSession): readonly { readonly kind: string; readonly id: string }[] {
  return [
    { kind: 'own', id: sessionId.toUpperCase() },
    { kind: 'own', id: sessionId.replace(/[a-f]/, (letter) => letter.toUpperCase()) },
    { kind: 'other', id: `{${sessionId}}` },
    { kind: 'other', id: sessionId.replaceAll('-', '') },
    { kind: 'other', id: ` ${sessionId}` },
    { kind: 'other', id: `${sessionId}\u0000` },
    { kind: 'other', id: randomUUID() },
    { kind: 'other', id: '../../../test/etc/passwd' },
    { kind: 'other', id: "' OR 1=1 --" },
    { kind: 'other', id: '__proto__' },
    { kind: 'other', id: 'a'.repeat(10_000) },
  ];
}

/** Handshakes for a session in upper case, and for invalid ids. */
export const sessionIds: Attack = {
  name: 'session-ids',
  summary: 'opens sockets under upper-case, mixed-case and made-up session ids',
  allowed: ['own: 101', /^other: (?:101|400|401|404|429)$/],
  required: ['own: 101', 'other: 404', 'all 10 places'],
  async run(context) {
    const session = await startSession(context);
    const ids = spellings(session);
    await context.repeat(4, { small: ids.length * 3, full: 10_000 }, async (index) => {
      const spelling = ids[index % ids.length];
      if (spelling === undefined) return;
      const { status, socket } = await join(context, { ...session, sessionId: spelling.id });
      context.count(`${spelling.kind}: ${status}`);
      await socket?.leave(index % 2 === 0 ? 'reset' : 'destroy');
    });
    // Sockets under any spelling share the places of the one session.
    const upper = { ...session, sessionId: session.sessionId.toUpperCase() };
    const joined = await Promise.all(Array.from({ length: 10 }, () => join(context, upper)));
    const { status, socket } = await join(context, session);
    if (status !== 429) context.count(`an eleventh socket under another spelling: ${status}`);
    await Promise.all([socket?.leave(), ...joined.map((each) => each.socket?.leave())]);
    await countPlaces(context, session);
  },
};
