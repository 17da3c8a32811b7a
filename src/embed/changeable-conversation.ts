import { resolveEndpoint } from '../client/index.ts';
import { isAlwaysOpen, type WidgetChanges, type WidgetOptions } from '../widget/index.ts';
import type { Conversation, MakeConversation } from './conversation.ts';

/** The visible state and the draft of a conversation, for the one that replaces it. */
export interface VisitorState {
  readonly isOpen: boolean;
  readonly unread: number;
  /** The conversation is connected, or on its way. */
  readonly hasStarted: boolean;
  readonly words: string;
  /** The visitor is typing. */
  readonly hasFocus: boolean;
}

export const NOTHING_SHOWN: VisitorState = {
  isOpen: false,
  unread: 0,
  hasStarted: false,
  words: '',
  hasFocus: false,
};

/** One client and its panel, which can be replaced by another. */
export interface Replaceable
  extends Omit<Conversation, 'isOpen' | 'unread' | 'hasStarted' | 'update' | 'setTheme' | 'setLanguage'> {
  /** Shows options that leave the client as it is. The first of it happens at once; resolves when all is shown. */
  show(options: WidgetOptions): Promise<void>;
  look(): VisitorState;
  take(state: VisitorState): void;
}

/** Makes a client and draws its panel, closed. */
export type MakeReplaceable = (...parts: Parameters<MakeConversation>) => Replaceable;

/** Fetches what a conversation with these options needs. */
export type PrepareReplaceable = (options: WidgetOptions) => Promise<MakeReplaceable>;

/** Options of the client and of the consent before it. The panel follows all others. */
const CLIENT_DEFAULTS = {
  endpoint: '',
  connector: 'default',
  platform: 'web',
  consent: false,
  allowInsecure: false,
} as const satisfies Partial<WidgetOptions>;
const CLIENT_OPTIONS = Object.keys(CLIENT_DEFAULTS) as readonly (keyof typeof CLIENT_DEFAULTS)[];

const isSameClient = (one: WidgetOptions, other: WidgetOptions): boolean =>
  CLIENT_OPTIONS.every(
    (name) => (one[name] || CLIENT_DEFAULTS[name]) === (other[name] || CLIENT_DEFAULTS[name]),
  );

const opensItself = ({ autoOpen }: WidgetOptions): boolean => autoOpen === true;

/** The commands that are passed on to the current client. */
type Command = Exclude<keyof Replaceable, 'show' | 'look' | 'take' | 'destroy'>;
/** A record, so that the compiler misses a command. True for words about the visitor, which the next client has to have too. */
const COMMANDS: Readonly<Record<Command, boolean>> = {
  open: false,
  close: false,
  toggle: false,
  resume: false,
  send: false,
  endChat: false,
  newChat: false,
  logout: false,
  identify: true,
  setContext: true,
  onContextRequired: true,
  refreshVerifiedContext: false,
  prefill: false,
  showBubble: false,
  animateLauncher: false,
  doctor: false,
};

/** Calls the function of that name with those parameters; each name has its own types, which the compiler cannot follow here. */
const callByName = (inner: Replaceable, name: Command, parameters: readonly never[]): unknown =>
  (inner[name] as (...given: readonly never[]) => unknown)(...parameters);

/**
 * A conversation whose options change in place where they can. Where they cannot, it replaces client and panel: what the visitor
 * has typed, and whether the panel is open, goes over to the new ones. Commands given meanwhile wait.
 */
class ChangeableConversation {
  readonly #prepare: PrepareReplaceable;
  readonly #parts: Parameters<MakeConversation>;
  #inner: Replaceable;
  #shown: WidgetOptions;
  #wanted: WidgetOptions;
  #changing: Promise<void> | null = null;
  #isDestroyed = false;
  /** Calls with what the page says about its visitor, which are repeated for the next client. */
  readonly #said = new Map<Command, () => Promise<unknown>>();

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

  async call(name: Command, ...parameters: readonly never[]): Promise<unknown> {
    const say = async (): Promise<unknown> => callByName(this.#inner, name, parameters);
    const isForgotten = name === 'logout' || (name === 'identify' && parameters[0] === null);
    if (isForgotten) this.#said.delete('identify');
    else if (COMMANDS[name]) this.#said.set(name, say);
    if (this.#changing) await this.#changing.catch(() => undefined);
    try {
      return await say();
    } catch (error) {
      // A refused call is not repeated.
      if (this.#said.get(name) === say) this.#said.delete(name);
      throw error;
    }
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
    if (isAsked) await this.call('open');
  }

  destroy(): void {
    this.#isDestroyed = true;
    this.#inner.destroy();
  }

  async #change(): Promise<void> {
    const next = this.#wanted;
    if (!isSameClient(next, this.#shown)) return this.#replace(next);
    this.#shown = next;
    return this.#inner.show(next);
  }

  async #replace(next: WidgetOptions): Promise<void> {
    const make = await this.#prepare(next);
    if (this.#isDestroyed) return;
    const state = this.#inner.look();
    this.#inner.destroy();
    const [root, button, emitter] = this.#parts;
    let isNews = false;
    this.#inner = make(root, button, {
      ...emitter,
      // The panel was ready, and open, before.
      emit: (name, value) => {
        if (isNews || (name !== 'ready' && name !== 'open')) emitter.emit(name, value);
      },
    });
    this.#shown = next;
    for (const say of this.#said.values()) say().catch(reportError);
    this.#inner.take(state);
    isNews = true;
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
    // Each name with the parameters and the result that it has there.
    const calls = Object.fromEntries(
      Object.keys(COMMANDS).map((name) => [
        name,
        (...parameters: never[]) => conversation.call(name as Command, ...parameters),
      ]),
    ) as unknown as Pick<Replaceable, Command>;
    return {
      ...calls,
      get isOpen() {
        return conversation.inner.look().isOpen;
      },
      get unread() {
        return conversation.inner.look().unread;
      },
      get hasStarted() {
        return conversation.inner.look().hasStarted;
      },
      update: (changes) => conversation.update(changes),
      setTheme: (theme) => conversation.update({ theme }),
      setLanguage: (language) => conversation.update({ language }),
      destroy: () => conversation.destroy(),
    };
  };
}
