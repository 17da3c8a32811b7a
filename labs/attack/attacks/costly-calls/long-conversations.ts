import { request as httpRequest } from 'node:http';
import type { Attack, AttackContext } from '../../attack.ts';
import { encodeEvent } from '../../peers/frames.ts';
import { converse, type HostileSession, startSession } from '../../peers/hostile-session.ts';
import type { HostileWebSocket } from '../../peers/hostile-web-socket.ts';

// As long as a frame may be, with what stands around the text.
const MESSAGE_BYTES = 130_000;
const MESSAGES = { small: 15, full: 10_000 };
// The refill of section 16.
const MESSAGE_EVERY_MS = 200;
const READERS = { small: 1, full: 3 };
const ANSWER_MS = 60_000;

/**
 * Visitors who say as much as the rates let them, each word another, while their project's conversations are listed again and
 * again; their sockets stay, so that the node keeps its memory of open sessions.
 */
export const longConversations: Attack = {
  name: 'long-conversations',
  summary: 'says as much as the rates allow in ten sessions, and lists all of it meanwhile',
  seconds: 30,
  allowed: [/^HTTP (?:200|429)$/, 'list broken off'],
  required: ['HTTP 200'],
  async run(context) {
    const peers = context.pick({ small: 2, full: 10 });
    const sessions = await Promise.all(Array.from({ length: peers }, () => startSession(context)));
    let isOver = false;
    const readers = Array.from({ length: context.pick(READERS) }, async () => {
      do await list(context);
      while (!isOver && !context.signal.aborted);
    });
    const sockets = await Promise.all(sessions.map((session, index) => talk(context, session, index)));
    isOver = true;
    await Promise.all(readers);
    await Promise.all(sockets.map((socket) => socket?.leave()));
  },
};

async function talk(
  context: AttackContext,
  session: HostileSession,
  peer: number,
): Promise<HostileWebSocket | null> {
  const socket = await converse(context, session);
  for (let sent = 0; socket !== null && sent < context.pick(MESSAGES) && !context.signal.aborted; sent += 1) {
    await socket.write(encodeEvent('USER_MESSAGE', { text: textOf(peer, sent) }));
    await context.pause(MESSAGE_EVERY_MS);
  }
  return socket;
}

/** Words that no other message has: the index of words grows with each. */
function textOf(peer: number, sent: number): string {
  let text = '';
  for (let word = 0; text.length < MESSAGE_BYTES; word += 1) text += `w${peer}x${sent}x${word} `;
  return text.slice(0, MESSAGE_BYTES);
}

/** Reads the list of the attackers' project to its end, and keeps nothing of it. */
function list(context: AttackContext): Promise<void> {
  const { platformPort, account, attackerProject, chatKey } = context.stack;
  return new Promise((resolve) => {
    const call = httpRequest({
      host: '127.0.0.1',
      port: platformPort,
      localAddress: context.nextAddress(),
      path: `/v3/${account}/${attackerProject}/conversations?limit=100`,
      headers: { 'X-Api-Key': chatKey },
      agent: false,
      timeout: ANSWER_MS,
    });
    const end = (outcome: string): void => {
      context.count(outcome);
      resolve();
    };
    call.on('timeout', () => call.destroy());
    call.on('error', () => end('list broken off'));
    call.on('response', (response) => {
      response.on('error', () => end('list broken off'));
      response.on('end', () => end(`HTTP ${response.statusCode}`));
      response.resume();
    });
    call.end();
  });
}
