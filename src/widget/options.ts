import type { ChatErrorCode } from '../client/index.ts';
import type { StringOverrides } from './locales/catalogue.ts';

/** A page of the site, such as its privacy policy. Only `https:` addresses are shown. */
export interface PolicyLink {
  readonly label: string;
  readonly url: string;
}

/**
 * `files`: pictures and files of the visitor, where the token proxy takes them. `feedback`: a thumb up or down for each answer,
 * where the platform or the token proxy takes it (EXT-3). `privacy`: the stored data about the visitor, to be downloaded and
 * deleted. `contact`: a request for an answer by email while no person is there, where the token proxy takes it. `dictation`:
 * speech becomes text, where the browser can. `emoji`: the keys of the system's own picker. `home`: a first screen with greeting,
 * business hours, earlier conversations, and a search in the help articles where the token proxy has one. `history`: copies of the
 * last ten conversations are kept in the browser for 30 days, and `home` lists them. `continue`: a visitor can go on with one of
 * them in a new conversation, whose agent learns how it ended. `details`: the page, time zone, browser and language go with each
 * message, for the people who answer.
 */
export type Feature =
  | 'contact'
  | 'feedback'
  | 'files'
  | 'privacy'
  | 'dictation'
  | 'emoji'
  | 'home'
  | 'history'
  | 'continue'
  | 'details';

/** A message beside the launcher. It is shown as soon as all given conditions are met; at least one is required. */
export interface ProactiveRule {
  /** Identifies the rule when a dismissal is stored: up to 50 letters, digits, `.`, `_` and `-`. */
  readonly id: string;
  /** At most 160 characters. */
  readonly text: string;
  /** The same text in other languages, by BCP-47 tag, for visitors whose panel is in one of them. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Name of the sender, above the text, at most 50 characters. Default: `agentName`, also from `localized`. */
  readonly from?: string;
  /** Path of the page, such as `/fares` or `/help/*`; `*` stands for any characters. */
  readonly page?: string;
  /** The visitor has been on the page for this long. */
  readonly afterSeconds?: number;
  /** How far the visitor has scrolled, from 1 to 100 at the end of the page. */
  readonly scrollPercent?: number;
  /** The pointer leaves the page at its top. Touch screens never meet this condition. */
  readonly exitIntent?: boolean;
  /** Number of the visit, from 1, from which on the rule applies; a tab session is one visit. */
  readonly visits?: number;
}

/** A site's own texts in one language. A missing text falls back to the option of the same name. */
export type SiteTexts = Partial<
  Pick<WidgetOptions, 'agentName' | 'title' | 'welcome' | 'disclaimer' | 'policyLinks'>
>;

