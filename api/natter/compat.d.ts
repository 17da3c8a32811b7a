import {
  ChatErrorCode,
  ConnectionStatus,
  ContextHandler,
  ContextResult,
  FrameTrace,
  PageFacts,
  PageUser,
  SendOutcome,
  SessionStatus,
} from "natter/client";
import {
  ContextHandler as ContextHandler$1,
} from "natter";
interface ContactTexts {
  readonly offer: string;
  readonly hint: string;
  readonly name: string;
  readonly email: string;
  readonly text: string;
  readonly send: string;
  readonly cancel: string;
  readonly thanks: string;
  readonly failed: string;
  readonly refused: string;
}
interface FeedbackTexts {
  readonly good: string;
  readonly bad: string;
  readonly reasonGood: string;
  readonly reasonBad: string;
  readonly send: string;
  readonly skip: string;
  readonly thanks: string;
  readonly notSaved: string;
}
interface HomeTexts {
  readonly home: string;
  readonly greeting: string;
  readonly write: string;
  readonly goOn: string;
  readonly search: string;
  readonly found: string;
  readonly none: string;
  readonly failed: string;
  readonly ask: string;
  readonly popular: string;
  readonly openPage: string;
  readonly noArticle: string;
  readonly earlier: string;
  readonly forget: string;
  readonly back: string;
  readonly copy: string;
  readonly writeAgain: string;
  readonly copyToContinue: string;
  readonly continuePast: string;
}
interface HoursTexts {
  readonly present: string;
  readonly always: string;
  readonly away: string;
  readonly agentAnswers: string;
  readonly closed: string;
}
interface NoticeTexts {
  readonly passed: string;
}
interface PrivacyTexts {
  readonly title: string;
  readonly back: string;
  readonly reading: string;
  readonly inBrowser: string;
  readonly onPlatform: string;
  readonly nothing: string;
  readonly note: string;
  readonly noteWithPast: string;
  readonly past: string;
  readonly ticket: string;
  readonly undelivered: string;
  readonly transcript: string;
  readonly user: string;
  readonly sound: string;
  readonly siteMessages: string;
  readonly messages: string;
  readonly files: string;
  readonly left: string;
  readonly since: string;
  readonly shared: string;
  readonly page: string;
  readonly timeZone: string;
  readonly browser: string;
  readonly language: string;
  readonly earlierEnd: string;
  readonly kept: string;
  readonly unavailable: string;
  readonly unreachable: string;
  readonly download: string;
  readonly erase: string;
  readonly confirm: string;
  readonly confirmErase: string;
  readonly cancel: string;
  readonly erasing: string;
  readonly failed: string;
  readonly erased: string;
  readonly partly: string;
}
interface SurveyTexts {
  readonly title: string;
  readonly question: string;
  readonly low: string;
  readonly high: string;
  readonly score: string;
  readonly comment: string;
  readonly send: string;
  readonly skip: string;
  readonly thanks: string;
}
interface ToolTexts {
  readonly files: string;
  readonly attach: string;
  readonly drop: string;
  readonly uploading: string;
  readonly remove: string;
  readonly retry: string;
  readonly waiting: string;
  readonly heldBack: string;
  readonly tooLarge: string;
  readonly wrongType: string;
  readonly empty: string;
  readonly refused: string;
  readonly notUploaded: string;
  readonly dictate: string;
  readonly denied: string;
  readonly unheard: string;
  readonly failed: string;
  readonly emoji: string;
  readonly emojiKeys: string;
}
declare const strings: {
  readonly openChat: 'Open chat';
  readonly openChatUnread: {
    readonly one: 'Open chat, {count} unread message';
    readonly other: 'Open chat, {count} unread messages';
  };
  readonly closeChat: 'Close chat';
  readonly dismiss: 'Dismiss';
  readonly conversation: 'Conversation';
  readonly defaultAgentName: 'Assistant';
  readonly greeting: 'Hello! How can I help?';
  readonly roleAgent: 'Automated agent';
  readonly rolePerson: 'A member of our team';
  readonly tagAgent: 'Automated';
  readonly tagPerson: 'Person';
  readonly demonstration: 'Demonstration';
  readonly you: 'You';
  readonly says: '{name} says:';
  readonly youSaid: 'You said:';
  readonly menu: 'More';
  readonly menuCopy: 'Copy conversation';
  readonly menuSave: 'Download transcript';
  readonly menuPrint: 'Print';
  readonly menuSound: 'Sound';
  readonly menuEndChat: 'End chat';
  readonly confirmEnd: 'End this chat?';
  readonly confirmEndNo: 'Keep chatting';
  readonly composerLabel: 'Message';
  readonly composerPlaceholder: 'Write a message…';
  readonly composerEnded: 'Write to start a new chat…';
  readonly send: 'Send message';
  readonly stopAnswer: 'Stop the answer';
  readonly answerStopped: 'Stopped';
  readonly suggestions: 'Suggested replies';
  readonly typing: '{name} is typing';
  readonly toLatest: 'Go to the latest message';
  readonly copy: 'Copy';
  readonly copied: 'Copied';
  readonly copyMessage: 'Copy message';
  readonly copyCode: 'Copy code';
  readonly code: 'Code';
  readonly showMore: 'Show more';
  readonly showLess: 'Show less';
  readonly sources: 'Sources';
  readonly openLink: 'Open';
  readonly opensNewTab: 'opens in a new tab';
  readonly openImage: 'Open image';
  readonly imageFailed: 'This image couldn’t be loaded.';
  readonly actualSize: 'Actual size';
  readonly closeImage: 'Close image';
  readonly call: 'Call {number}';
  readonly sending: 'Sending…';
  readonly sent: 'Sent';
  readonly queuedMessage: 'Waiting to send';
  readonly notSent: 'Not sent.';
  readonly notSentTooLong: 'Not sent: too long.';
  readonly notSentEnded: 'Not sent: the chat has ended.';
  readonly tryAgain: 'Try again';
  readonly remove: 'Remove';
  readonly connecting: 'Connecting…';
  readonly reconnecting: 'Reconnecting…';
  readonly retryIn: 'Connection lost. Trying again {time}.';
  readonly tryNow: 'Try now';
  readonly turnBased: 'Live agents aren’t available on this network.';
  readonly offline: 'You’re offline. We’ll reconnect when you’re back online.';
  readonly offlineQueued: 'You’re offline. Your message will be sent when you’re back online.';
  readonly failedConnection: 'We couldn’t reach the chat. Check your connection and try again.';
  readonly failedExpired: 'This conversation has expired. You can start a new one.';
  readonly failedUnavailable: 'Chat isn’t available right now. Please try again later.';
  readonly failedRejected: 'This chat isn’t set up for this site.';
  readonly contactUs: 'Contact us';
  readonly endedByUser: 'You ended this chat.';
  readonly endedByAgent: '{name} ended this chat.';
  readonly endedByInactivity: 'This chat was closed due to inactivity.';
  readonly ended: 'This chat has ended.';
  readonly newChat: 'Start a new chat';
  readonly newChatBelow: 'New chat';
  readonly consent: 'I consent and start chat';
  readonly handoffStarted: 'Connecting you to our team';
  readonly handoffAccepted: 'You’re in the queue';
  readonly handoffAcceptedQueue: 'You’re in the queue for {queue}';
  readonly handoffRequired: 'Please continue with {route}';
  readonly handoffRequiredUnknown: 'Please contact our team to continue';
  readonly handoffFailed: 'We couldn’t connect you to our team';
  readonly handoffTimedOut: 'Nobody is free right now';
  readonly handoffNobody: 'If nobody is free, {name} will keep helping you.';
  readonly deskHours: 'Our team is available {hours}';
  readonly handoffCancel: 'Back to {name}';
  readonly handoffCancelled: 'You’re back with {name}';
  readonly personJoined: '{name} joined the chat';
  readonly personHere: '{name} has joined';
  readonly someoneJoined: 'Someone from our team joined the chat';
  readonly personLeft: '{name} left the chat';
  readonly someoneLeft: 'Our team member left the chat';
  readonly languageChanged: 'This chat continues in {language}';
  readonly idleWarning: 'Still there? This chat will close soon unless you reply.';
  readonly idleWarningIn: 'Still there? This chat will close {time} unless you reply.';
  readonly queuePosition: 'You’re number {position} in the queue';
  readonly queueNext: 'You’re next in the queue';
  readonly queueWaiting: 'Waiting for our team';
  readonly queueWait: 'about {time}';
  readonly queueWaitShort: 'less than a minute';
  readonly newMessage: 'New message from {name}';
  readonly newMessages: {
    readonly one: '{count} new message';
    readonly other: '{count} new messages';
  };
  readonly tableRows: {
    readonly one: 'Table, {count} row.';
    readonly other: 'Table, {count} rows.';
  };
};
type Counted = {
  readonly other: string;
} & Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>;
type Strings = { readonly [Key in keyof typeof strings]: (typeof strings)[Key] extends string ? string : Counted; };
interface PartTexts {
  readonly contact: ContactTexts;
  readonly feedback: FeedbackTexts;
  readonly home: HomeTexts;
  readonly hours: HoursTexts;
  readonly notices: NoticeTexts;
  readonly privacy: PrivacyTexts;
  readonly survey: SurveyTexts;
  readonly tools: ToolTexts;
}
type PartOverrides = { readonly [Part in keyof PartTexts]?: Partial<PartTexts[Part]>; };
type StringOverrides = Readonly<Record<string, Partial<Strings> & PartOverrides>>;
interface PolicyLink {
  readonly label: string;
  readonly url: string;
}
type Feature =
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
interface ProactiveRule {
  readonly id: string;
  readonly text: string;
  readonly texts?: Readonly<Record<string, string>>;
  readonly from?: string;
  readonly page?: string;
  readonly afterSeconds?: number;
  readonly scrollPercent?: number;
  readonly exitIntent?: boolean;
  readonly visits?: number;
}
type SiteTexts = Partial<Pick<WidgetOptions,
    | 'agentName'
    | 'title'
    | 'welcome'
    | 'disclaimer'
    | 'policyLinks'>>;
