import type { AgentExternalEvent, AgentTurn, WaitForEventAction } from '../agents/index.ts';
import type { Clock } from './clock.ts';

type EventOfTurn = NonNullable<AgentTurn['event']>;

/** What a conversation waits for from outside, and what has come. Lives with the session on its node. */
export class ExternalWaits {
  readonly #clock: Clock;
  readonly #onOver: (event: EventOfTurn) => void;
  readonly #waiting = new Map<string, { readonly eventId: string | null; readonly cancel: () => void }>();
  #received: readonly AgentExternalEvent[] = [];

  constructor(clock: Clock, onOver: (event: EventOfTurn) => void) {
    this.#clock = clock;
    this.#onOver = onOver;
  }

  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Everything that has come so far, in order. */
  get received(): readonly AgentExternalEvent[] {
    return this.#received;
  }

  /** Begins to wait; a wait of the same name is replaced. */
  add({ name, timeoutMs, eventId }: WaitForEventAction): void {
    this.#waiting.get(name)?.cancel();
    const cancel = this.#clock.setTimer(() => {
      this.#waiting.delete(name);
      this.#onOver({ name, received: null });
    }, timeoutMs);
    this.#waiting.set(name, { eventId: eventId ?? null, cancel });
  }

  /** Takes in an event: by its id if the agent gave one out, else by its name. */
  receive(event: AgentExternalEvent): void {
    const match = [...this.#waiting].find(([name, wait]) =>
      wait.eventId === null ? name === event.name : wait.eventId === event.id,
    );
    const received = match === undefined ? event : { ...event, name: match[0] };
    this.#received = [...this.#received, received];
    if (match === undefined) return;
    match[1].cancel();
    this.#waiting.delete(match[0]);
    this.#onOver({ name: match[0], received });
  }

  clear(): void {
    for (const { cancel } of this.#waiting.values()) cancel();
    this.#waiting.clear();
  }
}
