import { resolveEndpoint } from '../client/index.ts';
import type { Conversation, MakeConversation } from './conversation.ts';
import type { WidgetChanges, WidgetOptions } from './widget-options.ts';

/** What the visitor sees and has typed, for the conversation that takes the place of another. */
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

/** One client and its panel, which another may take the place of. */
export interface Replaceable
  extends Omit<Conversation, 'isOpen' | 'unread' | 'update' | 'setTheme' | 'setLanguage'> {
  /** Shows options that leave the client as it is. The first of it happens at once; resolves when all is shown. */
  show(options: WidgetOptions): Promise<void>;
  look(): VisitorState;
  take(state: VisitorState): void;
}

/** Makes a client and draws its panel, closed. */
export type MakeReplaceable = (...parts: Parameters<MakeConversation>) => Replaceable;

/** Options that the client is made of, or the question before it. All others are followed by the panel. */
const CLIENT_DEFAULTS = {
  endpoint: '',
  connector: 'default',
  platform: 'web',
  consent: false,
  allowInsecure: false,
} as const satisfies Partial<WidgetOptions>;
const CLIENT_OPTIONS = Object.keys(CLIENT_DEFAULTS) as readonly (keyof typeof CLIENT_DEFAULTS)[];

/** What a page says about its visitor, which the next client has to hear as well. */
const PAGE_WORDS: readonly PropertyKey[] = ['identify', 'setContext', 'onContextRequired'];

const isSameClient = (one: WidgetOptions, other: WidgetOptions): boolean =>
  CLIENT_OPTIONS.every(
    (name) => (one[name] || CLIENT_DEFAULTS[name]) === (other[name] || CLIENT_DEFAULTS[name]),
  );

const opensItself = ({ autoOpen }: WidgetOptions): boolean => autoOpen === true;
const hasNoLauncher = ({ renderMode }: WidgetOptions): boolean =>
  renderMode === 'fullscreen' || renderMode === 'inline';

/**
 * A conversation whose options change in place where they can. Where they cannot, it replaces client and panel: what the visitor
 * has typed, and whether the panel is open, goes over to the new ones. Commands given meanwhile wait.
 */
export function makeChangeable(
  first: WidgetOptions,
  makeFirst: MakeReplaceable,
  prepare: (options: WidgetOptions) => Promise<MakeReplaceable>,
): MakeConversation {
  return (root, button, emitter) => {
    let inner = makeFirst(root, button, emitter);
    /** As they are shown, and as they are wanted. */
    let shown = first;
    let wanted = first;
    let changing: Promise<void> | null = null;
    let isDestroyed = false;
    const said = new Map<PropertyKey, () => Promise<unknown>>();

    async function replace(next: WidgetOptions): Promise<void> {
      const make = await prepare(next);
      if (isDestroyed) return;
      const state = inner.look();
      inner.destroy();
      let isNews = false;
      inner = make(root, button, {
        ...emitter,
        // The panel was ready, and open, before.
        emit: (name, value) => {
          if (isNews || (name !== 'ready' && name !== 'open')) emitter.emit(name, value);
        },
      });
      shown = next;
      for (const say of said.values()) say().catch(reportError);
      inner.take(state);
      isNews = true;
    }

    async function change(): Promise<void> {
      const next = wanted;
      if (!isSameClient(next, shown)) return replace(next);
      shown = next;
      return inner.show(next);
    }

    async function update(changes: WidgetChanges): Promise<void> {
      const before = wanted;
      wanted = {
        ...wanted,
        ...changes,
        endpoint: resolveEndpoint(changes.endpoint ?? wanted.endpoint),
      } as WidgetOptions;
      // After a failed change the next one loads the missing parts.
      const mine = changing ? changing.catch(() => undefined).then(change) : change();
      changing = mine;
      try {
        await mine;
      } finally {
        if (changing === mine) changing = null;
      }
      const isAsked = [opensItself, hasNoLauncher].some((opens) => opens(wanted) && !opens(before));
      if (isAsked) await calls.open();
    }

    const call =
      (name: keyof Replaceable) =>
      async (...parameters: never[]): Promise<never> => {
        const say = async (): Promise<never> => (inner[name] as (...given: never[]) => never)(...parameters);
        const isForgotten = name === 'logout' || (name === 'identify' && parameters[0] === null);
        if (isForgotten) said.delete('identify');
        else if (PAGE_WORDS.includes(name)) said.set(name, say);
        if (changing) await changing.catch(() => undefined);
        try {
          return await say();
        } catch (error) {
          // A refused call is not repeated.
          if (said.get(name) === say) said.delete(name);
          throw error;
        }
      };
    const { show, look, take, destroy, ...commands } = inner;
    // Each name with the parameters and the result that it has there.
    const calls = Object.fromEntries(
      Object.keys(commands).map((name) => [name, call(name as keyof Replaceable)]),
    ) as unknown as typeof commands;
    return {
      ...calls,
      get isOpen() {
        return inner.look().isOpen;
      },
      get unread() {
        return inner.look().unread;
      },
      update,
      setTheme: (theme) => update({ theme }),
      setLanguage: (language) => update({ language }),
      destroy() {
        isDestroyed = true;
        inner.destroy();
      },
    };
  };
}
