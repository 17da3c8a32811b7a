import { CLOSE_CODES } from 'natter/protocol';
import type { SessionTraceEvent, TraceEntry } from '../../realtime/trace/index.ts';
import type { Step } from './timeline.ts';
import { shortType, writeBytes, writeMs } from './write-figures.ts';

type Described = Pick<Step, 'kind' | 'summary' | 'rank'>;

const OUTCOMES = {
  accepted: '',
  refused: ', refused',
  limited: ', above the rate',
  unread: ', above the rate and not read',
} as const;

/** Close codes of the standard that the protocol does not name. Source: RFC 6455, 7.4.1. */
const OTHER_CODES: Readonly<Record<number, string>> = { 1005: 'no code', 1006: 'the connection broke' };

/** Describes an entry of a node's trace; null: the log has the same information. */
export function describeTraceEntry({ fact, count, bytes }: TraceEntry): Described | null {
  switch (fact.kind) {
    case 'handshake_refused':
      return { kind: 'handshake', summary: `refused: ${fact.code}${times(count)}`, rank: 0 };
    case 'socket_opened':
      return { kind: 'socket', summary: `socket ${fact.socket} opened, cursor ${fact.cursor}`, rank: 0 };
    case 'frame_received': {
      const what = fact.type === null ? 'frame' : shortType(fact.type);
      const size = `${what}${times(count)}, ${writeBytes(bytes)}`;
      return { kind: 'in', summary: `${size}${OUTCOMES[fact.outcome]}, socket ${fact.socket}`, rank: 1 };
    }
    case 'frame_sent': {
      const size = `${shortType(fact.type)}${times(count)}, ${writeBytes(bytes)}`;
      return { kind: 'out', summary: `${size}, socket ${fact.socket}`, rank: 5 };
    }
    case 'acquired':
      return { kind: 'owner', summary: `the node writes the session, epoch ${fact.epoch}`, rank: 2 };
    case 'released':
      return { kind: 'owner', summary: `the node no longer writes the session: ${fact.why}`, rank: 7 };
    case 'joined':
      return { kind: 'turn', summary: `conversation ${fact.conversationId} began`, rank: 4 };
    case 'committed':
      if (fact.first !== null) return null;
      return { kind: 'stored', summary: `no event, only state${times(count)}`, rank: 3 };
    case 'turn_started':
      return { kind: 'turn', summary: `${nameTurn(fact)} begins${waited(fact.waitedMs)}`, rank: 4 };
    case 'turn_ended':
      return { kind: 'turn', summary: `${fact.turn} ${describeEnd(fact)}`, rank: 6 };
    case 'failed':
      return { kind: 'error', summary: `could not ${fact.what}: ${fact.code}${times(count)}`, rank: 6 };
    case 'warned':
      return { kind: 'error', summary: `${fact.what}${times(count)}`, rank: 1 };
    case 'ended':
      return { kind: 'end', summary: `the session is over: ${fact.reason}`, rank: 8 };
    case 'socket_closed': {
      const summary = `socket ${fact.socket} closed with ${fact.code} (${nameCode(fact.code)})`;
      return { kind: 'socket', summary, rank: 9 };
    }
  }
}

/** How a turn ended, after its name. */
export function describeEnd({
  result,
  ms,
  firstPartMs,
  failure,
}: Extract<SessionTraceEvent, { readonly kind: 'turn_ended' }>): string {
  const first = firstPartMs === null ? ', nothing was said' : `, first words after ${writeMs(firstPartMs)}`;
  const why = failure === null ? '' : `: ${failure}`;
  return `${result} in ${writeMs(ms)}${result === 'aborted' ? '' : first}${why}`;
}

function nameTurn({ turn, sequence }: Extract<SessionTraceEvent, { readonly kind: 'turn_started' }>): string {
  return sequence === null ? turn : `${turn} ${sequence}`;
}

function waited(ms: number | null): string {
  return ms === null ? '' : `, ${writeMs(ms)} after it was stored`;
}

function times(count: number): string {
  return count === 1 ? '' : ` ×${count}`;
}

function nameCode(code: number): string {
  const name = Object.entries(CLOSE_CODES).find(([, known]) => known === code)?.[0];
  const words = name?.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return OTHER_CODES[code] ?? words ?? 'no code of ours';
}