interface WidgetOptions {
  readonly endpoint: string;
  readonly connector?: string;
  readonly agentName?: string;
  readonly avatarUrl?: string;
  readonly imageHosts?: readonly string[] | string;
  readonly theme?: 'light' | 'dark' | 'auto';
  readonly accent?: string;
  readonly position?: 'start' | 'end';
  readonly language?: string;
  readonly launcherLabel?: string;
  readonly strings?: StringOverrides;
  readonly renderMode?: 'default' | 'inline' | 'fullscreen';
  readonly autoOpen?: boolean;
  readonly preload?: 'intent' | 'idle';
  readonly showLauncher?: boolean;
  readonly showHeader?: boolean;
  readonly platform?: 'web' | 'ios' | 'android';
  readonly title?: string;
  readonly welcome?: string;
  readonly disclaimer?: string;
  readonly policyLinks?: readonly PolicyLink[] | string;
  readonly consent?: boolean;
  readonly keepDraft?: boolean;
  readonly localized?: Readonly<Record<string, SiteTexts>> | string;
  readonly hours?: string;
  readonly hoursTimeZone?: string;
  readonly outsideHours?: 'open' | 'closed';
  readonly proactive?: readonly ProactiveRule[] | string;
  readonly contactUrl?: string;
  readonly features?: readonly Feature[] | string;
  readonly allowInsecure?: boolean;
}
type WidgetChanges = { readonly [Name in keyof WidgetOptions]?: WidgetOptions[Name] | undefined; };
type WidgetErrorCode = ChatErrorCode | 'PANEL_NOT_LOADED' | 'STRINGS_NOT_LOADED' | 'PART_NOT_LOADED';
interface WidgetEvents$1 {
  ready: undefined;
  open: undefined;
  close: undefined;
  send: {
    readonly text: string;
  };
  message: {
    readonly text: string;
    readonly from: 'agent' | 'live_agent';
  };
  unread: {
    readonly count: number;
  };
  end: {
    readonly by:
    | 'user'
    | 'agent'
    | 'inactivity'
    | 'platform';
  };
  error: {
    readonly code: WidgetErrorCode;
    readonly message: string;
  };
}
interface DoctorFinding {
  readonly check:
    | 'secure context'
    | 'token proxy'
    | 'origin'
    | 'platform'
    | 'clock'
    | 'socket'
    | 'host'
    | 'agent'
    | 'storage'
    | 'policy'
    | 'pictures'
    | 'viewport'
    | 'duplicates'
    | 'presence'
    | 'texts'
    | 'handlers';
  readonly status: 'ok' | 'warning' | 'fault';
  readonly message: string;
}
interface DoctorReport {
  readonly findings: readonly DoctorFinding[];
  readonly text: string;
}
interface LauncherAnimation {
  readonly type?: 'bounce' | 'grow' | 'pulse';
  readonly durationMs?: number;
}
interface BubbleOptions {
  readonly text: string;
  readonly from?: string;
  readonly delayMs?: number;
  readonly durationMs?: number;
  readonly onDismiss?: () => void;
}
interface WidgetCommands {
  open(): Promise<void>;
  close(): Promise<void>;
  toggle(): Promise<void>;
  send(text: string): Promise<SendOutcome>;
  endChat(): Promise<void>;
  newChat(): Promise<void>;
  logout(): Promise<void>;
  identify(user: PageUser | null): Promise<void>;
  setContext(facts: PageFacts): Promise<void>;
  onContextRequired(handler: ContextHandler): Promise<void>;
  refreshVerifiedContext(): Promise<void>;
  prefill(text: string): Promise<void>;
  update(changes: WidgetChanges): Promise<void>;
  setTheme(theme: 'light' | 'dark' | 'auto'): Promise<void>;
  setLanguage(tag: string): Promise<void>;
  showBubble(bubble: string | BubbleOptions): Promise<void>;
  animateLauncher(animation?: LauncherAnimation): Promise<void>;
  showLauncher(): Promise<void>;
  hideLauncher(): Promise<void>;
  doctor(): Promise<DoctorReport>;
}
interface WidgetEvents extends WidgetEvents$1 {
  readonly connection: ConnectionStatus;
  readonly session: SessionStatus;
  readonly context: ContextResult;
  readonly frame: FrameTrace;
}
type WidgetEventName = keyof WidgetEvents;
interface NatterWidget extends WidgetCommands {
  readonly isOpen: boolean;
  readonly unread: number;
  on<Name extends WidgetEventName>(name: Name, handler: (value: WidgetEvents[Name]) => void): () => void;
  once<Name extends WidgetEventName>(name: Name, handler: (value: WidgetEvents[Name]) => void): () => void;
  destroy(): Promise<void>;
}
interface WebchatBubble {
  readonly text?: string;
  readonly message?: string;
  readonly delayMs?: number;
  readonly durationMs?: number;
  readonly duration?: number;
}
interface WebchatApi {
  onReady(handler: (api: WebchatApi) => void): void;
  off(handler: (api: WebchatApi) => void): void;
  openWidget(): void;
  showIcon(): void;
  hideIcon(): void;
  showBubble(bubble: string | WebchatBubble): void;
  animateIcon(animation?: LauncherAnimation): void;
  onContextRequired(handler: ContextHandler$1): void;
  refreshVerifiedContext(): undefined;
  destroy(): void;
}
declare global {
  interface Window {
    WebchatAPI?: WebchatApi;
  }
}
declare function provideWebchatApi(natter: NatterWidget): () => void;
export {
  WebchatApi,
  provideWebchatApi,
};
