import type { ChatRespondBody } from '@natter/sdk';
import {
  type Agent,
  type AgentHistoryEntry,
  type AgentTurn,
  type CollectedTurn,
  collectTurn,
  withStateVariables,
} from '../../agents/index.ts';
import { recordTurn } from '../../realtime/conversation/index.ts';
import type { ConversationTurn } from '../../realtime/event-log/index.ts';
import type { ExternalState, OpenWait } from '../../realtime/external-events/index.ts';
import { RestError, type RestServices } from '../rest/index.ts';
import type { Chat } from './chat.ts';
import type { PendingEvent } from './pending-events.ts';

/** A finished turn with its entry for the record. */
export interface ChatStep {
  readonly turn: CollectedTurn;
  readonly record: ConversationTurn;
  /** The wait whose end this turn reports to the agent; null for a user's turn. */
  readonly endedWait: OpenWait | null;
}

/** Runs the turns of the agents. */
export class ChatTurns {
  readonly #services: RestServices;
  readonly #controller = new AbortController();

  constructor(services: RestServices) {
    this.#services = services;
  }

  /** Aborts the running turns. */
  stop(): void {
    this.#controller.abort(new Error('The platform is shutting down.'));
  }

  /** Finds an agent. Fails with 400 when it does not exist. */
  findAgent(name: string, projectId: string): Agent {
    const agent = this.#services.findAgent(name, projectId);
    if (agent !== null) return agent;
    throw new RestError(
      400,
      'CHAT_DRAFT_NOT_EXIST',
      'The draft you are attempting to chat with does not exist.',
    );
  }

  run(
    agent: Agent,
    chat: Chat,
    input: Pick<AgentTurn, 'kind' | 'text' | 'history' | 'metadata' | 'event' | 'externalEvents'>,
  ): Promise<CollectedTurn> {
    const { clock, timeouts, onFailure } = this.#services;
    const { integrationAttributes } = chat;
    return collectTurn({
      agent,
      clock,
      timeouts,
      onFailure,
      signal: this.#controller.signal,
      storedState: chat.agentState,
      turn: {
        ...input,
        language: chat.language,
        state: withStateVariables(chat.agentState, {
          integration_attributes: integrationAttributes ?? undefined,
        }),
        contextVault: {},
        conversationId: chat.conversationId,
        ...(integrationAttributes !== null && { integrationAttributes }),
        ...(chat.variantId !== null && { variantId: chat.variantId }),
      },
    });
  }

  /** Runs the agent's turns: one for each ended wait, then the one for the message. */
  async answer(
    agent: Agent,
    begun: Chat,
    call: {
      readonly body: ChatRespondBody;
      readonly arrivedAtMs: number;
      readonly history: readonly AgentHistoryEntry[];
      readonly pending: readonly PendingEvent[];
      readonly external: ExternalState;
    },
  ): Promise<readonly ChatStep[]> {
    const { clock } = this.#services;
    const { body, arrivedAtMs } = call;
    const { message: text = '', metadata } = body;
    const steps: ChatStep[] = [];
    let chat = begun;
    for (const pending of [...call.pending, null]) {
      const answers = steps.map(({ turn }) => ({ author: 'agent' as const, text: turn.answerText }));
      const turn = await this.run(agent, chat, {
        ...(pending === null ? { kind: 'message', text } : { kind: 'event', text: '', event: pending.event }),
        history: [...call.history, ...answers.filter((line) => line.text !== '')],
        externalEvents: call.external.received,
        ...(metadata !== undefined && { metadata }),
      });
      const input =
        pending === null
          ? ({ kind: 'message', text, messageId: null, queuedAtMs: arrivedAtMs } as const)
          : ({ kind: 'event', text: '', messageId: null, queuedAtMs: null } as const);
      const record = { ...recordTurn(input, turn, clock.now()), metadata: metadata ?? {} };
      steps.push({ turn, record, endedWait: pending?.wait ?? null });
      if (turn.kind === 'failed' || turn.next.type !== 'continue') break;
      chat = { ...chat, language: turn.language, agentState: turn.state };
    }
    return steps;
  }
}
