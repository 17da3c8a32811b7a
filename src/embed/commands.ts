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
  /** Does the same as a click on the launcher. */
  toggle(): Promise<void>;
  /** Sends a message as if the visitor had written it. */
  send(text: string): Promise<SendOutcome>;
  /** Ends the conversation for good. */
  endChat(): Promise<void>;
  /** Starts a new conversation after the end of one. */
  newChat(): Promise<void>;
  /** Ends the conversation, deletes it here and at the proxy, and closes the panel. */
  logout(): Promise<void>;
  /**
   * Identifies the visitor. The agent receives the data, unverified, with the next message. A conversation of another
   * user ends, is deleted here and at the proxy, and a new one starts. `null` is the same as `logout`. Rejects if the
   * data has too many attributes, or one that is too long.
   */
  identify(user: PageUser | null): Promise<void>;
  /**
   * Passes metadata of the page to the agent, unverified, and replaces the metadata of earlier calls. Rejects if there
   * are too many attributes, or one is too long. Source: MET-2.
   */
  setContext(facts: PageFacts): Promise<void>;
  /**
   * Sets the handler that fetches a signed token from your backend before the agent joins; it replaces an earlier
   * handler. The `context` event reports the outcome of each run. Source: VCI-2 to VCI-7.
   */
  onContextRequired(handler: ContextHandler): Promise<void>;
  /** Runs that handler again for the running conversation. Source: VCI-8. */
  refreshVerifiedContext(): Promise<void>;
  /**
   * Puts a text into the composer, for the visitor to send. It replaces the text of an earlier call, unless the visitor
   * has changed that. A text that the visitor has typed stays. An empty text removes the prefilled one.
   */
  prefill(text: string): Promise<void>;
  /**
   * Changes options. `undefined` restores a default; missing options stay as they are. `endpoint`, `connector`,
   * `platform`, `consent`, `keepDraft` and `allowInsecure` restart the chat, which keeps the visitor's draft and stays
   * open if it was; all others change in place. Resolves when the change is visible; rejects if code that it needs
   * cannot be loaded.
   */
  update(changes: WidgetChanges): Promise<void>;
  setTheme(theme: 'light' | 'dark' | 'auto'): Promise<void>;
  /**
   * Shows the widget in another language; a language without texts is ignored. Resolves when the texts are visible, or
   * could not be loaded, which the `error` event reports. The language of the conversation has priority.
   */
  setLanguage(tag: string): Promise<void>;
  /** Shows a text beside the launcher; a click on it opens the chat. An empty text removes it. */
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

/** Commands whose argument `findFault` checks before the panel has loaded. */
export type CheckedCommand = 'identify' | 'setContext' | 'onContextRequired' | 'prefill';

/**
 * How each command runs. `load` loads the panel and runs there. `wait` runs when the panel has loaded, but does not
 * load it. `check` does the same, and checks its argument at once. `keep` is a `check` whose call describes the
 * visitor, and is repeated for a client that replaces this one. A function returns the changes for `update`.
 */
const COMMANDS: {
  readonly [Name in PanelCommand]: Name extends CheckedCommand ? 'check' | 'keep' : 'load' | 'wait';
} & { readonly [Name in ChangeCommand]: (...values: ParametersOf<Name>) => WidgetChanges } = {
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

/** Commands that the panel accepts: those of the page, and clicks on the launcher. */
export interface PanelCommands extends Pick<WidgetCommands, PanelCommand> {
  /** `mustOpen`: a click that arrived before the panel existed may open it, never close it. */
  toggle(mustOpen?: boolean): Promise<void>;
}

/** One call of a command. It can run on any panel. */
export interface Call {
  readonly name: PanelCommand;
  readonly how: When;
  /** Values of its parameters, unchecked, because pages may be written without types. */
  readonly values: readonly unknown[];
  on(panel: PanelCommands): Promise<unknown>;
}

/** Every command, for a page and for the launcher. */
export type Commands = PanelCommands & Omit<WidgetCommands, PanelCommand>;

/** An entry of the table, and the functions of a panel, both without the exact types of `Commands`. */
type Entry = readonly [PanelCommand, When | ((...values: readonly unknown[]) => WidgetChanges)];
type Functions = Readonly<Record<PanelCommand, (...values: readonly unknown[]) => Promise<unknown>>>;

type ParametersOf<Name extends keyof WidgetCommands> = Parameters<Commands[Name]>;

/** Makes all commands: `run` receives commands for the panel, `update` receives changed options. */
export function createCommands(
  run: (call: Call) => Promise<unknown>,
  update: WidgetCommands['update'],
): Commands {
  const commands: Partial<Record<keyof WidgetCommands, unknown>> = { update };
  const entries = Object.entries(COMMANDS) as readonly Entry[];
  for (const [name, how] of entries)
    commands[name] = (...values: readonly unknown[]) =>
      typeof how === 'function'
        ? update(how(...values))
        : run({ name, how, values, on: (panel) => (panel as unknown as Functions)[name](...values) });
  // Each name has its own parameters and result, which the compiler loses in a loop over the names.
  return commands as unknown as Commands;
}
