/** How a widget is set up. Everything but `endpoint` has a default. */
export interface WidgetOptions {
  /** Base URL of the token proxy, for instance `https://chat.example.com`. */
  readonly endpoint: string;
  /** Name of the connector at the proxy. Default `default`. */
  readonly connector?: string;
  /** The agent's name before it has said it itself. 1 to 50 characters. */
  readonly agentName?: string;
  /** The agent's picture before it has sent one. */
  readonly avatarUrl?: string;
  /** Name of the dialog, for people who hear the page. Default: "Chat with" and the agent's name. */
  readonly title?: string;
  readonly theme?: 'light' | 'dark' | 'auto';
  /** Any CSS colour; the palette is made from it. `--natter-accent` on the element or the page does the same. */
  readonly accent?: string;
  /** The corner: at the end of a line of text, or at its start. Default `end`. */
  readonly position?: 'end' | 'start';
  /** BCP-47 tag. Default: the page's or the browser's language. */
  readonly language?: string;
  /** `fullscreen` fills the viewport and shows no launcher. Default `default`. */
  readonly renderMode?: 'default' | 'fullscreen';
  /** Opens as soon as it is set up. Default false. */
  readonly autoOpen?: boolean;
  /** Default true. */
  readonly showLauncher?: boolean;
  /** Default true; false on `ios`. */
  readonly showHeader?: boolean;
  /** `ios` and `android` mark a native web view; sessions then report `ios-web` and `android-web`. Default `web`. */
  readonly platform?: 'web' | 'ios' | 'android';
  /** A sentence under the composer, at most 500 characters. */
  readonly disclaimer?: string;
  /** Where to turn when the chat cannot be reached. */
  readonly contactUrl?: string;
}

/** What follows from the options: a native web view on iOS fills the screen and has no header. Source: messaging.md 18. */
export function completeOptions(options: WidgetOptions): WidgetOptions & {
  readonly renderMode: 'default' | 'fullscreen';
  readonly showLauncher: boolean;
  readonly showHeader: boolean;
} {
  const isIos = options.platform === 'ios';
  const renderMode = isIos ? 'fullscreen' : (options.renderMode ?? 'default');
  return {
    ...options,
    renderMode,
    showLauncher: renderMode !== 'fullscreen' && (options.showLauncher ?? true),
    showHeader: options.showHeader ?? !isIos,
  };
}
