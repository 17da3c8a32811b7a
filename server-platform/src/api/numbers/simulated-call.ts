import { randomBytes } from 'node:crypto';
import {
  type Agent,
  type AgentHistoryEntry,
  type AgentTurn,
  type CollectedTurn,
  collectTurn,
  withStateVariables,
} from '../../agents/index.ts';
import { createConversationId } from '../../db/ids/index.ts';
import { recordHandoff, recordTurn, whyOf } from '../../realtime/conversation/index.ts';
import {
  type ConversationChange,
  type ConversationEndReason,
  writeConversations,
} from '../../realtime/event-log/index.ts';
import { loadExternalState, openWait } from '../../realtime/external-events/index.ts';
import type { RestServices } from '../rest/index.ts';
import type { Attributes } from './number-pool.ts';

/** A caller's turn: speech, keys, or neither, which is a silence. */
export type CallerTurn = {
  readonly text: string;
  readonly dtmf: string;
  /** Whether the caller interrupted the agent. */
  readonly barge_in: boolean;
};

/** Facts of a connected call. */
export type CallMetadata = {
  readonly agent: Agent;
  readonly projectId: string;
  /** Null: the number was not reserved. */
  readonly attributes: Attributes | null;
  readonly environment: string;
  readonly language: string;
  readonly from: string;
  readonly to: string;
  /** Aborted when the caller hangs up during the call. */
  readonly signal: AbortSignal;
};

/** Result of a call, as returned by the route. */
export type CallReport = {
  readonly conversation_id: string;
  readonly integration_attributes: Attributes;
  readonly turns: readonly {
    readonly user_input: string;
    readonly user_input_dtmf: string;
    readonly is_silence: boolean;
    readonly barge_in: boolean;
    readonly agent_response: string;
  }[];
  /** How it ended: by the caller after the last turn, by the agent, a handoff, or a failure of the agent. */
  readonly ended_by: ConversationEndReason;
  readonly handoff?: { readonly destination: string; readonly reason: string };
};

const GREETING: CallerTurn = { text: '', dtmf: '', barge_in: false };

/** A call without a telephone, recorded turn by turn. */
export class SimulatedCall {
  readonly #services: RestServices;
  readonly #metadata: CallMetadata;
  readonly #id: string;
  /** Call id in the telephone network's format. */
  readonly #callSid = `CA${randomBytes(16).toString('hex')}`;
  readonly #turns: CallReport['turns'][number][] = [];
  readonly #history: AgentHistoryEntry[] = [];
  #state: AgentTurn['state'] = {};
  #language: string;
  #handoff: CallReport['handoff'];

  constructor(services: RestServices, metadata: CallMetadata) {
    this.#services = services;
    this.#metadata = metadata;
    this.#language = metadata.language;
    this.#id = createConversationId(services.clock.now());
  }

