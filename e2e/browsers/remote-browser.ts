/** A busy machine may take this long. */
const PATIENCE_MS = 60_000;
const POLL_MS = 200;

/** A step of input in the common format of WebDriver and WebDriver BiDi. */
export type InputActions = readonly Readonly<Record<string, unknown>>[];

/** Commands to a browser through its own protocol. Each command runs in a tab, which has an id. */
export interface RemoteBrowser {
  readonly version: string;
  /** Opens a tab in the foreground. */
  openTab(url: string): Promise<string>;
  closeTab(tab: string): Promise<void>;
  bringToFront(tab: string): Promise<void>;
  reload(tab: string): Promise<void>;
  /** Evaluates an expression, and returns its value through JSON. */
  evaluate(tab: string, expression: string): Promise<unknown>;
  perform(tab: string, actions: InputActions): Promise<void>;
  close(): Promise<void>;
}

/** Calls `ask` until it returns a value. */
export async function waitFor<Value>(what: string, ask: () => Promise<Value>): Promise<Value> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const value = await ask();
    if (value) return value;
    if (Date.now() > end) throw new Error(`Waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
