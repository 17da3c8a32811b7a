import type { ConversationChange } from '../../server-platform/src/realtime/event-log/index.ts';
import { type Chance, createChance } from './chance.ts';
import { LANGUAGES, type Phrases, PLACES, type Topic } from './phrases.ts';

/** Channel, project and time of a conversation. */
export interface Setting {
  /** The run's seed number. */
  readonly seed: number;
  /** Place of the conversation in the run; decides everything else about it. */
  readonly index: number;
  readonly projectId: string;
  readonly connectorId: string | null;
  readonly startedAtMs: number;
  /** Nothing happens after it: a conversation that would continue is in progress. */
  readonly untilMs: number;
}

type Turn = NonNullable<ConversationChange['turns']>[number];

const CHANNELS: readonly (readonly [number, string])[] = [
  [0.55, 'WEBCHAT'],
  [0.25, 'VOICE-SIP'],
  [0.08, 'CHAT'],
  [0.07, 'SMS'],
  [0.05, 'WHATSAPP'],
];
const VARIANTS: readonly (readonly [number, { readonly id: string; readonly name: string }])[] = [
  [0.6, { id: 'harbour', name: 'Harbour' }],
  [0.3, { id: 'open-sea', name: 'Open sea' }],
  [0.1, { id: 'night-watch', name: 'Night watch' }],
];
const ENVIRONMENTS: readonly (readonly [number, string])[] = [
  [0.95, 'live'],
  [0.04, 'sandbox'],
  [0.01, 'pre-release'],
];
const DESTINATIONS = ['service-desk', 'bookings', 'complaints', 'terminal-office'];
const REASONS = ['COMPLEX_QUERY', 'AGENT_DECISION', 'POLICY'];
// Set aside for fiction: no real subscriber can be called by mistake.
const AGENT_NUMBERS = ['+441632960001', '+441632960002', '+441632960003'];
const DAY_MS = 86_400_000;

/** One conversation with a ferry company's assistant; the same for the same seed, index and times. */
export function believableConversation(setting: Setting): ConversationChange {
  const { seed, index, startedAtMs, untilMs } = setting;
  const chance = createChance(seed, index);
  const channel = chance.weighted(CHANNELS);
  const phrases = chance.weighted(LANGUAGES);
  const variant = chance.weighted(VARIANTS);
  const isCall = channel === 'VOICE-SIP';
  const talk = new Talk(chance, phrases, startedAtMs, isCall);
  talk.greet();
  const topic = chance.pick(phrases.topics);
  const questions = countQuestions(chance);
  for (let asked = 0; asked < questions; asked += 1) {
    if (isCall && chance.isTrue(0.06)) talk.staySilent();
    if (chance.isTrue(0.04)) talk.askSomethingStrange();
    else talk.ask(chance.isTrue(0.75) ? topic : chance.pick(phrases.topics));
  }
  const isHandedOff = chance.isTrue(0.11);
  if (isHandedOff) talk.askForPerson();
  else if (chance.isTrue(0.45)) talk.sayThanks();
  const leftMs = talk.nowMs;
  // After a hand-off a person talks on; otherwise the visitor leaves, or forgets the open window.
  const silenceMs = chance.isTrue(0.25) ? 1_800_000 : chance.between(2_000, 45_000);
  const endMs = leftMs + (isHandedOff ? chance.between(60_000, 1_500_000) : silenceMs) + longStay(chance);
  const turns = talk.turns.filter(({ atMs }) => atMs <= untilMs);
  const handoff = {
    atMs: leftMs,
    reason: chance.pick(REASONS),
    destination: chance.pick(DESTINATIONS),
    data: { language: phrases.language, topic: topic.intent },
  };
  const reason = isHandedOff ? 'handoff' : silenceMs === 1_800_000 ? 'timed_out' : 'user';
  return {
    id: `CONV-${ulid(startedAtMs, chance)}`,
    start: {
      atMs: startedAtMs,
      projectId: setting.projectId,
      connectorId: isCall ? null : setting.connectorId,
      variantId: variant.id,
      variantName: variant.name,
      environment: chance.weighted(ENVIRONMENTS),
      channel,
      language: phrases.language,
      fromNumber: isCall ? `+4477009${String(chance.between(0, 99_999)).padStart(5, '0')}` : '',
      toNumber: isCall ? chance.pick(AGENT_NUMBERS) : '',
      sharedId: chance.isTrue(0.1) ? `crm-${chance.between(1, 999_999_999)}` : null,
    },
    turns,
    handoff: isHandedOff && leftMs <= untilMs ? handoff : undefined,
    end: endMs <= untilMs ? { atMs: endMs, reason } : undefined,
  };
}

/** Most ask once or twice, a few ask many times. */
function countQuestions(chance: Chance): number {
  let count = 1;
  while (count < 14 && chance.isTrue(0.58)) count += 1;
  return count;
}

