import { resolveEndpoint } from '../../client/index.ts';
import { isAlwaysOpen, type WidgetChanges, type WidgetOptions } from '../../widget/index.ts';
import { type Call, createCommands, type PanelCommand, type PanelCommands } from '../commands.ts';
import type { Conversation, MakeConversation } from './conversation.ts';

/** The visible state and the draft of a conversation, for the conversation that replaces it. */
export interface VisitorState {
  readonly isOpen: boolean;
  readonly unread: number;
  /** The conversation is connected or connecting. */
  readonly hasStarted: boolean;
  readonly draft: string;
  /** The focus is in the composer. */
  readonly hasFocus: boolean;
}

export const NOTHING_SHOWN: VisitorState = {
  isOpen: false,
  unread: 0,
  hasStarted: false,
  draft: '',
  hasFocus: false,
};

/** One client and its panel, which can be replaced by another. */
export interface Replaceable extends PanelCommands, Pick<Conversation, 'agentName' | 'resume' | 'destroy'> {
  /**
   * Shows options that do not need another client. Those that need no further code are shown at once; resolves when all
   * are shown.
   */
  show(options: WidgetOptions): Promise<void>;
  capture(): VisitorState;
  restore(state: VisitorState): void;
}

/** Makes a client and draws its panel, closed. */
export type MakeReplaceable = (...parts: Parameters<MakeConversation>) => Replaceable;

/** Loads the code and texts that a conversation with these options needs. */
export type PrepareReplaceable = (options: WidgetOptions) => Promise<MakeReplaceable>;

/** Options of the client and of the consent before it. The panel follows all others. */
const CLIENT_DEFAULTS = {
  endpoint: '',
  connector: 'default',
  platform: 'web',
  consent: false,
  keepDraft: true,
  allowInsecure: false,
} as const satisfies Partial<WidgetOptions>;
const CLIENT_OPTIONS = Object.keys(CLIENT_DEFAULTS) as readonly (keyof typeof CLIENT_DEFAULTS)[];

const isSameClient = (one: WidgetOptions, other: WidgetOptions): boolean =>
  CLIENT_OPTIONS.every((name) => clientOption(one, name) === clientOption(other, name));

/** An empty text stands for the default. */
const clientOption = (options: WidgetOptions, name: (typeof CLIENT_OPTIONS)[number]): unknown =>
  options[name] === false ? false : options[name] || CLIENT_DEFAULTS[name];

const opensItself = ({ autoOpen }: WidgetOptions): boolean => autoOpen === true;

/**
 * A conversation whose options change in place if possible. Other changes replace client and panel; the new ones take
 * over the draft, and whether the panel is open. Commands wait until a change is complete.
 */
class ChangeableConversation {
  readonly #prepare: PrepareReplaceable;
  readonly #parts: Parameters<MakeConversation>;
  #inner: Replaceable;
  #shown: WidgetOptions;
  #wanted: WidgetOptions;
  #changing: Promise<void> | null = null;
  #isDestroyed = false;
  /** The page has removed the listeners of client and panel. */
  #isBroken = false;
  /** The latest calls that describe the visitor, which are repeated for the next client. */
  readonly #kept = new Map<PanelCommand, Call>();

  constructor(
    first: WidgetOptions,
    makeFirst: MakeReplaceable,
    prepare: PrepareReplaceable,
    parts: Parameters<MakeConversation>,
  ) {
    this.#prepare = prepare;
    this.#parts = parts;
    this.#shown = first;
    this.#wanted = first;
    this.#inner = makeFirst(...parts);
  }

  get inner(): Replaceable {
    return this.#inner;
  }

  async call(call: Call): Promise<unknown> {
    const { name, how, values, on } = call;
    const isForgotten = name === 'logout' || (name === 'identify' && values[0] === null);
    if (isForgotten) this.#kept.delete('identify');
    else if (how === 'keep') this.#kept.set(name, call);
    await this.#settle();
    try {
      return await on(this.#inner);
    } catch (error) {
      // A rejected call is not repeated.
      if (this.#kept.get(name) === call) this.#kept.delete(name);
      throw error;
    }
  }

  async resume(): Promise<void> {
    await this.#settle();
    await this.#inner.resume();
  }

  /** Recreates client and panel after the page has removed the listeners of both. */
  remake(): Promise<void> {
    this.#isBroken = true;
    return this.update({});
  }

  async update(changes: WidgetChanges): Promise<void> {
    const before = this.#wanted;
    const endpoint = resolveEndpoint(changes.endpoint ?? before.endpoint);
    const wanted = { ...before, ...changes, endpoint } as WidgetOptions;
    this.#wanted = wanted;
    const change = (): Promise<void> => this.#change();
    // After a failed change the next one loads the missing parts.
    const mine = this.#changing ? this.#changing.catch(() => undefined).then(change) : change();
    this.#changing = mine;
    try {
      await mine;
    } finally {
      if (this.#changing === mine) this.#changing = null;
    }
    const isAsked = [opensItself, isAlwaysOpen].some((opens) => opens(this.#wanted) && !opens(before));
    if (isAsked) {
      await this.#settle();
      await this.#inner.open();
    }
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#inner.destroy();
  }

  /** Resolves when no change is in progress. */
  async #settle(): Promise<void> {
    if (this.#changing) await this.#changing.catch(() => undefined);
  }

  async #change(): Promise<void> {
    const next = this.#wanted;
    if (this.#isBroken || !isSameClient(next, this.#shown)) return this.#replace(next);
    this.#shown = next;
    return this.#inner.show(next);
  }

  async #replace(next: WidgetOptions): Promise<void> {
    const make = await this.#prepare(next);
    if (this.#isDestroyed) return;
    this.#isBroken = false;
    const state = this.#inner.capture();
    this.#inner.destroy();
    const [root, button, emitter, presence] = this.#parts;
    let isNew = false;
    // To the page, the panel was ready and open before.
    const emit: typeof emitter.emit = (name, value) => {
      if (isNew || (name !== 'ready' && name !== 'open')) emitter.emit(name, value);
    };
    this.#inner = make(root, button, { ...emitter, emit }, presence);
    this.#shown = next;
    for (const { on } of this.#kept.values()) on(this.#inner).catch(reportError);
    this.#inner.restore(state);
    isNew = true;
  }
}

/** Makes a conversation whose options can be changed. */
export function makeChangeable(
  first: WidgetOptions,
  makeFirst: MakeReplaceable,
  prepare: PrepareReplaceable,
): MakeConversation {
  return (...parts) => {
    const conversation = new ChangeableConversation(first, makeFirst, prepare, parts);
    return {
      ...createCommands(
        (call) => conversation.call(call),
        (changes) => conversation.update(changes),
      ),
      resume: () => conversation.resume(),
      get isOpen() {
        const [root] = parts;
        return root.host.isConnected && conversation.inner.capture().isOpen;
      },
      get unread() {
        return conversation.inner.capture().unread;
      },
      get hasStarted() {
        return conversation.inner.capture().hasStarted;
      },
      get agentName() {
        return conversation.inner.agentName;
      },
      remake: () => conversation.remake(),
      destroy: () => conversation.destroy(),
    };
  };
}