/** How the widget looks and behaves on a page. Everything but `endpoint` may be left out. Source: messaging.md 18. */
export interface WidgetOptions {
  /** Base URL of the token proxy, for instance `https://chat.example.com`. */
  readonly endpoint: string;
  /** Name of the connector at the proxy. Default `default`. */
  readonly connector?: string;
  /** Name of the automated agent, instead of the platform's; 1 to 50 characters. */
  readonly agentName?: string;
  /** Address of a picture of the automated agent, instead of the platform's; may be relative to the page. */
  readonly avatarUrl?: string;
  /**
   * Hosts whose pictures are fetched, besides the hosts of the page, `endpoint` and `avatarUrl`: `cdn.example.com`,
   * `*.example.com` for all its subdomains, `*` for every host. A text is read as a list with commas or spaces. Other
   * pictures are shown as links, because the server of a picture learns the visitor's address.
   */
  readonly imageHosts?: readonly string[] | string;
  /** `auto` follows the visitor's system. Default `auto`. */
  readonly theme?: 'light' | 'dark' | 'auto';
  /** Any CSS colour; the rest of the palette is derived from it. Same as the custom property `--natter-accent`. */
  readonly accent?: string;
  /** Side of the page, in reading direction. Default `end`. */
  readonly position?: 'start' | 'end';
  /** BCP-47 tag. Default, and fallback for a language without texts: the browser's. The conversation's language comes first. */
  readonly language?: string;
  /** Label of the launcher until the panel has loaded. Default: the word for a chat in the visitor's language. */
  readonly launcherLabel?: string;
  /** Your own wording by language: each given text replaces the widget's. */
  readonly strings?: StringOverrides;
  /**
   * `fullscreen` fills the window, `inline` the element's place in the page; both open at once and have no launcher.
   * Default `default`.
   */
  readonly renderMode?: 'default' | 'inline' | 'fullscreen';
  /** Opens the chat when the widget is ready, or when this is switched on. Default false. */
  readonly autoOpen?: boolean;
  /**
   * When to fetch the panel and its texts: at the first sign that the visitor is about to open the chat (`intent`), or
   * as soon as the page is idle, so that the first click opens it at once. No session begins before the chat opens.
   * Default `intent`.
   */
  readonly preload?: 'intent' | 'idle';
  /** Default true. */
  readonly showLauncher?: boolean;
  /** Default true, false on `ios`. */
  readonly showHeader?: boolean;
  /** `ios` and `android` mark a native web view; `ios` is always full screen. Default `web`. */
  readonly platform?: 'web' | 'ios' | 'android';
  /** Title of the panel, at most 100 characters. Default: the agent's name. */
  readonly title?: string;
  /** Greeting that replaces the agent's own; at most 100 characters. */
  readonly welcome?: string;
  /** Legal or other small print, at most 500 characters. */
  readonly disclaimer?: string;
  /** Shown with the disclaimer. A text is read as JSON of such a list. */
  readonly policyLinks?: readonly PolicyLink[] | string;
  /** Asks the visitor to agree before each conversation; nothing is sent or stored until then. Default false. */
  readonly consent?: boolean;
  /**
   * Keeps the visitor's unsent text in `sessionStorage` for the next page of the tab, as long as the conversation.
   * Default true.
   */
  readonly keepDraft?: boolean;
  /**
   * Agent name, title, welcome, disclaimer and policy links in other languages, by BCP-47 tag. A text is read as JSON
   * of such an object. Without it, these texts are shown in every language as they are. Source: messaging.md 14.
   */
  readonly localized?: Readonly<Record<string, SiteTexts>> | string;
  /**
   * Hours in which your team answers, such as `Mo-Fr 09:00-17:00; Sa 10:00-14:00`. Outside of them the panel says when
   * the team is back. Default: no hours are shown.
   */
  readonly hours?: string;
  /** Time zone of `hours`, such as `Europe/Berlin`. Default: the visitor's. */
  readonly hoursTimeZone?: string;
  /** `open`: the agent answers outside `hours` as well. `closed`: no new conversation can start. Default `open`. */
  readonly outsideHours?: 'open' | 'closed';
  /**
   * Proactive messages beside the launcher: the first whose conditions are met, one per tab session. A text is read as
   * JSON of such a list. Not shown with `consent`.
   */
  readonly proactive?: readonly ProactiveRule[] | string;
  /** Where to go when the chat cannot help: a page, `mailto:` or `tel:`. */
  readonly contactUrl?: string;
  /** Features that are off by default. A text is read as a list with commas or spaces. */
  readonly features?: readonly Feature[] | string;
  /** Allows `http:` endpoints on loopback hosts, for development. Default false. */
  readonly allowInsecure?: boolean;
}

/** New values of options by name; `undefined` restores a default, and options that are left out stay as they are. */
export type WidgetChanges = { readonly [Name in keyof WidgetOptions]?: WidgetOptions[Name] | undefined };

/** Codes of the `error` event: the chat's codes, and code or texts of the widget that could not be loaded. */
export type WidgetErrorCode = ChatErrorCode | 'PANEL_NOT_LOADED' | 'STRINGS_NOT_LOADED' | 'PART_NOT_LOADED';

/** Details of the widget's events, by event name. */
export interface WidgetEvents {
  /** The panel's code has loaded. */
  ready: undefined;
  open: undefined;
  close: undefined;
  /** The visitor sent a message. */
  send: { readonly text: string };
  /** A message of the agent, or of a person, is complete. */
  message: { readonly text: string; readonly from: 'agent' | 'live_agent' };
  /** Number of messages that arrived since the visitor last had the panel in view. */
  unread: { readonly count: number };
  /** The conversation is over. */
  end: { readonly by: 'user' | 'agent' | 'inactivity' | 'platform' };
  /** The widget, or the page's own code for it, failed; `message` says what to do. */
  error: { readonly code: WidgetErrorCode; readonly message: string };
}

export type EmitWidgetEvent = <K extends keyof WidgetEvents>(name: K, detail: WidgetEvents[K]) => void;