/** One window in a thousand stays open for days. */
function longStay(chance: Chance): number {
  return chance.isTrue(0.001) ? chance.between(DAY_MS, 2 * DAY_MS) : 0;
}

/** A conversation as it grows. */
class Talk {
  readonly turns: Turn[] = [];
  readonly #chance: Chance;
  readonly #phrases: Phrases;
  readonly #isCall: boolean;
  readonly #state: Record<string, unknown> = {};
  nowMs: number;

  constructor(chance: Chance, phrases: Phrases, startedAtMs: number, isCall: boolean) {
    this.#chance = chance;
    this.#phrases = phrases;
    this.#isCall = isCall;
    this.nowMs = startedAtMs;
  }

  greet(): void {
    this.#add({ kind: 'greeting', agentResponse: this.#chance.pick(this.#phrases.greetings) });
  }

  ask(topic: Topic): void {
    const details = this.#details();
    const question = fill(this.#chance.pick(topic.questions), details);
    const isChanged = this.#state['topic'] !== topic.intent;
    this.#state['topic'] = topic.intent;
    this.#add({
      kind: 'message',
      userInput: question,
      agentResponse: fill(this.#chance.pick(topic.answers), details),
      intents: [topic.intent],
      entities: Object.fromEntries(Object.entries(details).filter(([, value]) => question.includes(value))),
      metrics: {
        TOPIC: topic.intent,
        ...(this.#chance.isTrue(0.2) && { ANSWER_SCORE: this.#chance.between(1, 5) }),
      },
      contextState: isChanged ? { ...this.#state } : undefined,
      bargeIn: this.#isCall && this.#chance.isTrue(0.08),
      userInputDtmf: this.#isCall && this.#chance.isTrue(0.05) ? `${this.#chance.between(1, 9)}#` : '',
    });
  }

  askSomethingStrange(): void {
    this.#add({
      kind: 'message',
      userInput: this.#chance.pick(this.#phrases.strange),
      agentResponse: this.#chance.pick(this.#phrases.ignorance),
      intents: ['out_of_domain'],
      isOod: true,
    });
  }

  staySilent(): void {
    this.#add({
      kind: 'message',
      agentResponse: this.#chance.pick(this.#phrases.stillThere),
      isSilence: true,
    });
  }

  askForPerson(): void {
    this.#add({
      kind: 'message',
      userInput: this.#chance.pick(this.#phrases.personPlease),
      agentResponse: this.#chance.pick(this.#phrases.handingOver),
      intents: ['handoff'],
    });
  }

  sayThanks(): void {
    this.#add({
      kind: 'message',
      userInput: this.#chance.pick(this.#phrases.thanks),
      agentResponse: this.#chance.pick(this.#phrases.farewells),
      intents: ['thanks'],
    });
  }

  #add(turn: Pick<Turn, 'kind' | 'agentResponse'> & Partial<Turn>): void {
    const chance = this.#chance;
    // The user reads and writes; the agent answers after half a second, seldom after five.
    if (turn.kind === 'message') this.nowMs += chance.between(3_000, this.#isCall ? 12_000 : 60_000);
    const inputAtMs = turn.kind === 'message' ? this.nowMs : null;
    const latencyMs = Math.round(250 * Math.exp(chance.next() * 2 + (chance.isTrue(0.03) ? 1 : 0)));
    const answeredAtMs = this.nowMs + latencyMs;
    this.nowMs = answeredAtMs + turn.agentResponse.length * chance.between(5, 15);
    const isFailed = turn.kind === 'message' && chance.isTrue(0.004);
    this.turns.push({
      ...turn,
      ...(isFailed && { agentResponse: '', failure: 'timeout' }),
      userInputAtMs: inputAtMs,
      agentResponseAtMs: isFailed ? null : answeredAtMs,
      latencyMs: isFailed ? null : latencyMs,
      metadata: turn.kind === 'message' ? { message_id: `msg_${ulid(this.nowMs, chance)}` } : {},
      atMs: this.nowMs,
    });
  }

  #details(): Readonly<Record<string, string>> {
    const chance = this.#chance;
    return {
      place: chance.pick(PLACES),
      day: chance.pick(this.#phrases.days),
      time: `${String(chance.between(5, 23)).padStart(2, '0')}:${chance.pick(['05', '20', '35', '50'])}`,
      number: `KW${chance.between(100_000, 999_999)}`,
      count: String(chance.between(2, 9)),
    };
  }
}

function fill(text: string, details: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (slot, name: string) => details[name] ?? slot);
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function ulid(atMs: number, chance: Chance): string {
  let text = '';
  for (let rest = atMs, digit = 0; digit < 10; digit += 1) {
    text = CROCKFORD.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  for (let digit = 0; digit < 16; digit += 1) text += CROCKFORD.charAt(Math.floor(chance.next() * 32));
  return text;
}
