import { randomBytes } from 'node:crypto';
import type { AgentTurn, WaitForEventAction } from '../agent.ts';
import type { Memory } from './memory.ts';
import type { Reply } from './reply.ts';
import { type Token, tokenize } from './text/tokenize.ts';

/**
 * Something the agent starts and another system finishes, for example a payment: it explains to the visitor what to do,
 * waits for the external event, and says how it went.
 */
export interface EventFlow {
  /** Name of the event, for the records and for the turn that follows. */
  readonly name: string;
  /** Phrases that start it. A message starts it if it has all topic words of one phrase. */
  readonly phrases: readonly string[];
  /** Instructions for the visitor. `{event_id}` stands for the id that the other system must send back. */
  readonly text: string;
  readonly receivedText: string;
  readonly timedOutText: string;
  readonly timeoutMs: number;
}

const topicStems = (tokens: readonly Token[]): readonly string[] =>
  tokens.filter(({ isStopWord }) => !isStopWord).map(({ stem }) => stem);

/** The flow a message starts, if any: the one whose phrase says most. */
export function flowStartedBy(text: string, flows: readonly EventFlow[]): EventFlow | null {
  if (flows.length === 0) return null;
  const said = new Set(topicStems(tokenize(text)));
  const matches = flows.flatMap((flow) =>
    flow.phrases
      .map((phrase) => topicStems(tokenize(phrase)))
      .filter((stems) => stems.length > 0 && stems.every((stem) => said.has(stem)))
      .map((stems) => ({ flow, size: stems.length })),
  );
  matches.sort((one, other) => other.size - one.size);
  return matches[0]?.flow ?? null;
}

/** Explains to the visitor what to do, and waits. */
export function startFlow(flow: EventFlow, eventId: string, memory: Memory): Reply {
  const wait: WaitForEventAction = {
    type: 'wait_for_event',
    name: flow.name,
    timeoutMs: flow.timeoutMs,
    eventId,
  };
  return {
    intent: flow.name,
    text: flow.text.replaceAll('{event_id}', eventId),
    waits: [wait],
    memory: { ...memory, hasOfferedPerson: false, misses: 0 },
  };
}

/** Says how a flow went, or null when the event belongs to none. */
export function finishFlow(
  event: NonNullable<AgentTurn['event']>,
  flows: readonly EventFlow[],
): Reply | null {
  const flow = flows.find(({ name }) => name === event.name);
  if (flow === undefined) return null;
  return event.received === null
    ? { intent: `${flow.name}_timed_out`, text: flow.timedOutText }
    : { intent: `${flow.name}_received`, text: flow.receivedText };
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** An external event id: `evt_` and a ULID (`rest.md`, EE-3). */
export function createEventId(nowMs: number, random: Uint8Array = randomBytes(16)): string {
  const time = Array.from(
    { length: 10 },
    (_, place) => CROCKFORD[Math.floor(nowMs / 32 ** (9 - place)) % 32],
  );
  const chance = Array.from(random.subarray(0, 16), (byte) => CROCKFORD[byte % 32]);
  return `evt_${[...time, ...chance].join('')}`;
}
