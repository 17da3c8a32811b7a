import type { ContextHandler, PageFacts, PageUser, SendOutcome } from '../client/index.ts';
import type { WidgetChanges } from '../widget/index.ts';
import type { DoctorReport } from './doctor/doctor.ts';
import type { LauncherAnimation } from './launcher/animate-launcher.ts';
import type { BubbleOptions } from './launcher/bubble.ts';

/** Commands of the page to the chat. They wait for the panel if it has not loaded yet. */
export interface WidgetCommands {
  /** Opens the panel and leaves the focus where it is. */
  open(): Promise<void>;
  close(): Promise<void>;
  /** What a click on the launcher does. */
  toggle(): Promise<void>;
  /** Sends as if the visitor had written it. */
  send(text: string): Promise<SendOutcome>;
  /** Ends the conversation for good. */
  endChat(): Promise<void>;
  /** Leaves an ended conversation behind and starts another. */
  newChat(): Promise<void>;
  /** Ends the conversation, forgets it here and at the proxy, and closes the panel. */
  logout(): Promise<void>;
  /**
   * Identifies the visitor; the agent learns it with the next message, unverified. A conversation of another user ends, is
   * forgotten here and at the proxy, and another begins. Null is `logout`. Rejects where the facts are too many or too long.
   */
  identify(user: PageUser | null): Promise<void>;
  /** Facts of the page for the agent, unchecked, in place of those before. Rejects where they are too many or too long. Source: MET-2. */
  setContext(facts: PageFacts): Promise<void>;
  /**
   * Sets the handler that gets a signed token from your backend before the agent is asked in. The last one counts. What became
   * of it is reported by the `context` event. Source: VCI-2 to VCI-7.
   */
  onContextRequired(handler: ContextHandler): Promise<void>;
  /** Runs that handler again for the running conversation. Source: VCI-8. */
  refreshVerifiedContext(): Promise<void>;
  /**
   * Puts a text into the composer, for the visitor to send. It replaces the text of an earlier call that the visitor left as it
   * was. Where the visitor has typed something else, their words stay and nothing happens. An empty text takes it back.
   */
  prefill(text: string): Promise<void>;
  /**
   * Changes options; undefined restores a default, missing options stay. All but `endpoint`, `connector`, `platform`,
   * `consent`, `keepDraft` and `allowInsecure` change in place. Those set the chat up anew, with the words that the visitor has typed and open
   * if it was. Resolves when the change is shown; rejects when a part for it cannot be loaded.
   */
  update(changes: WidgetChanges): Promise<void>;
  setTheme(theme: 'light' | 'dark' | 'auto'): Promise<void>;
  /**
   * Shows the widget in another language; one that there are no texts for is passed over. Resolves when the texts are
   * shown, or when they did not load, which the `error` event reports. The conversation's own language
   * goes before it.
   */
  setLanguage(tag: string): Promise<void>;
  /** Shows a text beside the launcher; a click on it opens the chat. An empty text takes it away. */
  showBubble(bubble: string | BubbleOptions): Promise<void>;
  /** Moves the launcher for a moment, unless the visitor asked for less motion. */
  animateLauncher(animation?: LauncherAnimation): Promise<void>;
  showLauncher(): Promise<void>;
  hideLauncher(): Promise<void>;
  /** Checks the page, the network and the servers, and describes the faults. */
  doctor(): Promise<DoctorReport>;
}

type When = 'load' | 'wait' | 'check' | 'keep';

/** Commands that change an option. */
type ChangeCommand = 'setTheme' | 'setLanguage' | 'showLauncher' | 'hideLauncher';

/** The commands of a page that the panel has a function for. */
export type PanelCommand = Exclude<keyof WidgetCommands, 'update' | ChangeCommand>;

/** Commands whose argument is checked before the panel is there: `findFault` has the checks. */
export type CheckedCommand = 'identify' | 'setContext' | 'onContextRequired' | 'prefill';

/**
 * How each command runs. `load` fetches the panel and runs there. `wait` runs once the panel is there, and fetches nothing.
 * `check` is the same with a check of its argument at once. `keep` is the same with words about the visitor, which are said
 * again to the client that replaces this one. A function gives the changes that `update` is called with.
 */
const COMMANDS: {
  readonly [Name in PanelCommand]: Name extends CheckedCommand ? 'check' | 'keep' : 'load' | 'wait';
} & { readonly [Name in ChangeCommand]: (...given: Given<Name>) => WidgetChanges } = {
  open: 'load',
  close: 'load',
  toggle: 'load',
  send: 'load',
  endChat: 'load',
  newChat: 'load',
  logout: 'load',
  identify: 'keep',
  setContext: 'keep',
  onContextRequired: 'keep',
  refreshVerifiedContext: 'wait',
  prefill: 'check',
  showBubble: 'load',
  animateLauncher: 'load',
  doctor: 'load',
  setTheme: (theme) => ({ theme }),
  setLanguage: (language) => ({ language }),
  showLauncher: () => ({ showLauncher: true }),
  hideLauncher: () => ({ showLauncher: false }),
};

/** Commands that the panel accepts: those from the page, and a click that came before the panel existed. */
export interface PanelCommands extends Pick<WidgetCommands, PanelCommand> {
  /** With `true` it closes nothing. */
  toggle(mustOpen?: boolean): Promise<void>;
}

/** One call of a command, which can be made on any panel. */
export interface Call {
  readonly name: PanelCommand;
  readonly how: When;
  /** Its parameters, unchecked: pages are written without types too. */
  readonly given: readonly unknown[];
  on(panel: PanelCommands): Promise<unknown>;
}

/** Every command, for a page and for the launcher. */
export type Commands = PanelCommands & Omit<WidgetCommands, PanelCommand>;

/** The table and a panel, with parameters that the types of `Commands` have checked. */
type Entry = readonly [PanelCommand, When | ((...given: readonly unknown[]) => WidgetChanges)];
type Functions = Readonly<Record<PanelCommand, (...given: readonly unknown[]) => Promise<unknown>>>;

type Given<Name extends keyof WidgetCommands> = Parameters<Commands[Name]>;

/** Makes all commands: `run` receives commands for the panel, `update` receives changed options. */
export function createCommands(
  run: (call: Call) => Promise<unknown>,
  update: WidgetCommands['update'],
): Commands {
  const commands: Partial<Record<keyof WidgetCommands, unknown>> = { update };
  const entries = Object.entries(COMMANDS) as readonly Entry[];
  for (const [name, how] of entries)
    commands[name] = (...given: readonly unknown[]) =>
      typeof how === 'function'
        ? update(how(...given))
        : run({ name, how, given, on: (panel) => (panel as unknown as Functions)[name](...given) });
  // Each name has its own parameters and result, which a loop over the names loses.
  return commands as unknown as Commands;
}
