import { ConnectionStatus, FrameTrace, SendOutcome, SessionStatus } from "natter/client";
interface DoctorFinding {
  readonly check: 'secure context' | 'token proxy' | 'origin' | 'platform' | 'clock' | 'socket' | 'storage' | 'policy' | 'viewport' | 'duplicates' | 'texts';
  readonly status: 'ok' | 'warning' | 'fault';
  readonly message: string;
}
interface DoctorReport {
  readonly findings: readonly DoctorFinding[];
  readonly text: string;
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
interface WidgetEvents extends WidgetEvents$1 {
  readonly connection: ConnectionStatus;
  readonly session: SessionStatus;
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
  setTheme(theme: 'light' | 'dark' | 'auto'): Promise<void>;
  setLanguage(tag: string): Promise<void>;
  showBubble(text: string): Promise<void>;
  animateLauncher(): Promise<void>;
  doctor(): Promise<DoctorReport>;
}
interface NatterWidget extends WidgetCommands {
  showLauncher(): Promise<void>;
  hideLauncher(): Promise<void>;
  on<Name extends WidgetEventName>(name: Name, handler: (value: WidgetEvents[Name]) => void): () => void;
  destroy(): Promise<void>;
}
declare const Base: typeof HTMLElement;
declare class NatterChatElement extends Base {
  #private;
  static readonly observedAttributes: readonly string[];
  get widget(): NatterWidget | null;
  connectedCallback(): void;
  disconnectedCallback(): void;
  attributeChangedCallback(name: string, before: string | null, after: string | null): void;
}
export { NatterChatElement, type NatterWidget };
