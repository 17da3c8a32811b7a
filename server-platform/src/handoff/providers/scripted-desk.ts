import { type Clock, sleep } from '../../kit/clock.ts';
import {
  type HandoffLink,
  HandoffRefusedError,
  type HandoffSession,
  type LiveAgent,
  type ServerHandoffProvider,
} from '../session/index.ts';
import type { ScriptedDeskConfig } from './handoff-provider-config.ts';

const FAREWELL = /\b(?:bye|goodbye|that(?:'s| is) all|nothing else|no,? thanks?(?: you)?)\b/i;

/**
 * A desk without human agents, for development and tests: plays a queue with positions and waiting times, then a person who
 * types, answers and leaves; or one of the ways in which no person comes about. Source: messaging.md 8.3, 8.5.
 */
export function createScriptedDesk(config: ScriptedDeskConfig, clock: Clock): ServerHandoffProvider {
  return {
    managed: 'server',
    serves: () => true,
    async open(_request, session) {
      if (config.outcome === 'refuses')
        throw new HandoffRefusedError('The scripted desk accepts no hand-offs.');
      if (config.outcome === 'unavailable') throw new Error('The scripted desk is closed.');
      return new ScriptedPlay(config, clock, session).begin({ isLive: false });
    },
    async resume({ isLive }, session) {
      return new ScriptedPlay(config, clock, session).begin({ isLive });
    },
  };
}

/** One hand-off at the desk. Its steps run one after the other. */
class ScriptedPlay {
  readonly #config: ScriptedDeskConfig;
  readonly #clock: Clock;
  readonly #session: HandoffSession;
  readonly #person: LiveAgent;
  readonly #over = new AbortController();
  #acts: Promise<void> = Promise.resolve();
  #heard = 0;

  constructor(config: ScriptedDeskConfig, clock: Clock, session: HandoffSession) {
    this.#config = config;
    this.#clock = clock;
    this.#session = session;
    this.#person = {
      id: `scripted-${config.agentName.toLowerCase().match(/\w+/g)?.join('-')}`,
      name: config.agentName,
      avatarUrl: config.agentAvatarUrl,
    };
  }

  begin({ isLive }: { readonly isLive: boolean }): HandoffLink {
    if (!isLive) this.#then(() => this.#queue());
    return {
      reference: null,
      sendMessage: async ({ text }) => {
        if (this.#config.losesMessages) throw new Error('The scripted desk loses messages.');
        this.#then(() => this.#answer(text));
      },
      // The script does not react to typing.
      sendTyping() {},
      close: () => this.#over.abort(),
    };
  }

  #then(act: () => Promise<void>): void {
    this.#acts = this.#acts.then(async () => {
      if (!this.#over.signal.aborted) await act();
    });
  }

  /** Resolves with false when the hand-off ended meanwhile. */
  async #wait(delayMs: number): Promise<boolean> {
    await sleep(this.#clock, delayMs, this.#over.signal);
    return !this.#over.signal.aborted;
  }

  async #queue(): Promise<void> {
    const { queueName, positions, stepMs, outcome, greeting } = this.#config;
    await this.#session.accepted(queueName);
    for (let position = positions; position > 0; position -= 1) {
      await this.#session.queueChanged({
        queueName,
        positionInQueue: position,
        estimatedWaitSeconds: Math.ceil((position * stepMs) / 1000),
      });
      if (!(await this.#wait(stepMs))) return;
      if (outcome === 'fails') return await this.#session.failed('The queue has closed.');
      if (outcome === 'nobody_joins') return;
    }
    await this.#session.agentJoined(this.#person);
    await this.#say(greeting);
  }

  async #answer(text: string): Promise<void> {
    const { answers, goodbye, leavesAfter } = this.#config;
    this.#heard += 1;
    if (this.#heard < leavesAfter && !FAREWELL.test(text)) {
      await this.#say(answers[(this.#heard - 1) % answers.length] ?? '');
      return;
    }
    if (await this.#say(goodbye)) await this.#session.agentLeft(this.#person, 'end');
    this.#over.abort();
  }

  async #say(text: string): Promise<boolean> {
    const { typingMs } = this.#config;
    await this.#session.agentTyping(this.#person, 'TYPING_STATE_STARTED');
    if (!(await this.#wait(typingMs))) return false;
    await this.#session.agentSent({ agent: this.#person, text });
    await this.#session.agentTyping(this.#person, 'TYPING_STATE_STOPPED');
    return true;
  }
}