  /** Runs the greeting and then the caller's turns, until one of them ends the call. */
  async run(turns: readonly CallerTurn[]): Promise<CallReport> {
    const { clock, database } = this.#services;
    await writeConversations(database, [this.#start()]);
    let endedBy: ConversationEndReason = 'user';
    try {
      for (const [index, turn] of [GREETING, ...turns].entries()) {
        const outcome = await this.#take(turn, index === 0 ? 'greeting' : 'message');
        if (outcome === null) continue;
        endedBy = outcome;
        break;
      }
    } catch (error) {
      endedBy = this.#metadata.signal.aborted ? 'user' : 'failed';
      throw error;
    } finally {
      await this.#write({ end: { atMs: clock.now(), reason: endedBy } });
    }
    return {
      conversation_id: this.#id,
      integration_attributes: this.#metadata.attributes ?? {},
      turns: this.#turns,
      ended_by: endedBy,
      ...(this.#handoff && { handoff: this.#handoff }),
    };
  }

  /** Runs and records one turn; returns how it ended the call, or null. */
  async #take(caller: CallerTurn, kind: 'greeting' | 'message'): Promise<ConversationEndReason | null> {
    const { clock } = this.#services;
    const { agent, signal } = this.#metadata;
    const atMs = clock.now();
    // Keys count as the caller's text.
    const text = caller.text === '' ? caller.dtmf : caller.text;
    const outcome = await collectTurn({
      agent,
      turn: await this.#agentTurn(kind, text, caller),
      storedState: this.#state,
      clock,
      timeouts: this.#services.timeouts,
      onFailure: this.#services.onFailure,
      signal,
    });
    await this.#record(caller, kind, outcome, atMs);
    if (text !== '') this.#history.push({ author: 'user', text });
    if (outcome.answerText !== '') this.#history.push({ author: 'agent', text: outcome.answerText });
    if (outcome.kind === 'failed') {
      this.#services.onFailure('answer a simulated call', outcome.cause);
      return 'failed';
    }
    this.#state = outcome.state;
    this.#language = outcome.language;
    const owner = { conversationId: this.#id, sessionId: null, projectId: this.#metadata.projectId };
    for (const wait of outcome.waits)
      await openWait(this.#services.database, owner, wait, { nowMs: clock.now() });
    if (outcome.next.type === 'continue') return null;
    if (outcome.next.type === 'end') return 'agent';
    this.#handoff = { destination: outcome.next.destination, reason: whyOf(outcome.next) };
    return 'handoff';
  }

  async #agentTurn(
    kind: 'greeting' | 'message',
    text: string,
    caller: CallerTurn,
  ): Promise<Omit<AgentTurn, 'signal'>> {
    const { received } = await loadExternalState(this.#services.database, this.#id);
    const { from, to, attributes } = this.#metadata;
    return {
      kind,
      text,
      history: [...this.#history],
      language: this.#language,
      state: withStateVariables(this.#state, {
        from_: from,
        to,
        call_sid: this.#callSid,
        integration_attributes: attributes ?? undefined,
      }),
      contextVault: {},
      conversationId: this.#id,
      integrationAttributes: attributes ?? {},
      metadata: { dtmf: caller.dtmf, barge_in: caller.barge_in },
      externalEvents: received,
    };
  }

  async #record(
    caller: CallerTurn,
    kind: 'greeting' | 'message',
    outcome: CollectedTurn,
    atMs: number,
  ): Promise<void> {
    const { text, dtmf, barge_in: bargeIn } = caller;
    const isSilence = kind === 'message' && text.trim() === '' && dtmf === '';
    const input = { kind, text, messageId: null, queuedAtMs: atMs };
    const nowMs = this.#services.clock.now();
    const turn = { ...recordTurn(input, outcome, nowMs), userInputDtmf: dtmf, bargeIn, isSilence };
    const isHandoff = outcome.kind === 'answered' && outcome.next.type === 'handoff';
    await this.#write({
      turns: [turn],
      ...(outcome.kind === 'answered' && { language: outcome.language }),
      ...(isHandoff && { handoff: recordHandoff(outcome.next, nowMs) }),
    });
    this.#turns.push({
      user_input: text,
      user_input_dtmf: dtmf,
      is_silence: isSilence,
      barge_in: bargeIn,
      agent_response: outcome.answerText,
    });
  }

  async #write(change: Omit<ConversationChange, 'id'>): Promise<void> {
    await writeConversations(this.#services.database, [{ ...change, id: this.#id }]);
  }

  #start(): ConversationChange {
    const { projectId, environment, language, from, to, attributes } = this.#metadata;
    const sharedId = attributes?.['shared_id'];
    return {
      id: this.#id,
      start: {
        atMs: this.#services.clock.now(),
        projectId,
        connectorId: null,
        variantId: '',
        variantName: '',
        environment,
        channel: 'VOICE-SIP',
        language,
        fromNumber: from,
        toNumber: to,
        // Source: DN-4.
        sharedId: typeof sharedId === 'string' ? sharedId : null,
      },
    };
  }
}
