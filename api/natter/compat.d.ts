import { ConnectionStatus, ContextHandler, ContextResult, FrameTrace, PageFacts, PageUser, SendOutcome, SessionStatus } from "natter/client";
import { ContextHandler as ContextHandler$1 } from "natter";
interface LauncherAnimation {
  readonly type?: 'bounce' | 'grow' | 'pulse';
  readonly durationMs?: number;
}
interface BubbleOptions {
  readonly text: string;
  readonly delayMs?: number;
  readonly durationMs?: number;
}
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
    readonly by: 'user' | 'agent' | 'inactivity' | 'platform';
  };
  error: {
    readonly code: string;
    readonly message: string;
  };
}
interface DoctorFinding {
  readonly check: 'secure context' | 'token proxy' | 'origin' | 'platform' | 'clock' | 'socket' | 'storage' | 'policy' | 'pictures' | 'viewport' | 'duplicates' | 'texts';
  readonly status: 'ok' | 'warning' | 'fault';
  readonly message: string;
}
interface DoctorReport {
  readonly findings: readonly DoctorFinding[];
  readonly text: string;
}
interface WidgetEvents extends WidgetEvents$1 {
  readonly connection: ConnectionStatus;
  readonly session: SessionStatus;
  readonly context: ContextResult;
  readonly frame: FrameTrace;
}
type WidgetEventName = keyof WidgetEvents;
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
  setTheme(theme: 'light' | 'dark' | 'auto'): Promise<void>;
  setLanguage(tag: string): Promise<void>;
  showBubble(bubble: string | BubbleOptions): Promise<void>;
  animateLauncher(animation?: LauncherAnimation): Promise<void>;
  doctor(): Promise<DoctorReport>;
}
interface NatterWidget extends WidgetCommands {
  showLauncher(): Promise<void>;
  hideLauncher(): Promise<void>;
  on<Name extends WidgetEventName>(name: Name, handler: (value: WidgetEvents[Name]) => void): () => void;
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
export { WebchatApi, provideWebchatApi };
